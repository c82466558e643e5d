//! Mismatches in words.

use serde_json::Value;
use verdict::Finding;
use wire::{Kind, Message};

use super::heard::Heard;
use super::ids::ELSEWHERE;
use crate::Collector;
use crate::shapes::{Fault, Mismatch};

impl Heard<'_> {
    /// A finding about this message.
    pub(super) fn finding(&self, message: &str, expected: &str, actual: &str) -> Finding {
        let about_it = |case: crate::Case<'_>| case.finding(message, expected);
        let found = self.case().map(about_it);
        let found = found.unwrap_or_else(|| Finding::new(message, expected, String::new(), vec![self.incoming.wire()]));
        Finding { actual: actual.to_owned(), ..found }
    }
}

/// Says what is wrong: a failure, or only a note.
pub(super) fn tell(heard: &Heard<'_>, message: &Message, mismatch: &Mismatch, collector: &mut Collector) {
    if ELSEWHERE.contains(&mismatch.id) {
        return;
    }
    let subject = subject(heard, message);
    if mismatch.note {
        let Mismatch { pointer, expected, actual, .. } = mismatch;
        return collector.note(mismatch.id, format!("{subject}: {pointer} is {actual} instead of {expected}"));
    }
    let text = format!("{subject} {}", problem(mismatch));
    let mut finding = heard.finding(&text, &mismatch.expected, &mismatch.actual);
    finding.tool = finding.tool.or_else(|| listed_tool(message, &mismatch.pointer));
    finding.place = Some(place(&mismatch.pointer));
    collector.fail(mismatch.id, finding);
}

fn subject(heard: &Heard<'_>, message: &Message) -> String {
    let method = || heard.request().and_then(Message::method);
    match message.kind {
        Kind::Request => format!("The server's request {}", message.method().unwrap_or("without a method")),
        Kind::Notification => format!("The notification {}", message.method().unwrap_or("without a method")),
        Kind::Response => method().map_or("A response".to_owned(), |method| format!("The response to {method}")),
        Kind::Error => method().map_or("An error".to_owned(), |method| format!("The error response to {method}")),
        Kind::Invalid => "A message".to_owned(),
    }
}

fn problem(mismatch: &Mismatch) -> String {
    let name = member(&mismatch.pointer);
    match mismatch.fault {
        Fault::Missing => format!("lacks {name}; strictly typed clients reject it."),
        Fault::Type => format!("has {name} of the wrong type; strictly typed clients reject it."),
        Fault::Value => format!("has {name} with a value that this revision does not define; clients reject it."),
        Fault::Form => format!("has {name} in a form that clients cannot use."),
        Fault::Extra => format!("has {name}, which is not allowed there."),
    }
}

/// Where it is. In results that differ from call to call, entries count as one: which of them is wrong says nothing.
fn place(pointer: &str) -> String {
    const VARYING: [&str; 4] =
        ["/result/content/", "/result/messages/", "/result/contents/", "/result/completion/values/"];
    let varies = VARYING.iter().any(|start| pointer.starts_with(start));
    let is_index = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match pointer {
        "" => "/".to_owned(),
        _ if varies => {
            let parts = pointer.split('/').map(|part| if is_index(part) { "*" } else { part });
            parts.collect::<Vec<_>>().join("/")
        }
        _ => pointer.to_owned(),
    }
}

/// Returns the last segment of a pointer.
fn member(pointer: &str) -> String {
    let mut parts = pointer.rsplit('/').map(|part| part.replace("~1", "/").replace("~0", "~"));
    match parts.next() {
        Some(last) if last.bytes().all(|byte| byte.is_ascii_digit()) && !last.is_empty() => {
            format!("an entry of the array {}", parts.next().unwrap_or_default())
        }
        Some(last) if !last.is_empty() => format!("a member {last}"),
        _ => "a member".to_owned(),
    }
}

/// The tool that a pointer into a page of tools/list leads to.
fn listed_tool(message: &Message, pointer: &str) -> Option<String> {
    let at: usize = pointer.strip_prefix("/result/tools/")?.split('/').next()?.parse().ok()?;
    message.result()?.get("tools")?.get(at)?.get("name").and_then(Value::as_str).map(str::to_owned)
}
