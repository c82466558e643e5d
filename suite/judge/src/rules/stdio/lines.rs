//! Rules about standard output, line by line: JSON, one message on each, nothing else.

use verdict::transcript::{Ending, Via};
use verdict::{Intent, Level};
use wire::{Content, Limits, Message, Unreadable};

use super::finding;
use crate::{Collector, Incoming, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "stdio/lines",
    judges: &[
        "stdio.framing.one-message-per-line",
        "stdio.framing.newline-terminated",
        "stdio.framing.lf-only-output",
        "stdio.encoding.utf8-output",
        "stdio.encoding.no-bom",
        "stdio.stdout.only-json",
        "stdio.stdout.valid-message",
        "stdio.stdout.no-blank-lines",
    ],
    judge,
};

const ONE: &str = RULE.judges[0];
const NEWLINE: &str = RULE.judges[1];
const LF: &str = RULE.judges[2];
const UTF8: &str = RULE.judges[3];
const BOM: &str = RULE.judges[4];
const JSON: &str = RULE.judges[5];
const MESSAGE: &str = RULE.judges[6];
const BLANK: &str = RULE.judges[7];

const SPREADS: &str =
    "A message spans several lines; every line is one message, so clients see fragments that are not JSON.";
const SEVERAL: &str =
    "Several messages stand on one line; every line is one message, so clients can read none of them.";
const UNENDED: &str = "Messages do not end with a line feed, so a client that reads lines never gets any.";

/// A message spread over more lines, or more bytes, than this is taken for text.
const SPREAD: (usize, usize) = (2_000, 1 << 20);

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        if session.by_objects {
            check_unframed(session, collector);
            continue;
        }
        let mut spread = Spread::default();
        for incoming in &session.incoming {
            if !matches!(incoming.receive.via, Via::Line | Via::Tail) || is_torn(session, incoming) {
                continue;
            }
            if matches!(incoming.element, None | Some(0)) {
                check_bytes(session, incoming, collector);
                spread.line(session, incoming, collector);
            }
            check_message(session, incoming, collector);
        }
        spread.give_up(session, collector);
    }
}

