//! What hosts do not take of the server as it is. It is no part of the verdict, and stands after it.

use verdict::record::{HostFact, Record};

use super::finding;
use crate::hosts::{is_grave, known};
use crate::style::{Ink, Style, count, fold, printable};

/// Tools named at one place, and places named of a fact, before the rest is counted.
const TOOLS: usize = 3;
const PLACES: usize = 3;

/// Renders the facts of the newest revision: the worst in full, others in a line, and by name those that not every user meets.
pub(super) fn section(records: &[&Record], style: &Style) -> String {
    let Some(record) = records.first().filter(|record| !record.hosts.is_empty() || !record.hosts_unseen.is_empty())
    else {
        return String::new();
    };
    let facts = &record.hosts;
    let (every, some): (Vec<_>, Vec<_>) = facts.iter().partition(|fact| fact.is_for_all());
    let (mended, some): (Vec<_>, Vec<_>) = some.into_iter().partition(|fact| fact.is_mended());
    let (some, old): (Vec<_>, Vec<_>) = some.into_iter().partition(|fact| fact.only_if.is_some());
    let (full, folded): (Vec<_>, Vec<_>) = every.into_iter().partition(|fact| is_grave(fact));
    let mut text = String::new();
    if !full.is_empty() || !folded.is_empty() {
        let title = "What hosts do not take as it is (not part of the verdict):";
        text.push_str(&format!("\n{}\n", style.paint(Ink::Strong, title)));
    }
    text.extend(full.into_iter().map(|fact| full_text(fact, style)));
    if !folded.is_empty() {
        text.push('\n');
        text.extend(folded.into_iter().map(|fact| one_line(fact, style)));
    }
    let named = [
        (old, "hosts, not confirmed for a year"),
        (mended, "hosts, in older versions"),
        (some, "hosts, for some of their users"),
    ];
    text.push('\n');
    if facts.is_empty() {
        text.push_str("  hosts: nothing was seen that they do not take\n");
    }
    for (facts, what) in named {
        let name = |fact: &&HostFact| format!("{} ({})", fact.id, fact.hosts.join(", "));
        let names: Vec<String> = facts.iter().map(name).collect();
        if !names.is_empty() {
            text.push_str(&format!("  {}\n", fold(&format!("{what}: {}", names.join(", ")), style.width, 4)));
        }
    }
    if let unseen @ 1.. = record.hosts_unseen.len() {
        let line = format!("hosts: {} about what the run did not see", count(unseen, "more fact", "more facts"));
        text.push_str(&format!("  {}\n", fold(&line, style.width, 4)));
    }
    text + "        `mcp-conform hosts ID` says what each is, and how it is known\n"
}

fn full_text(fact: &HostFact, style: &Style) -> String {
    let head = format!("{}: {} ({})", fact.effect, fact.what, fact.id);
    let mut text = format!("\n{}\n", fold(&head, style.width, 8));
    let parts = [
        ("hosts", Some(fact.hosts_with_effects())),
        ("where", Some(places(fact))),
        ("mend", fact.mend.clone()),
        ("for both", fact.both.clone()),
        ("breaks", (!fact.requirement.is_empty()).then(|| fact.requirement.join(", "))),
        ("known", Some(known(fact))),
    ];
    for (name, part) in parts {
        text.extend(part.map(|part| finding::line(name, &part, style)));
    }
    text
}

fn one_line(fact: &HostFact, style: &Style) -> String {
    let line = format!("{}: {} ({}; {}; {})", fact.effect, fact.what, fact.hosts_with_effects(), places(fact), fact.id);
    format!("{}\n", fold(&line, style.width, 8))
}

/// Renders where a fact is: `/inputSchema of search, list and 22 more tools`.
fn places(fact: &HostFact) -> String {
    let mut by_place: Vec<(&str, Vec<&str>)> = Vec::new();
    for place in &fact.places {
        let tool = place.tool.as_deref();
        match by_place.iter_mut().find(|(at, _)| *at == place.at) {
            Some((_, tools)) => tools.extend(tool),
            None => by_place.push((&place.at, tool.into_iter().collect())),
        }
    }
    let hidden: usize = by_place.iter().skip(PLACES).map(|(_, tools)| tools.len().max(1)).sum();
    let mut shown: Vec<String> = by_place.iter().take(PLACES).map(|(at, tools)| at_tools(at, tools)).collect();
    let more = hidden + usize::try_from(fact.more).unwrap_or(usize::MAX);
    if more > 0 {
        shown.push(count(more, "place more", "places more"));
    }
    shown.join("; ")
}

fn at_tools(at: &str, tools: &[&str]) -> String {
    let named: Vec<String> = tools.iter().take(TOOLS).map(|tool| printable(tool)).collect();
    let more = tools.len().saturating_sub(TOOLS);
    let more = if more > 0 { format!(" and {}", count(more, "more tool", "more tools")) } else { String::new() };
    if named.is_empty() {
        return if at.is_empty() { "all tools together".to_owned() } else { printable(at) };
    }
    let of = if at.is_empty() { String::new() } else { format!("{} of ", printable(at)) };
    format!("{of}{}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::section;
    use crate::style::Style;
    use crate::testing::with_hosts;

    #[test]
    fn the_worst_is_shown_in_full_and_what_some_users_meet_by_name() {
        insta::assert_snapshot!(section(&[&with_hosts()], &Style::default()));
    }

    #[test]
    fn what_not_every_user_meets_takes_a_line_alone() {
        let mut record = with_hosts();
        record.hosts.retain(|fact| fact.only_if.is_some());
        let text = section(&[&record], &Style::default());
        assert!(text.starts_with("\n  hosts, for some of their users: few-users (host-b)\n"), "{text}");
        record.hosts.clear();
        assert_eq!(section(&[&record], &Style::default()), "");
        record.hosts_unseen = vec!["not-seen".to_owned()];
        let text = section(&[&record], &Style::default());
        assert!(
            text.starts_with("\n  hosts: nothing was seen that they do not take\n  hosts: 1 more fact about"),
            "{text}"
        );
    }
}
