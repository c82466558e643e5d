//! Faults of tools that keep a state for the client, and of what only some users may see. They show to who knows what to look
//! for, which the configuration tells.

use super::Edit::Remove;
use super::Hook::Switch;
use super::On::Tool;
use super::{Fault, carried, fault, rewrite};
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "tools.input-schema.keywords-preserved",
        "",
        "additionalProperties is lost",
        &[(Tool("greet"), Remove("/inputSchema/additionalProperties"))],
    ),
    fault("tools.stateful.unknown-handle", "", "any handle will do", Switch(&[Deviation::UnknownHandlesAccepted]))
        .in_a_run(),
    fault("tools.stateful.handle-opaque", "", "a handle is JSON in Base64", Switch(&[Deviation::HandlesAreReadable]))
        .in_a_run(),
    fault(
        "tools.stateful.lifetime-documented",
        "",
        "nothing says how long a basket is kept",
        Switch(&[Deviation::HandleLifetimeUndocumented]),
    )
    .in_a_run(),
    carried(
        "tools.stateful.handle-authorized",
        "",
        "the handle of one user will do for another",
        Switch(&[Deviation::HandlesOpenToAll]),
    ),
    fault("security.handle.unguessable", "", "handles count up", Switch(&[Deviation::HandlesAreCounted])).in_a_run(),
    carried(
        "security.handle.not-authentication",
        "",
        "who has a handle needs no token",
        Switch(&[Deviation::HandlesReplaceTokens]),
    ),
    carried(
        "resources.security.access-controls",
        "",
        "what is one user's may be read by all",
        Switch(&[Deviation::DiaryIsOpen]),
    ),
    carried("resources.security.permissions-checked", "", "nobody asks who reads", Switch(&[Deviation::DiaryIsOpen])),
];
