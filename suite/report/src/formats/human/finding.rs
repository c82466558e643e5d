//! A broken requirement: what is wrong and where, the exchange, the link to the specification, the command to reproduce it.

use verdict::record::{Entry, Sdk};
use verdict::{Finding, Level, SdkFix, requirement, sdk_fixes};

use super::{excerpt, exchange};
use crate::causes::Broken;
use crate::link::link;
use crate::style::{Ink, Style, clip, count, fold, printable};

/// Columns before the text of a finding.
const INDENT: usize = 8;
/// Columns of a label within a finding.
const LABEL: usize = 10;
/// Kinds of violation shown for one requirement.
const KINDS: usize = 3;
/// Tools listed before the rest is counted.
const TOOLS: usize = 6;
/// Lines of standard error.
const STDERR: usize = 3;

/// Renders a broken requirement in full. Lines of standard error that are in `shown` are omitted.
pub(super) fn full_text<'a>(broken: &Broken<'a>, shown: &mut Vec<&'a str>, style: &Style) -> String {
    let entry = broken.entry;
    let (known, open): (Vec<&Finding>, Vec<&Finding>) = entry.findings.iter().partition(|one| one.known.is_some());
    let kinds = kinds(open);
    let mut text = format!("\n{}  {}\n", level_label(entry.level, style), style.paint(Ink::Strong, &entry.id));
    text.push_str(&weighed(broken, style));
    for kind in kinds.iter().take(KINDS) {
        text.push_str(&violation(kind, style));
        text.push_str(&stderr(kind.finding, shown, style));
    }
    if kinds.len() > KINDS {
        let rest = count(kinds.len() - KINDS, "more kind of violation", "more kinds of violation");
        text.push_str(&line("", &format!("{rest}: see report.json"), style));
    }
    if !known.is_empty() {
        text.push_str(&line("known", &format!("{} more, accepted by the baseline", known.len()), style));
    }
    text.push_str(&mend(requirement(&entry.id).map_or("", |found| found.mend), broken, style));
    text.push_str(&source(broken, None, style));
    text
}

/// Says why the level is another than the catalogue's, which `explain` shows.
fn weighed(broken: &Broken<'_>, style: &Style) -> String {
    let general = requirement(&broken.entry.id).map(|found| found.level_in(broken.record.protocol));
    match general.filter(|level| *level != broken.entry.level) {
        Some(level) => {
            let text = format!(
                "{} in general; what was seen here counts as {}",
                level_name(level),
                level_name(broken.entry.level)
            );
            self::line("level", &text, style)
        }
        None => String::new(),
    }
}

/// Renders what to change, and where it stands what can be done about it with an SDK, if that is known for the requirement: with that of
/// the server, or where its SDK is not known with any.
pub(super) fn mend(text: &str, broken: &Broken<'_>, style: &Style) -> String {
    let mut out = if text.is_empty() { String::new() } else { line("mend", text, style) };
    let (id, sdk) = (&broken.entry.id, broken.record.sdk.as_ref());
    let is_meant = |fix: &&SdkFix| sdk.is_none_or(|sdk| is_about(fix, sdk));
    let packages: Vec<&str> = sdk_fixes(id).filter(is_meant).map(|fix| fix.version).collect();
    if !packages.is_empty() {
        let advice = format!("`mcp-conform explain {id}` has advice for {}", packages.join(", "));
        out.push_str(&line("sdk", &advice, style));
    }
    out
}

/// Whether a fix is about this SDK, or what it is built on.
fn is_about(fix: &SdkFix, sdk: &Sdk) -> bool {
    let names = [Some(&sdk.name), sdk.on.as_ref().map(|on| &on.name)];
    names.into_iter().flatten().any(|name| fix.version.split(' ').next() == Some(name))
}

