//! Faults of the area caching: hints that are missing, ill or contradict each other.

use serde_json::json;

use super::Edit::{Drop, Remove, Set};
use super::Hook::{Enveloped, Switch};
use super::On::{Call, Notification, Result};
use super::{Fault, carried, fault, rewrite};
use crate::Transport::Http;
use crate::deviation::Deviation;

macro_rules! missing {
    ($id:literal, $method:literal) => {
        [
            rewrite($id, "", "there is no ttlMs", &[(Result($method), Remove("/result/ttlMs"))]),
            rewrite($id, "scope", "there is no cacheScope", &[(Result($method), Remove("/result/cacheScope"))]),
        ]
    };
}

static DISCOVER: [Fault; 2] = missing!("caching.hints.server-discover", "server/discover");
static TOOLS: [Fault; 2] = missing!("caching.hints.tools-list", "tools/list");
static PROMPTS: [Fault; 2] = missing!("caching.hints.prompts-list", "prompts/list");
static RESOURCES: [Fault; 2] = missing!("caching.hints.resources-list", "resources/list");
static TEMPLATES: [Fault; 2] = missing!("caching.hints.resources-templates-list", "resources/templates/list");
static READ: [Fault; 2] = missing!("caching.hints.resources-read", "resources/read");

static VALUES: &[Fault] = &[
    rewrite("caching.ttl-integer", "", "ttlMs is a fraction", &[(Result("prompts/list"), Set("/result/ttlMs", "0.5"))]),
    rewrite(
        "caching.ttl-integer",
        "string",
        "ttlMs is a string",
        &[(Result("tools/list"), Set("/result/ttlMs", "\"9\""))],
    ),
    rewrite(
        "caching.ttl-non-negative",
        "",
        "ttlMs is negative",
        &[(Result("prompts/list"), Set("/result/ttlMs", "-1"))],
    ),
    rewrite(
        "caching.scope-enum",
        "",
        "cacheScope is another word",
        &[(Result("resources/read"), Set("/result/cacheScope", "\"shared\""))],
    ),
    rewrite(
        "caching.change-inside-ttl-notified",
        "",
        "a change of the prompts is not announced",
        &[(Notification("notifications/prompts/list_changed"), Drop)],
    )
    .over(&[Http]),
    carried(
        "caching.public-is-not-user-specific",
        "",
        "a list that differs from user to user is public",
        Switch(&[Deviation::UserListsArePublic]),
    ),
    carried(
        "caching.access-control-not-by-scope",
        "",
        "what is private may be read by everybody",
        Switch(&[Deviation::DiaryIsOpen]),
    ),
    fault(
        "caching.scope-uniform-over-pages",
        "",
        "further pages are private",
        Enveloped(|call, result| {
            if call.params.get("cursor").is_some() && result.get("cacheScope").is_some() {
                result["cacheScope"] = json!("private");
            }
        }),
    ),
    rewrite(
        "caching.input-required-without-hints",
        "",
        "a result that asks for input may be kept",
        &[(Call("ask_name"), Set("/result/ttlMs", "0"))],
    ),
];

/// The tables of this area.
pub(super) static TABLES: [&[Fault]; 7] = [&DISCOVER, &TOOLS, &PROMPTS, &RESOURCES, &TEMPLATES, &READ, VALUES];