/// Messages that were found although they are no lines: one finding, of how they stand.
fn check_unframed(session: &Session<'_>, collector: &mut Collector) {
    let of = |via: Via| session.incoming.iter().filter(move |incoming| incoming.receive.via == via);
    let Some(first) = of(Via::Object).next() else { return };
    let found = |message: &str, actual: &str, wire: Vec<String>| {
        finding(session, message, "each message on one line, ended by a line feed", actual, wire)
    };
    // A message that stands on a line of its own is recorded as the message alone: without any other line all is well.
    if of(Via::Line).next().is_none() {
        if of(Via::Tail).next().is_none() {
            return;
        }
        return collector.fail(NEWLINE, found(UNENDED, "messages without a line feed", vec![first.wire()]));
    }
    if of(Via::Object).any(|incoming| incoming.receive.text.contains('\n')) {
        let wire = of(Via::Line).take(8).map(Incoming::wire).collect();
        return collector.fail(ONE, found(SPREADS, "a message on several lines", wire));
    }
    let text = || of(Via::Line).filter(|incoming| is_text(incoming));
    let object = |incoming: &&Incoming<'_>| incoming.receive.text.trim_start().starts_with('{');
    if let Some(header) = text().find(|incoming| is_header(incoming)) {
        check_chatter(session, header, collector);
    } else if let Some(several) = text().find(object) {
        collector.fail(ONE, found(SEVERAL, "several messages on one line", vec![several.wire()]));
    } else if let Some(chatter) = text().next() {
        check_chatter(session, chatter, collector);
    }
}

fn is_header(incoming: &Incoming<'_>) -> bool {
    incoming.receive.text.trim().to_ascii_lowercase().starts_with("content-length:")
}

/// Cut off because the tester ended the server, or because it was too long to keep. At the end of the input a process may end with a
/// part of a message unwritten, which is a loss, and no text for people.
fn is_torn(session: &Session<'_>, incoming: &Incoming<'_>) -> bool {
    let receive = incoming.receive;
    let part = || incoming.message().is_none() && receive.text.starts_with('{');
    let cut = match session.exit.map(|(_, exit)| exit.after) {
        Some(Ending::Terminated | Ending::Killed) => true,
        Some(Ending::StdinClosed) => part(),
        Some(Ending::Nothing) | None => false,
    };
    receive.dropped > 0 || (receive.via == Via::Tail && cut)
}

/// Checks what every line must fulfil, whatever it contains.
fn check_bytes(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let receive = incoming.receive;
    let found = |message: &str, expected: &str, actual: &str| {
        finding(session, message, expected, actual, vec![incoming.wire()])
    };
    collector.check(UTF8, !receive.not_utf8, || {
        let message = "The server writes invalid UTF-8, which clients drop or misread.";
        found(message, "UTF-8 on standard output", "invalid UTF-8")
    });
    collector.check(BOM, !receive.text.starts_with('\u{feff}'), || {
        let message = "A byte order mark precedes a message; most JSON parsers reject it, so the message is lost.";
        found(message, "messages without a byte order mark", "bytes EF BB BF at the start of a line")
    });
    collector.check(LF, !receive.text.ends_with('\r'), || {
        let message = "Lines end with CR LF; clients that compare or count bytes do not expect the carriage return.";
        found(message, "lines that end with LF only", "CR LF")
    });
    if receive.via == Via::Tail && incoming.message().is_some() {
        let message = "The last message does not end with a newline, so a client that reads lines never gets it.";
        collector.fail(NEWLINE, found(message, "a newline after every message", "the output ends without a newline"));
    }
}

fn check_message(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let Some(message) = incoming.message() else { return };
    collector.check(MESSAGE, is_meant(message), || {
        finding(
            session,
            "The server writes JSON other than messages, such as log lines, to its standard output; clients report it as an error or stop reading.",
            "only JSON-RPC messages on standard output; logs go to standard error",
            "JSON without jsonrpc, id, method, result or error",
            vec![incoming.wire()],
        )
    });
}

/// Whether a line is meant as a message: its defects are for other rules to report.
fn is_meant(message: &Message) -> bool {
    let members = ["jsonrpc", "id", "method", "result", "error"];
    members.iter().any(|name| message.member(name).is_some())
}

/// JSON that is spread over several lines, as it is put together.
#[derive(Default)]
struct Spread<'v> {
    lines: Vec<&'v Incoming<'v>>,
    text: String,
}

impl<'v> Spread<'v> {
    fn line(&mut self, session: &Session<'_>, incoming: &'v Incoming<'v>, collector: &mut Collector) {
        let text = incoming.receive.text.as_str();
        if text.trim().is_empty() {
            if self.lines.is_empty() {
                check_blank(session, collector);
            }
            return;
        }
        if self.lines.is_empty() {
            if is_text(incoming) {
                if begins(incoming) { self.add(incoming) } else { check_chatter(session, incoming, collector) }
            } else {
                for id in [ONE, JSON, BLANK] {
                    collector.witness(id);
                }
            }
            return;
        }
        self.add(incoming);
        if text.trim_end().ends_with(['}', ']'])
            && !is_unreadable(&wire::parse(self.text.as_bytes(), &Limits::default()).content)
        {
            self.whole(session, collector);
        } else if self.lines.len() > SPREAD.0 || self.text.len() > SPREAD.1 {
            self.give_up(session, collector);
        }
    }

    fn add(&mut self, incoming: &'v Incoming<'v>) {
        self.text.push_str(&incoming.receive.text);
        self.text.push('\n');
        self.lines.push(incoming);
    }

    fn whole(&mut self, session: &Session<'_>, collector: &mut Collector) {
        let wire = self.lines.iter().take(8).map(|line| line.wire()).collect();
        collector.fail(ONE, finding(session, SPREADS, "each message on one line", "a message on several lines", wire));
        self.lines.clear();
        self.text.clear();
    }

    /// Reports text that began like JSON but never became any.
    fn give_up(&mut self, session: &Session<'_>, collector: &mut Collector) {
        if let Some(first) = self.lines.first() {
            check_chatter(session, first, collector);
        }
        self.lines.clear();
        self.text.clear();
    }
}