/// Renders where the specification says so, further revisions, and the command that repeats it: that of this finding, else of the first
/// that has one.
pub(super) fn source(broken: &Broken<'_>, told: Option<&Finding>, style: &Style) -> String {
    let mut text = String::new();
    let entry = broken.entry;
    if let Some(url) = requirement(&entry.id).and_then(|found| link(found, broken.record.protocol)) {
        text.push_str(&line("spec", &url, style));
    }
    if !broken.also.is_empty() {
        text.push_str(&line("also in", &broken.also.join(", "), style));
    }
    let mut commands = told.into_iter().chain(&entry.findings).map(|finding| &finding.reproduce);
    if let Some(command) = commands.find(|command| !command.is_empty()) {
        text.push_str(&label("reproduce", &printable(command), style));
    }
    text
}

/// Renders what shows a cause: a finding without its own sentence.
pub(super) fn evidence<'a>(finding: &'a Finding, shown: &mut Vec<&'a str>, style: &Style) -> String {
    kinds([finding]).iter().map(|kind| details(kind, style) + &stderr(kind.finding, shown, style)).collect()
}

/// Renders a sentence as a title.
pub(super) fn title(text: &str, style: &Style) -> String {
    style.paint(Ink::Strong, fold(text, style.width, INDENT))
}

/// Findings that differ only in the tool.
struct Kind<'a> {
    finding: &'a Finding,
    tools: Vec<&'a str>,
    places: Vec<&'a str>,
    times: u32,
}

impl Kind<'_> {
    fn holds(&self, finding: &Finding) -> bool {
        let first = self.finding;
        first.message == finding.message && first.expected == finding.expected && first.actual == finding.actual
    }
}

fn kinds<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Kind<'a>> {
    let mut kinds: Vec<Kind<'_>> = Vec::new();
    for finding in findings {
        let at = kinds.iter().position(|kind| kind.holds(finding)).unwrap_or_else(|| {
            kinds.push(Kind { finding, tools: vec![], places: vec![], times: 0 });
            kinds.len() - 1
        });
        kinds[at].tools.extend(finding.tool.as_deref());
        kinds[at].places.extend(finding.place.as_deref());
        kinds[at].times += finding.count;
    }
    kinds
}

/// Renders a broken requirement in one line, for advice.
pub(super) fn one_line(entry: &Entry, style: &Style) -> String {
    let kinds = kinds(&entry.findings);
    let tools = unique(&kinds.iter().flat_map(|kind| kind.tools.iter().copied()).collect::<Vec<_>>()).len();
    let tools = if tools > 0 { format!(" ({})", count(tools, "tool", "tools")) } else { String::new() };
    let message = kinds.first().map_or("", |kind| &kind.finding.message);
    line_of(&entry.id, message, &tools, style)
}

/// Renders advice in one line: what is broken, by what, and how much of it. What does not fit there is said without its consequence, on
/// lines of its own if that is still too long: half a sentence helps nobody.
pub(super) fn line_of(id: &str, message: &str, much: &str, style: &Style) -> String {
    let room = style.width.saturating_sub(INDENT + id.chars().count() + 2 + much.len());
    let (label, message) = (level_label(Level::Advice, style), printable(message));
    let brief = main_clause(&message);
    let text = if message.chars().count() <= room { &message } else { &brief };
    if text.chars().count() <= room {
        return format!("{label}  {id}  {text}{much}\n");
    }
    format!("{label}  {id}\n{:INDENT$}{}\n", "", fold(&format!("{text}{much}"), style.width, INDENT))
}

/// The sentence without what follows from it.
fn main_clause(sentence: &str) -> String {
    let ends = [", so ", ", which ", "; "].iter().filter_map(|end| sentence.find(end));
    ends.min().map_or_else(|| sentence.to_owned(), |end| format!("{}.", &sentence[..end]))
}

/// Renders a sentence under its level, folded, and how much is broken.
pub(super) fn titled_line(level: Level, sentence: &str, much: &str, style: &Style) -> String {
    format!("{}  {}\n", level_label(level, style), fold(&format!("{sentence}{much}"), style.width, INDENT))
}

