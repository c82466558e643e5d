//! The tools: what they are ([`mod@definitions`]) and what they do ([`behavior`]).

pub(crate) mod baskets;
mod behavior;
mod clients;
pub(crate) mod content;
mod definitions;
mod entry;
mod measured;
mod schemas;
mod spoken;
mod state;
mod talk;
mod towns;

use serde_json::{Value, json};

pub(crate) use behavior::run;
pub(crate) use clients::{asks_first, has as declares, params_after_tool_use, result_of_answer, state_of};
pub(crate) use definitions::all as definitions;
pub(crate) use measured::depth;
pub(crate) use schemas::NAMES as WITH_SCHEMAS;
pub(crate) use spoken::{inner_name, public_name};
pub(crate) use talk::finish_bump;

use crate::core::{EXTRA, TOGGLE, TOGGLES};

/// An icon that needs no network.
pub(crate) fn icon() -> Value {
    json!({"src": format!("data:image/png;base64,{}", content::PNG), "mimeType": "image/png", "sizes": ["1x1"],
        "theme": "light"})
}