/// Not JSON at all; what JSON cannot hold, or what is too deep or too large to read, is JSON.
fn is_text(incoming: &Incoming<'_>) -> bool {
    is_unreadable(&incoming.parsed.content)
}

fn is_unreadable(content: &Content) -> bool {
    matches!(content, Content::Unreadable(Unreadable::NotJson { .. }))
}

/// An object or array that goes on behind the end of the line.
fn begins(incoming: &Incoming<'_>) -> bool {
    let open = incoming.receive.text.trim_start().starts_with(['{', '[']);
    open && matches!(&incoming.parsed.content, Content::Unreadable(Unreadable::NotJson { reason, .. }) if reason.starts_with("EOF"))
}

fn check_blank(session: &Session<'_>, collector: &mut Collector) {
    let message = "The server writes empty lines between messages; strict clients treat them as broken messages.";
    collector.fail(BLANK, finding(session, message, "no empty lines", "an empty line", vec!["< ".to_owned()]));
}

fn check_chatter(session: &Session<'_>, incoming: &Incoming<'_>, collector: &mut Collector) {
    let text = incoming.receive.text.trim();
    let (what, actual) = if is_header(incoming) {
        (
            "The server writes length headers, as language servers do, which are not part of this transport; clients cannot read the output.",
            "a Content-Length header",
        )
    } else if text.contains('\u{1b}') {
        (
            "The server writes terminal escape codes to its standard output, where clients expect only JSON.",
            "escape codes",
        )
    } else {
        (
            "The server writes text to its standard output, where clients expect only JSON: each such line is an error for them, and some disconnect.",
            "a line that is not JSON",
        )
    };
    let expected = "only JSON-RPC messages on standard output; text for people goes to standard error";
    let mut found = finding(session, what, expected, actual, vec![incoming.wire()]);
    // Once the tester has asked it to end nobody reads on.
    let asked = session.probes.iter().any(|(seq, probe)| probe.intent == Intent::Sigterm && *seq < incoming.seq);
    found.level = asked.then_some(Level::Advice);
    collector.fail(JSON, found);
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::transcript::{Exit, Kind, Receive};
    use verdict::{Revision, Status};

    use super::*;
    use crate::testing::Script;

    fn said(lines: &[&str]) -> Script {
        let script = Script::new(Revision::V2025_11_25, json!({}));
        lines.iter().fold(script, |script, line| script.says(line))
    }

    fn frame(via: Via, not_utf8: bool, dropped: u64) -> Kind {
        let text = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#.to_owned();
        Kind::Receive(Receive { channel: 0, text, via, dropped, not_utf8 })
    }

    fn by_objects(lines: &[&str], object: &str) -> Script {
        let script =
            Script::new(Revision::V2025_11_25, json!({})).means(Intent::Assumed, json!({"reading": "objects"}));
        let frame = |text: &str, via: Via| {
            Kind::Receive(Receive { channel: 0, text: text.to_owned(), via, dropped: 0, not_utf8: false })
        };
        let script = lines.iter().fold(script, |script, line| script.add(frame(line, Via::Line)));
        script.add(frame(object, Via::Object))
    }

    #[test]
    fn messages_that_are_no_lines_are_one_finding() {
        const MESSAGE: &str = r#"{"jsonrpc":"2.0","method":"notifications/x"}"#;
        let spread = MESSAGE.replace(',', ",\n");
        let fragments: Vec<&str> = spread.split('\n').collect();
        assert_eq!(by_objects(&fragments, &spread).fails_in("stdio"), [ONE]);
        let twice = format!("{MESSAGE}{MESSAGE}");
        assert_eq!(by_objects(&[&twice], MESSAGE).fails_in("stdio"), [ONE]);
        let framed = format!("{MESSAGE}Content-Length: 44\r");
        assert_eq!(by_objects(&["Content-Length: 44\r", "\r", &framed], MESSAGE).fails_in("stdio"), [JSON]);
        assert_eq!(by_objects(&[&format!("[info] {MESSAGE}")], MESSAGE).fails_in("stdio"), [JSON]);
    }

    #[test]
    fn messages_without_a_line_feed_are_one_finding_and_those_that_stand_on_lines_are_none() {
        let script = || {
            let negotiated = json!({"revision": Revision::V2025_11_25.as_str()});
            let script = Script::empty(Revision::V2025_11_25).bare().means(Intent::Negotiated, negotiated);
            let script = script.means(Intent::Assumed, json!({"reading": "objects"}));
            script.add(frame(Via::Object, false, 0)).add(frame(Via::Object, false, 0))
        };
        assert!(script().fails_in("stdio").is_empty());
        assert_eq!(script().add(frame(Via::Tail, false, 0)).fails_in("stdio"), [NEWLINE]);
    }

    #[test]
    fn ordinary_messages_pass() {
        let script = said(&[]);
        assert!(script.fails_in("stdio").is_empty());
        for id in [ONE, LF, UTF8, BOM, JSON, MESSAGE, BLANK] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn text_fails_however_it_looks() {
        for line in
            ["Server running on stdio", "[INFO] ready", "Content-Length: 52", "\u{1b}[32mready\u{1b}[0m", "{ready"]
        {
            assert_eq!(said(&[line]).fails_in("stdio"), [JSON], "{line}");
        }
    }

    #[test]
    fn a_message_over_several_lines_is_that_and_no_text() {
        let lines = ["{", r#"  "jsonrpc": "2.0","#, r#"  "method": "notifications/x","#, r#"  "params": {}"#, "}"];
        assert_eq!(said(&lines).fails_in("stdio"), [ONE]);
        assert_eq!(said(&lines[..3]).fails_in("stdio"), [JSON]);
    }

    #[test]
    fn blank_lines_carriage_returns_and_marks_are_told_apart() {
        assert_eq!(said(&[""]).fails_in("stdio"), [BLANK]);
        assert_eq!(said(&["{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\r"]).fails_in("stdio"), [LF]);
        let mark = "\u{feff}{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";
        assert_eq!(said(&[mark]).fails_in("stdio"), [BOM]);
    }

    #[test]
    fn json_that_is_no_message_fails_and_a_broken_message_is_for_others() {
        for line in [r#"{"level":"info","msg":"ready"}"#, "42", "null", r#""ready""#] {
            assert_eq!(said(&[line]).fails_in("stdio"), [MESSAGE], "{line}");
        }
        assert!(said(&[r#"{"id":7}"#]).fails_in("stdio").is_empty());
    }

    #[test]
    fn what_is_no_utf8_fails_from_the_second_revision_on() {
        let odd = |revision| Script::new(revision, json!({})).add(frame(Via::Line, true, 0));
        assert_eq!(odd(Revision::V2025_03_26).fails_in("stdio"), [UTF8]);
        assert!(odd(Revision::V2024_11_05).fails_in("stdio").is_empty());
    }

    #[test]
    fn a_message_without_newline_fails_unless_the_tester_cut_it_off() {
        let exit = |after| Kind::Exit(Exit { code: Some(0), signal: None, after });
        let script = said(&[]).add(frame(Via::Tail, false, 0));
        assert_eq!(script.add(exit(Ending::StdinClosed)).fails_in("stdio"), [NEWLINE]);
        assert!(said(&[]).add(frame(Via::Tail, false, 0)).add(exit(Ending::Killed)).fails_in("stdio").is_empty());
        assert!(said(&[]).add(frame(Via::Line, true, 9)).fails_in("stdio").is_empty());
    }

    #[test]
    fn a_part_of_a_message_at_the_end_of_the_input_is_no_text_for_people() {
        let tail = |text: &str, after| {
            let Kind::Receive(receive) = frame(Via::Tail, false, 0) else { panic!("no frame") };
            let cut = Kind::Receive(Receive { text: text.to_owned(), ..receive });
            said(&[]).add(cut).add(Kind::Exit(Exit { code: Some(0), signal: None, after }))
        };
        let part = r#"{"jsonrpc":"2.0","method":"noti"#;
        assert_eq!(tail(part, Ending::StdinClosed).fails_in("stdio"), [""; 0]);
        assert_eq!(tail(part, Ending::Nothing).fails_in("stdio"), [JSON]);
        assert_eq!(tail("Goodbye.", Ending::StdinClosed).fails_in("stdio"), [JSON]);
    }
}
