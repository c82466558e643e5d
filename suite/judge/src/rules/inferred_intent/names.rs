//! Requests for what does not exist, by their own lists and by their own answers.

use serde_json::{Value, json};
use wire::mcp::code;

use super::denial::denies;
use super::lists::Lists;
use super::{given, has_only};
use crate::Case;
use crate::rules::lists::{PROMPTS, RESOURCES, TEMPLATES, TOOLS};

/// Extensions and later revisions may have methods in the families that are there.
const FAMILIES: [&str; 3] = ["notifications/", "tasks/", "ui/"];

pub(super) fn tool<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Value> {
    let name = denied_name(case, "tool")?;
    lists.lack(case, &TOOLS, name).then(|| json!({"kind": "random"}))
}

pub(super) fn prompt<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Value> {
    let name = denied_name(case, "prompt")?;
    lists.lack(case, &PROMPTS, name).then(|| json!({}))
}

/// The name in a request that is answered by saying that there is no such thing.
fn denied_name<'v>(case: &Case<'v>, thing: &str) -> Option<&'v str> {
    let name = case.param("name")?.as_str()?;
    given(case).filter(|_| has_only(case, &["name", "arguments", "_meta"]))?;
    denies(case, thing, name).then_some(name)
}

pub(super) fn resource<'v>(case: &Case<'v>, lists: &Lists<'v>) -> Option<Value> {
    let uri = case.param("uri")?.as_str().filter(|_| has_only(case, &["uri", "_meta"]))?;
    let (scheme, _) = uri.split_once(':')?;
    // A server may have its own answer to a scheme that it does not know.
    let known = lists.names(&RESOURCES).any(|other| other.split_once(':').is_some_and(|(own, _)| own == scheme));
    let missing = known && denies(case, "resource", uri) && lists.lack(case, &RESOURCES, uri);
    (missing && !may_be_made(case, lists, uri)).then(|| json!({"kind": "known-scheme"}))
}

/// Whether a template begins like the URI, or the templates are not known.
fn may_be_made<'v>(case: &Case<'v>, lists: &Lists<'v>, uri: &str) -> bool {
    let known = lists.before(case, &TEMPLATES).is_some() || has_no_templates(case);
    let begins = |template: &str| uri.starts_with(template.split('{').next().unwrap_or_default());
    !known || lists.names(&TEMPLATES).any(begins)
}

/// The server was asked for templates and knows no such thing.
fn has_no_templates(case: &Case<'_>) -> bool {
    let own = |asked: &Case<'_>| asked.session.id == case.session.id && asked.exchange.seq < case.exchange.seq;
    case.view.calls(TEMPLATES.method).filter(own).any(|asked| asked.error_code() == Some(code::METHOD_NOT_FOUND))
}

pub(super) fn method<'v>(case: &Case<'v>, _: &Lists<'v>) -> Option<Value> {
    let method = case.method()?;
    // Whoever declares extensions has methods of their own.
    let extends = |kind: &str| match case.view.capabilities().get(kind) {
        None => false,
        Some(declared) => declared.as_object().is_none_or(|declared| !declared.is_empty()),
    };
    let extended = ["experimental", "extensions"].into_iter().any(extends);
    let own = !extended && !FAMILIES.iter().any(|family| method.starts_with(family)) && !is_inexact(method);
    (own && denies(case, "method", method)).then(|| json!({}))
}

/// A known method in other letters: a server may take it for that one.
fn is_inexact(method: &str) -> bool {
    let plain = |text: &str| text.trim_matches(|letter: char| letter.is_whitespace() || letter == '/').to_lowercase();
    let wanted = plain(method);
    crate::shapes::methods().any(|known| plain(known) == wanted)
}
