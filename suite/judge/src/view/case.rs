//! One exchange seen by a rule: accessors, a stable description of what came back, and findings with their evidence.

use serde_json::Value;
use verdict::probes::KeyValue;
use verdict::property::Generated;
use verdict::transcript::Ending;
use verdict::{Finding, Intent, Key};
use wire::{Content, Kind, Message};

use super::{Closed, Exchange, ExchangeEnd, Incoming, Session, View};

/// Characters of one message shown as evidence.
const SHOWN: usize = 2_000;
/// Headers shown as evidence, each way.
const HEADERS: usize = 30;
/// The fault that is recorded for a connection that was not established.
const UNREACHED: &str = "no connection";
/// Lines of standard error attached to a finding.
const STDERR: usize = 10;
/// How long a server may still have something to say about a message that gets no answer.
const MOMENT: std::time::Duration = std::time::Duration::from_millis(300);

/// Whether the fault with which an exchange over HTTP ended says that there was no connection: nothing was sent.
#[must_use]
pub fn is_unreached(fault: &str) -> bool {
    fault.starts_with(UNREACHED)
}

/// An exchange with its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Case<'v> {
    /// The run.
    pub view: &'v View<'v>,
    /// The session.
    pub session: &'v Session<'v>,
    /// The exchange.
    pub exchange: &'v Exchange<'v>,
}

impl<'v> Case<'v> {
    /// The intent of its probe.
    #[must_use]
    pub fn intent(&self) -> Option<Intent> {
        self.exchange.send.probe.as_ref().map(|probe| probe.intent)
    }

