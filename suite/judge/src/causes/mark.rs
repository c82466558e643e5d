//! What is alike in the findings of one cause.

use verdict::Finding;
use wire::mcp::code;

use super::Broken;
use super::shown::{Input, Shown};
use super::words;

/// The codes that handlers choose among.
const HANDLERS_CODES: [i64; 3] = [code::METHOD_NOT_FOUND, code::INVALID_PARAMS, code::INTERNAL_ERROR];

/// Characters of a tool's name from which on it is recognized within a word.
const TELLING: usize = 3;

/// What kind of answer came to what kind of request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The server ended, or answered nothing any more.
    Ended {
        /// Its exit status or the signal, or that it fell silent.
        how: String,
        /// What it was asked; nothing if it should have refused that.
        asked: String,
    },
    /// An error that should be none, or another one.
    Error {
        code: i64,
        /// The message without what varies.
        words: String,
        /// What it answers, where the words say nothing.
        to: String,
        /// The code that was expected, if another one was.
        instead: Option<i64>,
    },
    /// A tool result with `isError` that should be none, or say something else.
    ToolError {
        /// The text without what varies.
        words: String,
        /// The tool, where the words say nothing.
        tool: String,
    },
    /// An error without a code.
    Codeless,
    /// No answer.
    Dropped {
        /// To what.
        asked: String,
    },
    /// The same sentence is true of them.
    Same(String),
}

impl Mark {
    /// Of a requirement: what most of its gravest findings have. A message in order that ends the server counts before those
    /// that it should refuse.
    pub(super) fn of(broken: &Broken<'_>) -> Self {
        let mut counted: Vec<(Self, bool, u32)> = Vec::new();
        for finding in broken.gravest() {
            let mark = Self::of_finding(finding);
            match counted.iter_mut().find(|(other, ..)| *other == mark) {
                Some((.., count)) => *count += finding.count,
                None => {
                    let in_order = matches!(Shown::of(&finding.wire).input(), Input::Good(_));
                    let ends = matches!(mark, Self::Ended { .. });
                    counted.push((mark, ends && in_order, finding.count));
                }
            }
        }
        // Of equals the first.
        let most = counted.iter().map(|(_, ends, count)| (*ends, *count)).max();
        let found = counted.into_iter().find(|(_, ends, count)| Some((*ends, *count)) == most);
        found.map_or_else(|| Self::Same(broken.id.to_owned()), |(mark, ..)| mark)
    }

    pub(super) fn of_finding(finding: &Finding) -> Self {
        let shown = Shown::of(&finding.wire);
        let sent = shown.sent.unwrap_or_default();
        if let Some(how) = how_it_ended(finding) {
            return Self::ended(how, &shown, finding);
        }
        if matches!(shown.error(), Some((None, _))) {
            return Self::Codeless;
        }
        let is = |what: &str| finding.actual.starts_with(what);
        if let Some((Some(code), message)) = shown.error().filter(|_| is("error") || is("a message of ")) {
            return Self::error(code, nameless(words::template(message, sent), finding), &shown, finding);
        }
        if let Some(text) = shown.text().filter(|_| is("a result with isError")) {
            let words = nameless(words::template(text, sent), finding);
            let own = words::is_empty(&words).then(|| finding.tool.clone()).flatten();
            return Self::ToolError { words, tool: own.unwrap_or_default() };
        }
        if shown.answer.is_none() && finding.actual.starts_with("no answer") && shown.sent.is_some() {
            return Self::Dropped { asked: shown.asked(finding.tool.as_deref()) };
        }
        Self::Same(nameless(words::template(&finding.message, sent), finding))
    }

    /// Handlers choose among a few codes, and their words tell them apart. Another code has a single origin.
    fn error(code: i64, words: String, shown: &Shown<'_>, finding: &Finding) -> Self {
        let (words, to, instead) = match () {
            () if !HANDLERS_CODES.contains(&code) => (String::new(), String::new(), None),
            // Parameters are looked at in one place, whatever it says about each of them.
            () if words::is_empty(&words) || shown.input() == Input::BadParams => {
                (String::new(), shown.asked(finding.tool.as_deref()), expected_code(finding))
            }
            () => (words, String::new(), expected_code(finding)),
        };
        Self::Error { code, words, to, instead }
    }

    /// A server that ends over one thing that it should refuse ends over others for the same reason: whoever reads its input gives up.
    /// A signal is no such decision, and says where it came from only by what was asked.
    fn ended(how: String, shown: &Shown<'_>, finding: &Finding) -> Self {
        let own = shown.asked(finding.tool.as_deref());
        let asked = match shown.input() {
            Input::None => words::template(&finding.message, ""),
            Input::Good(_) => own,
            _ if how.starts_with("signal") => own + shown.method().unwrap_or_default(),
            _ => String::new(),
        };
        Self::Ended { how, asked }
    }

    /// The code and the telling words of an error that a finding shows.
    pub(super) fn said(finding: &Finding) -> Option<(i64, String)> {
        let shown = Shown::of(&finding.wire);
        let (Some(code), message) = shown.error()? else { return None };
        let words = words::template(message, shown.sent.unwrap_or_default());
        (!words::is_empty(&words)).then_some((code, words))
    }
}

/// The words without the name of the tool, which may be a part of one: `echoArguments`.
fn nameless(words: String, finding: &Finding) -> String {
    match finding.tool.as_deref() {
        Some(tool) if tool.len() >= TELLING => words.replace(tool, "…"),
        _ => words,
    }
}

/// The code of the error that should have come.
pub(super) fn expected_code(finding: &Finding) -> Option<i64> {
    let from = finding.expected.find("-32")?;
    finding.expected.get(from..from + 6)?.parse().ok()
}

/// How the server ended over this, if it did.
fn how_it_ended(finding: &Finding) -> Option<String> {
    let after = |mark: &str| finding.actual.split_once(mark).map(|(_, rest)| rest.to_owned());
    let exit = after("exited with ").or_else(|| after("ended by "));
    exit.or_else(|| finding.fell.then(|| "silence".to_owned()))
}
