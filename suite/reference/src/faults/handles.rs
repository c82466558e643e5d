//! Faults of tools that keep a state for the client, and of what only some users may see. They show to who knows what to look
//! for, which the configuration tells.

use super::Edit::Remove;
use super::On::Tool;
use super::{Fault, carried, rewrite, switch};

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "tools.input-schema.keywords-preserved",
        "",
        "additionalProperties is lost",
        &[(Tool("greet"), Remove("/inputSchema/additionalProperties"))],
    ),
    switch("tools.stateful.unknown-handle", "", "any handle will do").in_a_run(),
    switch("tools.stateful.handle-opaque", "", "a handle is JSON in Base64").in_a_run(),
    switch("tools.stateful.lifetime-documented", "", "nothing says how long a basket is kept").in_a_run(),
    carried("tools.stateful.handle-authorized", "", "the handle of one user will do for another"),
    switch("security.handle.unguessable", "", "handles count up").in_a_run(),
    carried("security.handle.not-authentication", "", "who has a handle needs no token"),
    carried("resources.security.access-controls", "", "what is one user's may be read by all"),
    carried("resources.security.permissions-checked", "", "nobody asks who reads"),
];
