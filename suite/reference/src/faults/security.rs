//! Faults of the area security: who is let in from where.

use super::{Fault, switch};
use crate::Transport::Http;

pub(super) static TABLE: &[Fault] = &[
    fault("security.origin.foreign-rejected", "", "the Origin header is not looked at"),
    fault("security.origin.status-403", "", "a foreign Origin gets 400"),
    fault("security.origin.rebinding-pair", "", "any Origin is good that names the same host as the Host header"),
    fault("security.origin.lookalikes-rejected", "", "an Origin is good if it begins like a good one"),
    fault(
        "security.origin.lookalikes-rejected",
        "contains",
        "an Origin is good if it contains the name of this machine",
    ),
    fault("security.origin.get-validated", "", "the Origin header of GET is not looked at"),
    fault("security.origin.delete-validated", "", "the Origin header of DELETE is not looked at"),
    fault("security.origin.null-rejected", "", "Origin null is good"),
    fault("security.origin.malformed-rejected", "", "an Origin that is no origin is good"),
    fault("security.origin.no-reflection", "", "every Origin is allowed to read answers, with credentials"),
    fault("security.host.foreign-rejected", "", "the Host header is not looked at"),
    fault("security.bind.loopback-only", "", "it listens on every address of the machine"),
    fault("security.local.access-restricted", "", "it listens on every address and asks nobody who they are"),
    fault("security.csrf.simple-content-type", "", "any Content-Type is taken for JSON"),
    fault("security.session.not-authentication", "", "who has a session id needs no token"),
    fault("security.session.bound-to-user", "", "a session can be used with any good token"),
];

const fn fault(id: &'static str, variant: &'static str, what: &'static str) -> Fault {
    switch(id, variant, what).over(&[Http])
}
