//! The enums of values that `build/probes.rs` generates from `probes/keys.toml`, each with the name of its key.

use serde::{Serialize, Serializer};

use super::tables::Key;
use super::value::KeyValue;

include!(concat!(env!("OUT_DIR"), "/values.rs"));
