//! What a finding shows: the request and the answer, as far as its lines go.

use wire::{Content, Limits, Message};

use super::{envelope, params};

/// What was asked by something that is no request.
pub(super) const MALFORMED: &str = "what is no request";
/// What was asked with the wrong parameters.
pub(super) const BAD_PARAMS: &str = "missing or mistyped parameters";

/// What a server has to make of what it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// Nothing was sent.
    None,
    /// It is no JSON, no message, or one whose envelope is wrong.
    Malformed,
    /// A response that nothing asked for, or a method that does not exist.
    Unknown,
    /// A request without the parameters that its method requires, or with ones of another type.
    BadParams,
    /// A message as the specification has it, with this method.
    Good(String),
}

/// The last exchange that a finding shows.
#[derive(Debug, Default)]
pub(super) struct Shown<'f> {
    /// What was sent, as it was sent; none if only the server spoke.
    pub(super) sent: Option<&'f str>,
    /// What was sent, if it is one message and stands there whole.
    request: Option<Message>,
    /// What came back.
    pub(super) answer: Option<&'f str>,
}

impl<'f> Shown<'f> {
    pub(super) fn of(wire: &'f [String]) -> Self {
        let body = |line: &'f String, mark: &str| line.strip_prefix(mark).filter(|text| text.starts_with(['{', '[']));
        let answer = wire.iter().rev().find_map(|line| body(line, "< "));
        let said = |text: &&str| !is_head(text) && !text.starts_with('(');
        let sent = wire.iter().rev().find_map(|line| line.strip_prefix("> ").filter(said));
        Self { sent, request: sent.and_then(message), answer }
    }

    /// The method of the request.
    pub(super) fn method(&self) -> Option<&str> {
        match &self.request {
            Some(request) => request.method(),
            None => member(self.sent.filter(|text| envelope::is_cut(text))?, "method"),
        }
    }

    /// The code, if that is an integer, and the message of the error that came back.
    pub(super) fn error(&self) -> Option<(Option<i64>, &'f str)> {
        let text = self.answer?;
        let (before, error) = text.split_once("\"error\":")?;
        // A result may have a member of this name.
        if before.contains("\"result\":") {
            return None;
        }
        let code = error.split_once("\"code\":").and_then(|(_, code)| {
            let code = code.trim_start();
            let end = code.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(code.len());
            code[..end].parse().ok()
        });
        Some((code, member(error, "message").unwrap_or_default()))
    }

    /// The text of the tool result that came back.
    pub(super) fn text(&self) -> Option<&'f str> {
        Some(member(self.answer?, "text").unwrap_or_default())
    }

    /// What was asked, in a word or two: of a tool that may be named in it, what that was asked is its own matter.
    pub(super) fn asked(&self, tool: Option<&str>) -> String {
        match (self.input(), tool) {
            (Input::None, _) => String::new(),
            (Input::Malformed, _) => MALFORMED.to_owned(),
            (Input::Unknown, _) => "an unknown method".to_owned(),
            (Input::BadParams, _) => BAD_PARAMS.to_owned(),
            (Input::Good(_), Some(tool)) => format!("tool {tool}"),
            (Input::Good(method), None) => method,
        }
    }

    /// What kind of input this is to a server.
    pub(super) fn input(&self) -> Input {
        let Some(text) = self.sent else { return Input::None };
        if envelope::is_malformed(text, self.request.as_ref()) {
            return Input::Malformed;
        }
        let Some(method) = self.method() else { return Input::Unknown };
        match params::required(method) {
            None => Input::Unknown,
            Some(required) if self.request.as_ref().is_some_and(|request| !params::fit(request, required)) => {
                Input::BadParams
            }
            Some(_) => Input::Good(method.to_owned()),
        }
    }
}

fn message(text: &str) -> Option<Message> {
    match wire::parse(text.as_bytes(), &Limits::default()).content {
        Content::One(message) => Some(message),
        _ => None,
    }
}

/// A line of an HTTP request that is no body.
fn is_head(text: &str) -> bool {
    ["GET", "POST", "DELETE", "OPTIONS", "PUT"].iter().any(|verb| text.starts_with(verb))
        || text.split_once(": ").is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

/// The string that stands after this name, as it is spelled: evidence may be cut, so it need not be JSON.
fn member<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let quoted = format!("\"{name}\"");
    // The name may be a value before it is a member: `"type":"text","text":"…"`.
    let after = |at: usize| text[at + quoted.len()..].trim_start().strip_prefix(':');
    let value = text.match_indices(&quoted).find_map(|(at, _)| after(at))?.trim_start().strip_prefix('"')?;
    let mut escaped = false;
    let end = value.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    Some(&value[..end.unwrap_or(value.len())])
}