    /// Returns a value of its probe.
    #[must_use]
    pub fn about(&self, key: Key) -> Option<&'v Value> {
        self.exchange.send.probe.as_ref()?.get(key)
    }

    /// The value of a key in its probe if it is text.
    #[must_use]
    pub fn about_str(&self, key: Key) -> Option<&'v str> {
        self.about(key).and_then(Value::as_str)
    }

    /// The value of a key in its probe if it is one of those that rules compare.
    #[must_use]
    pub fn value<V: KeyValue>(&self) -> Option<V> {
        self.exchange.send.probe.as_ref()?.value()
    }

    /// The message sent, unless it was a batch or unreadable.
    #[must_use]
    pub fn sent(&self) -> Option<&'v Message> {
        match &self.exchange.parsed.content {
            Content::One(message) => Some(message),
            _ => None,
        }
    }

    /// The method of the request or notification sent.
    #[must_use]
    pub fn method(&self) -> Option<&'v str> {
        self.sent().and_then(Message::method)
    }

    /// A member of the params sent.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&'v Value> {
        self.sent().and_then(Message::params).and_then(|params| params.get(name))
    }

    /// The tool a `tools/call` names.
    #[must_use]
    pub fn tool(&self) -> Option<&'v str> {
        self.sent().and_then(super::called_tool)
    }

    /// The first response; for malformed input also the error with null or absent id that answers it.
    #[must_use]
    pub fn answer(&self) -> Option<&'v Incoming<'v>> {
        let first = self.exchange.answers.first().or(self.exchange.unmatched.first());
        first.and_then(|at| self.session.incoming.get(*at))
    }

    /// Every response and stray error.
    pub fn answers(&self) -> impl Iterator<Item = &'v Incoming<'v>> {
        let (exchange, session) = (self.exchange, self.session);
        exchange.answers.iter().chain(&exchange.unmatched).filter_map(|at| session.incoming.get(*at))
    }

    /// The message of the first response.
    #[must_use]
    pub fn reply(&self) -> Option<&'v Message> {
        self.answer().and_then(Incoming::message)
    }

    /// The result, if that is what came.
    #[must_use]
    pub fn result(&self) -> Option<&'v Value> {
        self.reply().and_then(Message::result)
    }

    /// The error object, if that is what came.
    #[must_use]
    pub fn error(&self) -> Option<&'v Value> {
        self.reply().and_then(Message::error)
    }

    /// The error code, if an error with an integer code came.
    #[must_use]
    pub fn error_code(&self) -> Option<i64> {
        self.reply().and_then(Message::error_code)
    }

    /// A tool result that says `isError: true`.
    #[must_use]
    pub fn is_tool_error(&self) -> bool {
        self.result().and_then(|result| result.get("isError")) == Some(&Value::Bool(true))
    }

    /// The HTTP status, unless everything fails. Over HTTP+SSE only one that answers: that a POST was accepted says nothing of the message in it.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        if self.exchange.failing {
            return None;
        }
        let answers = |status: &u16| super::answers(self.session.open.transport, self.exchange.send, *status);
        self.exchange.status.map(|(status, _)| status).filter(answers)
    }

    /// Over HTTP the method.
    #[must_use]
    pub fn http(&self) -> Option<&'v str> {
        self.exchange.send.http.as_deref()
    }

    /// Over HTTP path and query, where it is not the endpoint's.
    #[must_use]
    pub fn path(&self) -> Option<&'v str> {
        self.exchange.send.path.as_deref()
    }

    /// The first header of this name that was sent.
    #[must_use]
    pub fn sent_header(&self, name: &str) -> Option<&'v str> {
        headers_named(&self.exchange.send.headers, name).next()
    }

    /// The first header of this name in the response.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'v str> {
        self.headers(name).next()
    }

    /// Every header of this name in the response.
    pub fn headers(&self, name: &str) -> impl Iterator<Item = &'v str> {
        let headers = self.exchange.status.map(|(_, headers)| headers.as_slice()).unwrap_or_default();
        headers_named(headers, name)
    }

    /// The media type of the response: lower case, without parameters.
    #[must_use]
    pub fn media_type(&self) -> Option<String> {
        let kind = self.header("content-type")?;
        Some(kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// Over HTTP everything that came as response, in order.
    pub fn received(&self) -> impl Iterator<Item = &'v Incoming<'v>> {
        let channel = self.exchange.send.channel;
        let session: &'v Session<'v> = self.session;
        session.incoming.iter().filter(move |incoming| channel != 0 && incoming.receive.channel == channel)
    }

    /// Over HTTP the end of the response, if it came.
    #[must_use]
    pub fn closed(&self) -> Option<Closed<'v>> {
        self.exchange.closed
    }

    /// Whether it is known what came of it: an answer, a status, or certain silence. Nothing can be said of an exchange
    /// that was outstanding beside others when the server ended, or when the transcript did, nor of one that the tester itself
    /// called off.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.is_told() && !self.is_called_off() && !self.may_be_lost()
    }

    /// Whether it is known what came of it, even if the tester called it off or the server loses answers.
    pub(crate) fn is_told(&self) -> bool {
        // Who is asked for a credential learns nothing of what would have come of the request.
        let asked_who = self.status() == Some(401) && !self.session.open.outside;
        !asked_who && !self.is_unreached() && self.has_ended()
    }

    /// Whether something sent later was answered.
    pub(crate) fn is_followed(&self) -> bool {
        self.session.exchanges.iter().any(|later| later.seq > self.exchange.seq && !later.answers.is_empty())
    }

    /// Whether nothing came of it from a server that loses answers now and then, or all errors, or for a reason that others show.
    pub(crate) fn may_be_lost(&self) -> bool {
        self.exchange.lost
            || self.view.loses_answers && matches!(self.exchange.end, ExchangeEnd::GaveUp | ExchangeEnd::Settled)
    }

    /// Whether it ended while it could still be told from others that were outstanding.
    fn has_ended(&self) -> bool {
        !matches!(self.exchange.end, ExchangeEnd::Open | ExchangeEnd::Gone { alone: false })
    }

    /// Whether the tester cancelled the request before the exchange was over: whatever a server says then is no answer to the
    /// request. A subscription ends in no other way.
    pub(crate) fn is_called_off(&self) -> bool {
        let over =
            self.answer().map(|answer| answer.seq).or(self.closed().map(|closed| closed.seq)).unwrap_or(u32::MAX);
        self.exchange.cancelled.is_some_and(|seq| seq < over) && self.method() != Some("subscriptions/listen")
    }

    /// Over HTTP no connection came about: what was to be sent never reached the server, which has ended before.
    pub(crate) fn is_unreached(&self) -> bool {
        let fault = self.closed().and_then(|closed| closed.fault).unwrap_or_default();
        self.status().is_none() && is_unreached(fault)
    }

    /// Returns a description of the response that does not differ between runs.
    #[must_use]
    pub fn outcome(&self) -> String {
        match (self.reply(), self.exchange.end) {
            (Some(message), _) => describe(message),
            (None, _) if self.answer().is_some() => "an answer that is not a JSON-RPC message".to_owned(),
            (None, ExchangeEnd::GaveUp) => "no answer within the time limit".to_owned(),
            (None, ExchangeEnd::Settled) => "no answer, though a later request was answered".to_owned(),
            (None, ExchangeEnd::Gone { .. }) => {
                match self.session.exit.filter(|(_, exit)| exit.after == Ending::Nothing) {
                    Some((_, exit)) => format!("no answer: the server {exit}"),
                    None if self.session.fall.is_some_and(|fall| !fall.ended) => {
                        "no answer, and none to anything after it".to_owned()
                    }
                    None => "no answer: the server closed the connection".to_owned(),
                }
            }
            (None, ExchangeEnd::Answered | ExchangeEnd::Open) => match (self.status(), self.beside().next()) {
                (Some(status), Some(body)) if body.message().is_some_and(|message| message.kind == Kind::Error) => {
                    format!("HTTP status {status}, with an error under the id of no request")
                }
                (Some(status), _) => format!("HTTP status {status} without a JSON-RPC message"),
                (None, _) => "no answer".to_owned(),
            },
        }
    }

    /// The exchange as evidence.
    #[must_use]
    pub fn wire(&self) -> Vec<String> {
        let mut lines = self.head();
        lines.extend(self.sent_line());
        if let Some((status, headers)) = self.exchange.status {
            lines.push(format!("< HTTP {status}"));
            lines.extend(headers.iter().take(HEADERS).map(|(name, value)| format!("< {name}: {}", clip(value))));
        }
        lines.extend(self.answers().chain(self.beside()).map(Incoming::wire));
        lines
    }

    /// What was sent; over HTTP nothing if there is no body.
    fn sent_line(&self) -> Option<String> {
        match self.exchange.send.text.as_str() {
            "" => self.http().is_none().then(|| "> (an empty line)".to_owned()),
            text => Some(format!("> {}", clip(text))),
        }
    }

    /// What an HTTP refusal says that is no answer to the request: text, or a message under another id.
    fn beside(&self) -> impl Iterator<Item = &'v Incoming<'v>> {
        let exchange = self.exchange;
        let refused = self.http().is_some() && self.status().is_some_and(|status| status >= 400);
        let unread = refused && exchange.answers.is_empty() && exchange.unmatched.is_empty();
        let came = self.session.incoming.iter().filter(move |_| unread);
        came.filter(move |incoming| incoming.receive.channel == exchange.send.channel && incoming.seq > exchange.seq)
    }

    /// Over HTTP the request line and the headers.
    fn head(&self) -> Vec<String> {
        let Some(method) = self.http() else { return Vec::new() };
        let line = self.path().map_or(format!("> {method}"), |path| format!("> {method} {path}"));
        let headers = self.exchange.send.headers.iter().filter(|(name, _)| !is_idle_talk(name));
        let shown = headers.take(HEADERS).map(|(name, value)| format!("> {name}: {}", clip(value)));
        std::iter::once(line).chain(shown).collect()
    }

    /// A finding about this exchange.
    #[must_use]
    pub fn finding(&self, message: impl Into<String>, expected: impl Into<String>) -> Finding {
        Finding {
            message: message.into(),
            expected: expected.into(),
            actual: self.outcome(),
            tool: self
                .tool()
                .or(self.about_str(Key::Tool))
                .filter(|name| self.view.tool(name).is_some())
                .map(str::to_owned),
            place: None,
            level: None,
            wire: self.wire(),
            reproduce: String::new(),
            stderr: self.stderr(),
            count: 1,
            generated: self.generated(),
            known: None,
            fell: false,
            under_way: 0,
            shown_by: Vec::new(),
        }
    }

    /// Returns the generated request that this is, if it is one.
    #[must_use]
    pub fn generated(&self) -> Option<Generated> {
        let case = self.about(Key::Case).and_then(Value::as_u64)?;
        let text = |key: Key| self.about_str(key).map(str::to_owned);
        let mut call = self.sent().and_then(Message::params).cloned().unwrap_or_default();
        if let Value::Object(members) = &mut call {
            members.shift_remove("_meta");
        }
        Some(Generated {
            call,
            method: self.method().filter(|method| *method != "tools/call").map(str::to_owned),
            keyword: text(Key::Keyword),
            schema: text(Key::Schema),
            minimal: self.about(Key::Minimal) == Some(&Value::Bool(true)),
            case: u32::try_from(case).unwrap_or(u32::MAX),
            seed: 0,
            cases: 0,
        })
    }

    /// Returns the lines on standard error between the request and its answer, or up to the end of the process, while no other
    /// request was under way that they may be about.
    fn stderr(&self) -> Vec<String> {
        let from = self.exchange.seq;
        let answered = |exchange: &Exchange<'_>| exchange.answers.first().map(|at| self.session.incoming[*at].seq);
        // Signs of life are nothing that a server has to say something about.
        let others = || self.session.exchanges.iter().filter(|other| other.send.probe.is_some());
        let asks = |other: &Exchange<'_>| other.parsed.messages().iter().any(|message| message.id.is_some());
        let at_work = |other: &Exchange<'_>| match answered(other) {
            Some(seq) => seq > from,
            // What has no answer yet may still be worked on, and what gets none is for a moment.
            None => asks(other) || self.exchange.at.saturating_sub(other.at) < MOMENT,
        };
        if others().any(|other| other.seq < from && at_work(other)) {
            return Vec::new();
        }
        let next = others().map(|other| other.seq).find(|seq| *seq > from).unwrap_or(u32::MAX);
        let to = self.answer().map_or(u32::MAX, |answer| answer.seq + 1).min(next);
        let lines = self.session.stderr.iter().filter(|(seq, _)| (from..=to).contains(seq));
        lines.take(STDERR).map(|(_, line)| clip(line)).collect()
    }
}