/// Renders a broken requirement that the baseline accepts in one line, with the reason.
pub(super) fn known_line(entry: &Entry, style: &Style) -> String {
    let reason = entry.known.as_deref().unwrap_or_default();
    let room = style.width.saturating_sub(INDENT + entry.id.chars().count() + 2).max(30);
    format!("{}  {}  {}\n", level_label(entry.level, style), entry.id, truncate_words(&printable(reason), room))
}

/// Cuts a text after the last word that fits.
fn truncate_words(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let cut: String = text.chars().take(room.saturating_sub(3)).collect();
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}...", words.trim_end_matches([',', ';', ':']))
}

fn violation(kind: &Kind<'_>, style: &Style) -> String {
    format!("{}{}\n{}", " ".repeat(INDENT), fold(&kind.finding.message, style.width, INDENT), details(kind, style))
}

fn details(kind: &Kind<'_>, style: &Style) -> String {
    let finding = kind.finding;
    let mut text = String::new();
    if !kind.tools.is_empty() {
        text.push_str(&line(
            if unique(&kind.tools).len() == 1 { "tool" } else { "tools" },
            &name_list(&kind.tools),
            style,
        ));
    }
    if !kind.places.is_empty() {
        text.push_str(&line("at", &name_list(&kind.places), style));
    }
    text.push_str(&line("expected", &finding.expected, style));
    let times = if kind.times > 1 && unique(&kind.tools).len() < 2 {
        format!(" ({} times)", kind.times)
    } else {
        String::new()
    };
    text.push_str(&line("actual", &format!("{}{times}", finding.actual), style));
    if let Some(call) = simplest(finding) {
        text.push_str(&label("simplest", &clip(&printable(&call), 2 * style.width), style));
    }
    for wire in exchange::shorten(&finding.wire) {
        text.push_str(&excerpt::lines(&wire, finding.place.as_deref(), INDENT, style));
    }
    text
}

/// The smallest call that shows it, unless that is the one in the exchange.
fn simplest(finding: &Finding) -> Option<String> {
    let call = finding.generated.as_ref().filter(|generated| generated.minimal)?.call.to_string();
    (!finding.wire.iter().any(|line| line.contains(&call))).then_some(call)
}

/// The lines that say most: the last, where a stack trace is left out.
fn telling(lines: &[String]) -> Vec<&str> {
    let is_frame = |line: &&str| line.starts_with(char::is_whitespace) || line.trim().is_empty();
    let told: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !is_frame(line)).collect();
    let told = if told.is_empty() { lines.iter().map(String::as_str).collect() } else { told };
    told[told.len().saturating_sub(STDERR)..].to_vec()
}

fn stderr<'a>(finding: &'a Finding, shown: &mut Vec<&'a str>, style: &Style) -> String {
    let mut text = String::new();
    for line in telling(&finding.stderr) {
        if !shown.contains(&line) {
            shown.push(line);
            text.push_str(&label("stderr", &clip(line, style.width.saturating_sub(INDENT + LABEL)), style));
        }
    }
    text
}

fn unique<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(name) {
            distinct.push(name);
        }
    }
    distinct
}

fn name_list(names: &[&str]) -> String {
    let distinct = unique(names);
    let first = distinct.iter().take(TOOLS).copied().collect::<Vec<_>>().join(", ");
    match distinct.len().saturating_sub(TOOLS) {
        0 => first,
        more => format!("{first} and {more} more ({} in all)", distinct.len()),
    }
}

pub(super) fn level_label(level: Level, style: &Style) -> String {
    let ink = match level {
        Level::Must => Ink::Bad,
        Level::Should => Ink::Warn,
        Level::Advice => Ink::Faint,
    };
    style.paint(ink, format!("{:6}", level_name(level)))
}

/// The level as the specification spells it, whose word advice is not.
pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Must => "MUST",
        Level::Should => "SHOULD",
        Level::Advice => "advice",
    }
}

