//! The enums and tables that `build/probes.rs` generates from `probes/*.toml`.

/// One area of the tables.
#[derive(Debug)]
pub struct Area {
    /// Its name, that of the rules that read most of it.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its intents.
    pub intents: &'static [Intent],
}

#[derive(Debug)]
pub(super) struct IntentRow {
    pub(super) name: &'static str,
    pub(super) area: &'static str,
    pub(super) meaning: &'static str,
    pub(super) needs: &'static [Key],
    pub(super) may: &'static [Key],
    pub(super) background: bool,
    pub(super) untested: Option<&'static str>,
}

#[derive(Debug)]
pub(super) struct KeyRow {
    pub(super) name: &'static str,
    pub(super) types: &'static [KeyType],
    pub(super) background: bool,
    pub(super) meaning: &'static str,
    /// Its values if it can have no others; empty if it can.
    pub(super) allowed: &'static [&'static str],
}

/// The JSON type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Flag,
    /// An array.
    List,
    /// An object.
    Object,
}

include!(concat!(env!("OUT_DIR"), "/probes.rs"));