/// Headers with which browsers and HTTP libraries introduce themselves: MCP says nothing of them.
fn is_idle_talk(header: &str) -> bool {
    const NAMES: [&str; 6] = ["accept-language", "user-agent", "priority", "dnt", "cache-control", "pragma"];
    let name = header.to_ascii_lowercase();
    name.starts_with("sec-") || NAMES.contains(&name.as_str())
}

fn headers_named<'v>(headers: &'v [(String, String)], name: &str) -> impl Iterator<Item = &'v str> + use<'v> {
    let name = name.to_owned();
    let same = move |header: &&'v (String, String)| header.0.eq_ignore_ascii_case(&name);
    headers.iter().filter(same).map(|(_, value)| value.as_str())
}

/// A response in words.
fn describe(message: &Message) -> String {
    if let Some(error) = message.error() {
        return match error.get("code") {
            Some(code) => format!("error {code}"),
            None => "an error without a code".to_owned(),
        };
    }
    match message.result() {
        Some(result) if result.get("isError") == Some(&Value::Bool(true)) => "a result with isError true".to_owned(),
        Some(_) => "a result".to_owned(),
        None => "a message with neither result nor error".to_owned(),
    }
}

/// Shortens long evidence and says so.
pub(crate) fn clip(text: &str) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}… ({} bytes)", &text[..end], text.len())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::Kind;
    use verdict::{Intent, Revision, Transport};

    use crate::testing::Script;

    #[test]
    fn an_answer_that_comes_late_has_its_status_and_a_late_status_alone_is_no_answer() {
        let status = |body: &str| {
            let script = Script::over(Transport::Http, Revision::V2026_07_28, json!({}));
            let sent = r#"{"jsonrpc":"2.0","id":77,"method":"tools/list"}"#;
            let script = script.request("POST", Intent::HttpControl, Value::Null, &[], sent).gave_up();
            let script = script.respond(400, &[("content-type", "application/json")], body);
            script.look(|view| view.probes(Intent::HttpControl).next().map(|case| case.status())).expect("it was sent")
        };
        assert_eq!(status(r#"{"jsonrpc":"2.0","id":77,"error":{"code":-32020,"message":"m"}}"#), Some(400));
        assert_eq!(status(""), None);
    }

    #[test]
    fn evidence_over_http_leaves_out_how_a_client_introduces_itself() {
        let headers = [("Sec-Fetch-Mode", "cors"), ("user-agent", "node"), ("MCP-Protocol-Version", "2025-11-25")];
        let script = Script::over(Transport::Http, Revision::V2025_11_25, json!({}));
        let script = script.request("POST", Intent::HttpControl, Value::Null, &headers, "{}").respond(400, &[], "");
        let wire =
            script.look(|view| view.probes(Intent::HttpControl).next().map(|case| case.wire())).expect("it was sent");
        assert_eq!(wire[..3], ["> POST", "> MCP-Protocol-Version: 2025-11-25", "> {}"]);
    }

    #[test]
    fn standard_error_is_evidence_only_while_nothing_else_is_under_way() {
        let ask = |script: Script, id: u32| {
            let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\"}}");
            script.raw(Intent::ValidCall, Value::Null, &text)
        };
        let answer = |script: Script, id: u32| script.says_json(&json!({"jsonrpc": "2.0", "id": id, "result": {}}));
        let log = |script: Script, text: &str| script.add(Kind::Stderr { text: text.to_owned(), not_utf8: false });
        let evidence = |script: &Script| -> Vec<Vec<String>> {
            script.look(|view| view.probes(Intent::ValidCall).map(|case| case.finding("", "").stderr).collect())
        };
        let script = || Script::new(Revision::V2025_11_25, json!({}));
        // The two pipes are read side by side: the first line behind the answer may have been written before it.
        let alone = log(answer(log(ask(log(script(), "before"), 70), "own"), 70), "late");
        assert_eq!(evidence(&log(alone, "after")), [["own", "late"]]);
        let both = answer(answer(log(ask(log(ask(script(), 70), "of the first"), 71), "of either"), 71), 70);
        assert_eq!(evidence(&both), [vec!["of the first"], vec![]]);
        let crash = log(ask(script(), 70), "panicked");
        assert_eq!(evidence(&crash.exits(1)), [["panicked"]]);
        // What is no request, or is not answered in time, may be what it is about.
        let after = |milliseconds| {
            let script = script().raw(Intent::HttpControl, Value::Null, "no JSON").pauses(milliseconds);
            answer(log(ask(script, 70), "cannot parse"), 70)
        };
        assert_eq!(evidence(&after(5)), [vec![""; 0]]);
        assert_eq!(evidence(&after(500)), [["cannot parse"]]);
        let given_up = ask(script(), 70).gave_up().pauses(500);
        assert_eq!(evidence(&answer(log(ask(given_up, 71), "done at last"), 71))[1], [""; 0]);
    }
}
