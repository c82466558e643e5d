//! Faults of the area security: who is let in from where.

use super::Hook::Switch;
use super::{Fault, Hook, fault};
use crate::Transport::Http;
use crate::deviation::Deviation;

pub(super) static TABLE: &[Fault] = &[
    guarded(
        "security.origin.foreign-rejected",
        "",
        "the Origin header is not looked at",
        Switch(&[Deviation::OriginUnchecked]),
    ),
    guarded("security.origin.status-403", "", "a foreign Origin gets 400", Switch(&[Deviation::OriginRefusedWith400])),
    guarded(
        "security.origin.rebinding-pair",
        "",
        "any Origin is good that names the same host as the Host header",
        Switch(&[Deviation::OriginMatchingHostAllowed]),
    ),
    guarded(
        "security.origin.lookalikes-rejected",
        "",
        "an Origin is good if it begins like a good one",
        Switch(&[Deviation::OriginPrefixAllowed]),
    ),
    guarded(
        "security.origin.lookalikes-rejected",
        "contains",
        "an Origin is good if it contains the name of this machine",
        Switch(&[Deviation::OriginSubstringAllowed]),
    ),
    guarded(
        "security.origin.get-validated",
        "",
        "the Origin header of GET is not looked at",
        Switch(&[Deviation::OriginOfGetUnchecked]),
    ),
    guarded(
        "security.origin.delete-validated",
        "",
        "the Origin header of DELETE is not looked at",
        Switch(&[Deviation::OriginOfDeleteUnchecked]),
    ),
    guarded("security.origin.null-rejected", "", "Origin null is good", Switch(&[Deviation::OriginNullAllowed])),
    guarded(
        "security.origin.malformed-rejected",
        "",
        "an Origin that is no origin is good",
        Switch(&[Deviation::MalformedOriginAllowed]),
    ),
    guarded(
        "security.origin.no-reflection",
        "",
        "every Origin is allowed to read answers, with credentials",
        Switch(&[Deviation::OriginReflected]),
    ),
    guarded(
        "security.host.foreign-rejected",
        "",
        "the Host header is not looked at",
        Switch(&[Deviation::HostUnchecked]),
    ),
    guarded(
        "security.bind.loopback-only",
        "",
        "it listens on every address of the machine",
        Switch(&[Deviation::ListensEverywhere]),
    ),
    guarded(
        "security.local.access-restricted",
        "",
        "it listens on every address and asks nobody who they are",
        Switch(&[Deviation::ListensEverywhere]),
    ),
    guarded(
        "security.csrf.simple-content-type",
        "",
        "any Content-Type is taken for JSON",
        Switch(&[Deviation::ContentTypeUnchecked]),
    ),
    guarded(
        "security.session.not-authentication",
        "",
        "who has a session id needs no token",
        Switch(&[Deviation::SessionReplacesToken]),
    ),
    guarded(
        "security.session.bound-to-user",
        "",
        "a session can be used with any good token",
        Switch(&[Deviation::SessionsOpenToAllUsers]),
    ),
];

const fn guarded(id: &'static str, variant: &'static str, what: &'static str, hook: Hook) -> Fault {
    fault(id, variant, what, hook).over(&[Http])
}
