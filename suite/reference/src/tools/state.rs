//! The `requestState` of tools that keep one: sealed for the tool and the caller, good for a while, and once.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::core::{Call, Server};
use crate::deviation::Deviation;

/// How long states of this tool are good; those of others are for ten minutes.
const HASTY: &str = "book_room";
const SHORT: Duration = Duration::from_secs(3);
const LONG: Duration = Duration::from_secs(600);
/// More used states than this are not remembered.
const MOST: usize = 10_000;

/// A new one.
pub(super) fn fresh(server: &Server, call: &Call, tool: &str) -> String {
    let serial = {
        let mut state = server.state();
        state.serial += 1;
        state.serial
    };
    seal(server, call, tool, serial, now().as_millis())
}

/// Whether the server made it for this tool and caller, not too long ago, and it was not used.
pub(super) fn is_good(server: &Server, call: &Call, tool: &str, state: &str) -> bool {
    if server.deviates(Deviation::AnyStateAccepted) {
        return !state.is_empty();
    }
    let unused = server.quirk("states-unused");
    let mut parts = state.split('.');
    let (Some(named), Some(serial), Some(made)) = (parts.next(), parts.next(), parts.next()) else { return unused };
    let (Ok(serial), Ok(made)) = (serial.parse(), made.parse::<u128>()) else { return unused };
    let other = server.deviates(Deviation::StateOfOtherToolAccepted) && named.starts_with("book_");
    let own = named == tool || other;
    let age = Duration::from_millis(u64::try_from(now().as_millis().saturating_sub(made)).unwrap_or(u64::MAX));
    let late = age > if named == HASTY { SHORT } else { LONG } && !server.deviates(Deviation::StateNeverExpires);
    let used = server.state().used_states.contains(state) && !server.deviates(Deviation::StateReusable);
    let genuine = own && state == seal(server, call, named, serial, made);
    (genuine || unused) && !late && !used
}

/// It is not to be used again.
pub(super) fn spend(server: &Server, call: &Call) {
    let mut state = server.state();
    if let Some(used) = call.params.get("requestState").and_then(Value::as_str)
        && state.used_states.len() < MOST
    {
        state.used_states.insert(used.to_owned());
    }
}

fn seal(server: &Server, call: &Call, tool: &str, serial: u64, made: u128) -> String {
    let shared = server.deviates(Deviation::StateOfOtherUserAccepted);
    let caller = call.caller.as_deref().filter(|_| !shared);
    let mut hasher = DefaultHasher::new();
    (server.nonce(), tool, serial, made, caller).hash(&mut hasher);
    format!("{tool}.{serial}.{made}.{:016x}", hasher.finish())
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