pub(super) fn line(name: &str, text: &str, style: &Style) -> String {
    label(name, &fold(text, style.width, INDENT + LABEL), style)
}

fn label(name: &str, text: &str, style: &Style) -> String {
    let name = style.paint(Ink::Faint, format!("{name:LABEL$}"));
    format!("{}{name}{text}\n", " ".repeat(INDENT))
}

#[cfg(test)]
mod tests {
    use super::{line_of, mend, simplest, telling, weighed};
    use crate::causes::broken;
    use crate::style::Style;
    use crate::testing::single;
    use verdict::Level;
    use verdict::record::Sdk;

    #[test]
    fn a_level_below_the_catalogues_is_accounted_for() {
        let mut record = single();
        let style = Style::default();
        assert!(broken(&[&record]).iter().all(|one| weighed(one, &style).is_empty()));
        let entry = record.requirements.iter_mut().find(|entry| entry.id == "tools.call.unknown-tool");
        entry.expect("the sample has it").level = Level::Should;
        let said: String = broken(&[&record]).iter().map(|one| weighed(one, &style)).collect();
        assert_eq!(said.trim(), "level     MUST in general; what was seen here counts as SHOULD");
    }

    #[test]
    fn a_line_of_advice_is_a_whole_sentence() {
        let of = |message: &str, width| line_of("a.b", message, " (2 tools)", &Style { width, ..Style::default() });
        let message = "Names are long, so a model mixes them up.";
        assert_eq!(of(message, 100), "advice  a.b  Names are long, so a model mixes them up. (2 tools)\n");
        assert_eq!(of(message, 40), "advice  a.b  Names are long. (2 tools)\n");
        let long = "The names of the tools are long, so a model mixes them up.";
        assert_eq!(of(long, 40), "advice  a.b\n        The names of the tools are long.\n        (2 tools)\n");
    }

    #[test]
    fn advice_is_that_for_the_sdk_of_the_server() {
        let named = |package: Option<&str>| {
            let mut record = crate::testing::with_origins();
            record.sdk = record.sdk.zip(package).map(|(sdk, name)| Sdk { name: name.to_owned(), ..sdk });
            let all = broken(&[&record]);
            let one = all.iter().find(|one| one.entry.id == "tools.call.unknown-tool").expect("the sample has it");
            mend("", one, &Style { width: 300, ..Style::default() })
        };
        assert!(named(None).contains("@modelcontextprotocol/sdk 1.32.2, mcp 1.30.0"), "{}", named(None));
        let python = named(Some("mcp"));
        assert!(python.contains("advice for mcp 1.30.0") && !python.contains("@modelcontextprotocol"), "{python}");
        assert_eq!(named(Some("example-sdk")), "");
    }

    #[test]
    fn the_last_lines_of_standard_error_say_most() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        let node = lines("node:fs:1\n    throw e;\n    ^\n\nError: no such file\n    at open (node:fs:1)\nNode.js v22");
        assert_eq!(telling(&node), ["node:fs:1", "Error: no such file", "Node.js v22"]);
        let python = lines("one\ntwo\nTraceback:\n  File \"a.py\", line 1\n    f()\nKeyError: 'x'");
        assert_eq!(telling(&python), ["two", "Traceback:", "KeyError: 'x'"]);
        assert_eq!(telling(&lines("  all\n  indented")), ["  all", "  indented"]);
    }

    #[test]
    fn a_call_that_stands_in_the_exchange_is_not_said_twice() {
        let mut finding = single().requirements.iter().find_map(|entry| entry.findings.first().cloned()).expect("one");
        let call = serde_json::json!({"a": 1});
        let generated = serde_json::json!({"call": call, "minimal": true});
        finding.generated = serde_json::from_value(generated).expect("a generated call");
        assert_eq!(simplest(&finding).as_deref(), Some(r#"{"a":1}"#));
        finding.wire = vec![r#"> {"params":{"arguments":{"a":1}}}"#.to_owned()];
        assert_eq!(simplest(&finding), None);
    }
}
