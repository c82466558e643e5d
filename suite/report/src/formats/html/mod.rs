//! A self-contained HTML page: the verdict, revisions side by side, and every requirement with its folded findings, with search
//! and filters. It needs no network and no framework; without scripts everything is shown unfiltered.

mod causes;
mod coverage;
mod extras;
mod hosts;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde_json::{Value, json};
use verdict::record::{Entry, Origin, Record, Report};
use verdict::{Finding, Level, Status, requirement};

use crate::causes::shared_cause;
use crate::link::link;
use crate::outcome::{Conclusion, Outcome};
use crate::pointer::subject_range;
use crate::style::{clip, printable};
use crate::whose::known_sdk;

/// Characters shown of a generated call.
const CALL: usize = 2_000;

/// Renders an HTML page.
#[must_use]
pub(super) fn html(report: &Report) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let (css, js) = (include_str!("page.css"), include_str!("page.js"));
    let context = minijinja::Value::from(Serde(json!({"page": page(report), "css": css, "js": js})));
    // Template and context are ours: a test renders them.
    environment.render_named_str("page.html", include_str!("page.html"), context).unwrap_or_else(|error| {
        format!("<!doctype html><title>mcp-conform</title><p>The page could not be rendered: {error}</p>")
    })
}

fn page(report: &Report) -> Value {
    let records = report.records();
    let first = records.first();
    let server = first.map(|record| format!("{} {}", record.server.name, record.server.version).trim().to_owned());
    let server = server.filter(|name| !name.is_empty()).unwrap_or_else(|| "unnamed server".to_owned());
    let (grade, verdict) = verdict(report);
    let target = first.map(target).unwrap_or_default();
    let mut areas: Vec<&str> = records.iter().flat_map(|record| record.requirements.iter().map(area)).collect();
    areas.sort_unstable();
    areas.dedup();
    let unspoken: Vec<Value> = match report {
        Report::All(all) => {
            let each =
                |one: &verdict::record::Unspoken| json!({"revision": one.protocol.as_str(), "reason": one.reason});
            all.unspoken.iter().map(each).collect()
        }
        Report::One(_) => vec![],
    };
    json!({
        "title": format!("{server}: {verdict}"),
        "server": server,
        "grade": grade,
        "verdict": verdict,
        "shares": Outcome::of(records).shares_in_words(),
        "attributed": known_sdk(records).is_some(),
        "target": target,
        "embedded": first.is_some_and(|record| record.target.embedded),
        "tool": first.map(|record| format!("{} {}", record.tool.name, record.tool.version)),
        "trouble": records.iter().find_map(|record| record.trouble.as_deref()),
        "runs": records.iter().map(run).collect::<Vec<_>>(),
        "areas": areas,
        "unspoken": unspoken,
        "beside": extras::side_by_side(report),
        "unseen": extras::unseen(report),
        "withheld": first.map(|record| &record.withheld),
    })
}

fn verdict(report: &Report) -> (&'static str, String) {
    let outcome = Outcome::of(report.records());
    let grade = match outcome.conclusion {
        Conclusion::Trouble | Conclusion::NothingJudged | Conclusion::DoesNotConform | Conclusion::Unstable => "bad",
        Conclusion::Partial | Conclusion::NothingNew | Conclusion::Warnings => "warn",
        Conclusion::Conforms => "good",
    };
    (grade, outcome.in_words())
}

fn target(record: &Record) -> String {
    let command = record.target.command.as_ref().map(|words| words.join(" "));
    command.or_else(|| record.target.url.clone()).unwrap_or_default()
}

fn run(record: &Record) -> Value {
    let (sum, fails) = (&record.summary, &record.summary.fail_by_level);
    let mut entries: Vec<&Entry> = record.requirements.iter().collect();
    // Broken requirements come first, most severe first; otherwise catalogue order.
    entries.sort_by_key(|entry| {
        let failed = kind(entry) == "fail";
        (!failed, failed.then_some((entry.known.is_some(), entry.level)))
    });
    json!({
        "revision": record.protocol.as_str(),
        "partial": record.partial,
        "must": fails.must, "should": fails.should, "advice": fails.advice,
        "pass": sum.pass, "not_observed": sum.not_observed,
        "other": sum.not_applicable + sum.skipped + sum.inconclusive,
        "areas": extras::areas(record),
        "tools": extras::tools(record),
        "coverage": coverage::table(record),
        "timeline": extras::timeline(record),
        "sections": causes::sections(record),
        "hosts": hosts::hosts(record),
        "entries": entries.into_iter().map(|entry| self::entry(entry, record)).collect::<Vec<_>>(),
    })
}

fn area(entry: &Entry) -> &str {
    entry.id.split('.').next().unwrap_or(&entry.id)
}

fn kind(entry: &Entry) -> &'static str {
    match entry.status {
        Status::Fail => "fail",
        Status::Pass => "pass",
        _ => "open",
    }
}

