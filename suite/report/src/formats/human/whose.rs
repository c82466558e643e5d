//! Causes by whose they are: the author's in full, then what the SDK is to blame for, in a line each.

use verdict::Level;
use verdict::record::{Origin, Record};

use super::{cause, finding};
use crate::causes::Group;
use crate::style::{Ink, Style, count};
use crate::whose::{help, known_sdk, smallest};

/// Renders the causes; where the SDK is not known, in one list.
pub(super) fn sections<'a>(
    groups: &[Group<'a>],
    records: &[&'a Record],
    shown: &mut Vec<&'a str>,
    style: &Style,
) -> String {
    let Some(sdk) = known_sdk(records.iter().copied()).map(smallest) else {
        return groups.iter().map(|group| cause::full_text(group, shown, style)).collect();
    };
    // Of good practice it is not known whose it is.
    let (advice, violations): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.level() == Level::Advice);
    let of = |origin: Origin| violations.iter().filter(move |group| group.origin() == origin);
    let mut text = String::new();
    for (origin, title) in [
        (Origin::Own, "Yours".to_owned()),
        (Origin::Unknown, format!("Yours or not ({sdk} has nothing that could show it)")),
    ] {
        let full: String = of(origin).map(|group| cause::full_text(group, shown, style)).collect();
        if !full.is_empty() {
            text.push_str(&format!("\n{}\n{full}", style.paint(Ink::Strong, format!("{title}:"))));
        }
    }
    let theirs: String = of(Origin::Sdk)
        .map(|group| if style.sdk { cause::full_text(group, shown, style) } else { one_line(group, style) })
        .collect();
    if !theirs.is_empty() {
        let title = format!("Not yours: {sdk} breaks this too:");
        let gap = if style.sdk { "" } else { "\n" };
        text.push_str(&format!("\n{}\n{gap}{theirs}", style.paint(Ink::Strong, title)));
        if !style.sdk {
            text.push_str("        use --sdk-findings to show these in full\n");
        }
    }
    text.extend(advice.iter().map(|group| cause::full_text(group, shown, style)));
    text
}

/// Renders a cause in a line: what is wrong, how much it breaks, and what helps.
fn one_line(group: &Group<'_>, style: &Style) -> String {
    let first = group.broken.first();
    let (title, much) = match (group.shared(), first) {
        (Some(cause), _) => {
            (cause.title.as_str(), format!(" ({})", count(group.broken.len(), "requirement", "requirements")))
        }
        (None, Some(broken)) => {
            let message = broken.entry.findings.first().map_or("", |finding| finding.message.as_str());
            (message, format!(" ({})", broken.entry.id))
        }
        (None, None) => return String::new(),
    };
    let mut text = finding::titled_line(group.level(), title, &much, style);
    for help in group.cause.map(help).unwrap_or_default() {
        text.push_str(&finding::line("helps", &help, style));
    }
    text
}
