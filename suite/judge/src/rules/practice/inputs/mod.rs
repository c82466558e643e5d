//! Rules about hostile arguments of tools, sent on sessions of their own.

mod reach;

use verdict::{Intent, Key};

use super::probed;
use super::sheet::{Sheet, Words};
use crate::{Case, Collector, ExchangeEnd, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/inputs",
    judges: &[
        "practice.input.path-traversal",
        "practice.input.command-injection",
        "practice.input.url-validated",
        "practice.input.id-validated",
        "practice.input.oversized",
        "practice.input.ranges",
        "practice.input.deep-nesting",
        "practice.input.unicode",
        "practice.input.prototype-keys",
    ],
    judge,
};

const STANDS: &str = "an answer of any kind, and the next call is served";

const WORDS: &[Words] = &[
    Words {
        id: RULE.judges[0],
        what: "refuse a file outside their folder but return it when the path takes a detour",
        expected: "the same refusal for every path that leads outside",
    },
    Words {
        id: RULE.judges[1],
        what: "pass an argument to a shell, which ran its contents: whoever controls the argument controls the machine",
        expected: "the text as it was sent, or a refusal",
    },
    Words {
        id: RULE.judges[2],
        what: "follow a file: URL and return the contents of the file",
        expected: "http and https only",
    },
    Words {
        id: RULE.judges[3],
        what: "insert an id with quotes into a query, so an id can select more than it names",
        expected: "the refusal that an unknown id gets",
    },
    Words { id: RULE.judges[4], what: "do not survive a very large argument, or do not answer it", expected: STANDS },
    Words {
        id: RULE.judges[5],
        what: "answer an out-of-range number with an internal error",
        expected: "an error that says what is allowed, or a result",
    },
    Words {
        id: RULE.judges[6],
        what: "do not survive a deeply nested argument, or do not answer it",
        expected: STANDS,
    },
    Words {
        id: RULE.judges[7],
        what: "do not survive unusual characters, do not answer them, or answer with invalid UTF-8",
        expected: STANDS,
    },
    Words {
        id: RULE.judges[8],
        what: "answer differently after an argument named __proto__ than before",
        expected: "the same answer as before",
    },
];

fn judge(view: &View<'_>, collector: &mut Collector) {
    let mut sheet = Sheet::default();
    // Also what was outstanding when the server crashed: what crashed it was sent again alone.
    let cases: Vec<Case<'_>> = probed(view, Intent::PracticeInput).collect();
    for id in RULE.judges {
        let own: Vec<Case<'_>> = cases.iter().filter(|case| case.about_str(Key::Of) == Some(id)).copied().collect();
        reach::judge(id, &own, &mut sheet, collector);
        for case in own.iter().filter(|case| is_innocent(case)) {
            survived(view, id, case, &mut sheet);
        }
    }
    sheet.tell(collector, WORDS);
}

/// Neither tested nor the cause of anything.
fn is_innocent(case: &Case<'_>) -> bool {
    !matches!(case.about_str(Key::Kind), Some("control" | "after"))
}

/// The server answered; what went unanswered was tried again by itself.
fn survived(view: &View<'_>, id: &'static str, case: &Case<'_>, sheet: &mut Sheet) {
    let (tool, kind) = (case.about_str(Key::Tool), case.about_str(Key::Kind));
    let sessions = view.sessions.iter().flat_map(|session| &session.probes);
    let crashed = sessions.filter(|(_, probe)| probe.intent == Intent::PracticeFell).any(|(_, probe)| {
        let is = |key: Key, text: Option<&str>| probe.get(key).and_then(serde_json::Value::as_str) == text;
        is(Key::Of, Some(id)) && is(Key::Tool, tool) && is(Key::Kind, kind)
    });
    let garbled = id == "practice.input.unicode" && is_garbled(case);
    if case.exchange.lost {
        // Whether the tool would survive it is not seen: it never gets it.
    } else if crashed {
        // If a valid call of the tool ends the server, there is a finding about that.
        if !view.explains(case.exchange) {
            sheet.note_fall(id, case);
        }
    } else if garbled {
        sheet.note(id, case, false);
    } else if case.exchange.end == ExchangeEnd::Answered || case.is_followed() {
        sheet.note(id, case, true);
    }
}

/// Bytes that are no UTF-8 came between this input and whatever was sent next. Half a surrogate pair that comes back as the
/// escape that it was sent as is none of these.
fn is_garbled(case: &Case<'_>) -> bool {
    let (session, from) = (case.session, case.exchange.seq);
    let next = session.exchanges.iter().map(|later| later.seq).find(|seq| *seq > from).unwrap_or(u32::MAX);
    let mut came = session.incoming.iter().filter(|incoming| (from..next).contains(&incoming.seq));
    came.any(|incoming| incoming.receive.not_utf8)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::transcript::{Kind, Receive, Via};
    use verdict::{Intent, Status};

    use super::super::tests::listed;
    use super::RULE;
    use crate::testing::Script;

    pub(super) fn script() -> Script {
        listed(json!([{"name": "get_it"}]))
    }

    pub(super) fn input(script: Script, of: &str, kind: &str, answer: Value) -> Script {
        let about = json!({"of": of, "tool": "get_it", "kind": kind, "token": "mcpconform7319"});
        let params = json!({"name": "get_it", "arguments": {}});
        script.probe_about(Intent::PracticeInput, about, "tools/call", params, answer)
    }

    pub(super) fn text(text: &str) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}]}})
    }

    pub(super) fn refusal(text: &str) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": true}})
    }

    #[test]
    fn any_answer_is_survival() {
        for id in RULE.judges {
            let script = input(script(), id, "control", refusal("No such thing."));
            let script = input(script, id, "other", refusal("No such thing."));
            let script = input(script, id, "after", refusal("No such thing."));
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn a_fall_that_was_repeated_is_one() {
        for id in RULE.judges {
            let script = input(script(), id, "other", text("Done."));
            let crashed = script.means(Intent::PracticeFell, json!({"of": id, "tool": "get_it", "kind": "other"}));
            assert_eq!(crashed.status_of(id), Status::Fail, "{id}");
        }
    }

    #[test]
    fn what_fells_a_server_with_others_outstanding_counts() {
        const ID: &str = "practice.input.deep-nesting";
        let about = json!({"of": ID, "tool": "get_it", "kind": "other"});
        let script = script().raw(Intent::PracticeInput, about.clone(), "{").raw_plain("{}").exits(1);
        assert_eq!(script.means(Intent::PracticeFell, about).status_of(ID), Status::Fail);
    }

    #[test]
    fn an_answer_is_utf8() {
        let about = json!({"of": "practice.input.unicode", "tool": "get_it", "kind": "half"});
        let said = |not_utf8: bool| {
            let mut script = script();
            script.ask(Some((Intent::PracticeInput, about.clone())), "tools/call", json!({"name": "get_it"}));
            let text = if not_utf8 {
                "{\"id\": \"\u{fffd}"
            } else {
                r#"{"jsonrpc":"2.0","id":2,"result":{"content":"\ud800"}}"#
            };
            let receive = Receive { channel: 0, text: text.to_owned(), via: Via::Line, dropped: 0, not_utf8 };
            script.add(Kind::Receive(receive)).gave_up().status_of("practice.input.unicode")
        };
        assert_eq!(said(true), Status::Fail);
        assert_ne!(said(false), Status::Fail, "what was sent comes back");
    }
}