fn entry(entry: &Entry, record: &Record) -> Value {
    let found = requirement(&entry.id);
    // With sections by whose they are, every violation has a cause to look at.
    let own = || record.causes.iter().find(|cause| cause.requirements.contains(&entry.id));
    let cause = shared_cause(record, &entry.id).or_else(|| own().filter(|_| entry.origin.is_some()));
    let tag = match (entry.status, entry.level) {
        (Status::Fail, _) if entry.known.is_some() => "known",
        (Status::Fail, Level::Must) => "MUST",
        (Status::Fail, Level::Should) => "SHOULD",
        (Status::Fail, Level::Advice) => "advice",
        (Status::Pass, _) => "pass",
        _ => "open",
    };
    json!({
        "id": entry.id,
        "area": area(entry),
        "kind": kind(entry),
        "level": entry.level.as_str(),
        "tag": tag,
        "status": entry.status.as_str().replace('_', " "),
        "statement": found.map(|found| found.statement),
        "url": found.filter(|_| entry.status == Status::Fail).and_then(|found| link(found, record.protocol)),
        "reason": entry.reason,
        "mend": found.filter(|_| entry.status == Status::Fail).map(|found| found.mend),
        "notes": entry.notes,
        "known": entry.known,
        "cause": cause.map(|cause| &cause.id),
        "whose": whose(entry),
        "findings": entry.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}

/// Whose a violation is, as the page calls it.
fn whose(entry: &Entry) -> Option<&'static str> {
    Some(match entry.origin? {
        Origin::Own => "yours",
        Origin::Sdk => "SDK",
        Origin::Unknown => "unclear",
    })
}

/// Returns a line of an exchange in three parts; the middle one is the subject of the finding.
fn line(line: &str, finding: &Finding) -> Value {
    let text = printable(line);
    let sent = text.starts_with('>');
    let found = finding.place.as_deref().filter(|_| !sent).and_then(|place| subject_range(&text, place));
    let (before, differs) = found.map_or((text.as_str(), ""), |range| (&text[..range.start], &text[range]));
    let after = &text[before.len() + differs.len()..];
    json!({"way": if sent { "sent" } else { "got" }, "text": before, "differs": differs, "after": after})
}

fn finding(finding: &Finding) -> Value {
    json!({
        "message": finding.message,
        "expected": finding.expected,
        "actual": finding.actual,
        "tool": finding.tool,
        "place": finding.place,
        "count": finding.count,
        "simplest": finding.generated.as_ref().filter(|one| one.minimal).map(|one| clip(&one.call.to_string(), CALL)),
        "wire": finding.wire.iter().map(|one| line(one, finding)).collect::<Vec<_>>(),
        "stderr": finding.stderr.iter().map(|line| printable(line)).collect::<Vec<_>>().join("\n"),
        "reproduce": finding.reproduce,
    })
}

#[cfg(test)]
mod tests {
    use super::html;
    use crate::testing::{record, several};

    #[test]
    fn the_page_holds_every_finding_and_nothing_from_elsewhere() {
        let page = html(&record());
        for part in
            ["does not conform", "tools.call.unknown-tool", "a result with isError true", "mcp-conform run --only"]
        {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("src=") && !page.contains("@import"), "nothing is fetched");
    }

    #[test]
    fn what_a_server_says_is_text() {
        let page = html(&record());
        assert!(page.contains("Unknown &lt;tool&gt;") && !page.contains("Unknown <tool>"));
    }

    #[test]
    fn revisions_stand_side_by_side() {
        let page = html(&several());
        assert_eq!(page.matches("<section class=\"run\"").count(), 2);
        assert!(page.contains("2025-06-18 (partial)") && page.contains("not supported: "));
    }

    #[test]
    fn what_a_baseline_accepts_is_marked_with_its_reason() {
        let page = html(&crate::testing::accepted());
        assert!(page.contains("has no new MUST violations (2 known, accepted in known.toml)"));
        assert!(page.contains("known: the SDK does it, typescript-sdk#1510"));
    }

    #[test]
    fn violations_stand_in_sections_by_whose_they_are() {
        let page = html(&verdict::record::Report::One(Box::new(crate::testing::with_origins())));
        for part in [
            "<p class=\"shares\">yours 1 (1 SHOULD); example-sdk 1.2.3: 1 cause (2 MUST), 1 piece of advice</p>",
            "<h2>Yours</h2>",
            "<h2>Not yours</h2>",
            "breaks this too.</p>",
            "<dd>upgrade to 1.3.0</dd>",
            "<input type=\"checkbox\" name=\"whose\" value=\"yours\" checked>",
            "data-whose=\"SDK\"",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("<h2>Yours or not</h2>") && !page.contains("<h2>Causes</h2>"));
        assert!(!html(&record()).contains("name=\"whose\""), "nothing is known of the SDK");
    }

    #[test]
    fn violations_that_are_all_accepted_can_be_shown_by_whose_they_are() {
        let mut record = crate::testing::with_origins();
        record.requirements.iter_mut().for_each(|entry| entry.known = Some("the SDK does it".to_owned()));
        let page = html(&verdict::record::Report::One(Box::new(record)));
        assert!(page.contains("data-whose=\"SDK\"") && page.contains("name=\"whose\" value=\"SDK\" checked"));
    }

    #[test]
    fn a_cause_stands_before_its_requirements_and_links_to_them() {
        let page = html(&verdict::record::Report::One(Box::new(crate::testing::with_causes())));
        for part in [
            "id=\"2025-11-25-cause-tool-error-0f0c6cdd\"",
            "<dt>mend</dt><dd>Answer with error -32602 where the tool is looked up.</dd>",
            "href=\"#2025-11-25-tools.call.unknown-tool\"",
            "href=\"#2025-11-25-cause-tool-error-0f0c6cdd\"",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!html(&record()).contains("<h2>Causes</h2>"), "nothing has one cause with something else");
    }

    #[test]
    fn what_hosts_do_not_take_has_a_table_and_its_sources() {
        let page = html(&verdict::record::Report::One(Box::new(crate::testing::with_hosts())));
        for part in [
            "What hosts do not take as it is (5; not part of the verdict)",
            "<th scope=\"col\" class=\"t\">host-a</th>",
            "<td>request</td>",
            "<span class=\"should\">request fails</span>, if the moon is full: A tool is such that &lt;few-users&gt;.",
            "<a href=\"https:&#x2f;&#x2f;example.com&#x2f;source\">",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!html(&record()).contains("What hosts do not take"));
    }
}
