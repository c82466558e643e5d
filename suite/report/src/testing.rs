//! A fixed record, of which every format has a snapshot.

use verdict::record::{
    Cause, Entry, FORMAT, HostFact, HostPlace, Named, Origin, Record, Report, Runs, Sdk, Summary, Target, Timing,
    Unspoken, Withheld,
};
use verdict::{Finding, Level, Revision, Status, Transport};

use crate::formats::Setting;
use crate::style::Style;

fn entry(id: &str, level: Level, status: Status) -> Entry {
    let reason = (!matches!(status, Status::Pass | Status::Fail)).then(|| format!("why it is {}", status.as_str()));
    let scenario = (status == Status::Pass).then(|| "tools/unknown-tool".to_owned());
    Entry {
        id: id.to_owned(),
        level,
        status,
        reason,
        scenario,
        findings: vec![],
        notes: vec![],
        unlocked_by: None,
        subjects: 1,
        known: None,
        origin: None,
    }
}

fn broken(id: &str, level: Level, findings: Vec<Finding>) -> Entry {
    let reproduce = format!("mcp-conform run --only {id} -- node server.js");
    let findings = findings.into_iter().map(|finding| Finding { reproduce: reproduce.clone(), ..finding }).collect();
    Entry { findings, ..entry(id, level, Status::Fail) }
}

fn finding(tool: Option<&str>) -> Finding {
    Finding {
        message: "A call of a tool that does not exist is answered with a tool result that has isError, so clients take it for a tool that failed.".to_owned(),
        expected: "a JSON-RPC error with code -32602 and no result".to_owned(),
        actual: "a result with isError true".to_owned(),
        tool: tool.map(str::to_owned),
        place: tool.is_none().then(|| "tools/call".to_owned()),
        level: None,
        wire: vec![
            r#"> {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"no-such-tool","arguments":{}}}"#.to_owned(),
            format!(r#"< {{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":"{}"}}],"isError":true}}}}"#, "Unknown <tool> ".repeat(20)),
        ],
        reproduce: String::new(),
        stderr: vec![],
        count: 1,
        generated: None,
        known: None,
        fell: false,
        under_way: 0,
        shown_by: Vec::new(),
    }
}

fn requirements() -> Vec<Entry> {
    let silent = Finding {
        message: "The server ended while it was asked.".to_owned(),
        expected: "an answer".to_owned(),
        actual: "exited with status 1".to_owned(),
        stderr: vec!["Error: \u{1b}[31mboom\u{1b}[0m".to_owned()],
        count: 3,
        generated: None,
        known: None,
        fell: false,
        under_way: 0,
        ..finding(None)
    };
    let schema = |tool: &str| Finding {
        message: "A tool accepts arguments that break its inputSchema.".to_owned(),
        expected: "a refusal".to_owned(),
        actual: "success".to_owned(),
        ..finding(Some(tool))
    };
    let tools = ["a", "b", "c", "d", "e", "f", "g", "h"];
    vec![
        entry("lifecycle.initialize.answered", Level::Must, Status::Pass),
        broken("lifecycle.server.stays-up", Level::Must, vec![silent]),
        entry("resources.read.unknown", Level::Should, Status::NotApplicable),
        broken("tools.call.unknown-tool", Level::Must, vec![finding(None)]),
        entry("tools.call.unknown-tool-code", Level::Should, Status::Pass),
        broken("tools.input-schema.enforced", Level::Should, tools.iter().map(|tool| schema(tool)).collect()),
        entry("tools.list.changed", Level::Should, Status::NotObserved),
        entry("tools.list.stable", Level::Should, Status::Inconclusive),
        entry("tools.result.skipped", Level::Should, Status::Skipped),
        broken(
            "practice.tools.described",
            Level::Advice,
            vec![Finding { message: "A tool has no description.".to_owned(), ..finding(Some("echo")) }],
        ),
    ]
}

/// Returns the record of one run.
pub(crate) fn single() -> Record {
    let requirements = requirements();
    Record {
        format: FORMAT,
        tool: Named { name: "mcp-conform".to_owned(), version: "0.0.0".to_owned() },
        target: Target {
            transport: Transport::Stdio,
            command: Some(vec!["node".to_owned(), "server.js".to_owned()]),
            url: None,
            embedded: false,
        },
        server: Named { name: "example".to_owned(), version: "1.2.3".to_owned() },
        protocol: Revision::V2025_11_25,
        seed: 1,
        trouble: None,
        partial: false,
        incomplete: None,
        sdk: None,
        baseline: None,
        assumed: Vec::new(),
        recorded: false,
        summary: Summary::of(&requirements),
        requirements,
        causes: Vec::new(),
        hosts: Vec::new(),
        hosts_unseen: Vec::new(),
        noticed: Vec::new(),
        not_called: vec!["delete".to_owned(), "write".to_owned()],
        withheld: vec![Withheld {
            why: "not marked as read-only".to_owned(),
            flag: Some("--calls all".to_owned()),
            tools: vec!["delete".to_owned(), "write".to_owned()],
        }],
        notes: vec!["the server also speaks 2025-06-18".to_owned()],
        tools: vec![],
        timeline: vec![],
        properties: Vec::new(),
        calls: None,
        falls: None,
        timing: Timing { wall_ms: 1234, requests: 345, spawns: 2, ..Timing::default() },
    }
}

/// Returns the setting of the formats that are no text for people.
pub(crate) fn at() -> Setting<'static> {
    const STYLE: Style = Style { width: 100, advice: false, sdk: false, colour: false };
    Setting { style: &STYLE, anchor: "server.js", sdk_at: None, fail_on: Some(Level::Must) }
}

/// Returns the record of one run of a server on a known SDK, which is to blame for two of its musts; one should is the author's.
pub(crate) fn with_origins() -> Record {
    let mut record = with_causes();
    record.sdk = Some(Sdk {
        registry: "npm".to_owned(),
        name: "example-sdk".to_owned(),
        version: "1.2.3".to_owned(),
        profile: Some("1.2.0".to_owned()),
        how: "files".to_owned(),
        style: None,
        on: None,
        accepted: false,
    });
    (record.causes[0].origin, record.causes[0].mended_in) = (Origin::Sdk, Some("1.3.0".to_owned()));
    record.causes[0].upstream = Some("https://github.com/example/sdk/issues/1".to_owned());
    let theirs = record.causes[0].requirements.clone();
    let violations = |entry: &&mut Entry| entry.status == Status::Fail && entry.level != Level::Advice;
    for entry in record.requirements.iter_mut().filter(violations) {
        let origin = if theirs.contains(&entry.id) { Origin::Sdk } else { Origin::Own };
        entry.origin = Some(origin);
        if origin == Origin::Own {
            let (id, first) = (entry.id.clone(), &entry.findings[0]);
            record.causes.push(Cause {
                id: id.clone(),
                title: first.message.clone(),
                level: entry.level,
                origin,
                requirements: vec![id],
                upstream: None,
                mended_in: None,
                ..record.causes[0].clone()
            });
        }
    }
    record
}

/// Returns the record of one run of a server of which hosts do not take something.
pub(crate) fn with_hosts() -> Record {
    let fact = |id: &str, effect: &str, places: &[(&str, &str)]| HostFact {
        id: id.to_owned(),
        hosts: vec!["host-a".to_owned(), "host-b".to_owned()],
        effect: effect.to_owned(),
        effects: [("host-b".to_owned(), "changed".to_owned())].into_iter().filter(|_| effect == "truncated").collect(),
        legal: true,
        requirement: Vec::new(),
        places: places
            .iter()
            .map(|(tool, at)| HostPlace { tool: (!tool.is_empty()).then(|| (*tool).to_owned()), at: (*at).to_owned() })
            .collect(),
        more: 0,
        what: format!("A tool is such that <{id}>."),
        only_if: None,
        mend: Some("Another tool.".to_owned()),
        both: None,
        status: "documented".to_owned(),
        seen_in: "1.0 and later".to_owned(),
        confirmed: "2026-09".to_owned(),
        old: false,
        source: vec!["https://example.com/source".to_owned()],
    };
    let many: Vec<(&str, &str)> = ["a", "b", "c", "d", "e"].iter().map(|tool| (*tool, "/inputSchema")).collect();
    let some = HostFact {
        only_if: Some("the moon is full".to_owned()),
        hosts: vec!["host-b".to_owned()],
        ..fact("few-users", "request fails", &[("", "")])
    };
    let mended = HostFact { status: "mended in 2.0".to_owned(), ..fact("not-any-more", "request fails", &[("b", "")]) };
    let old =
        HostFact { old: true, confirmed: "2025-02".to_owned(), ..fact("long-ago", "request fails", &[("a", "")]) };
    let hosts =
        vec![fact("every-request", "request fails", &many), fact("cut", "truncated", &[("a", "")]), old, mended, some];
    Record { hosts, ..single() }
}

/// Returns the record of one run in which two musts and an advice have one cause.
pub(crate) fn with_causes() -> Record {
    let mut record = single();
    let breaks = ["lifecycle.server.stays-up", "tools.call.unknown-tool", "practice.tools.described"];
    let all = record.requirements.iter().find(|entry| entry.id == breaks[1]);
    let finding = all.and_then(|entry| entry.findings.first()).cloned();
    record.causes = vec![Cause {
        id: "tool-error-0f0c6cdd".to_owned(),
        title: "What does not exist is a tool that failed.".to_owned(),
        level: Level::Must,
        origin: Origin::Unknown,
        requirements: breaks.map(str::to_owned).to_vec(),
        mend: "Answer with error -32602 where the tool is looked up.".to_owned(),
        upstream: None,
        workaround: None,
        mended_in: None,
        wire: finding.map(|finding| finding.wire).unwrap_or_default(),
        reproduce: "mcp-conform run --only tools.call.unknown-tool -- node server.js".to_owned(),
    }];
    record
}

/// Returns the record of a run in which nothing was judged, for several reasons.
pub(crate) fn unobserved() -> Record {
    let unseen = |id: &str, reason: &str, flag: Option<&str>| Entry {
        reason: Some(reason.to_owned()),
        unlocked_by: flag.map(str::to_owned),
        ..entry(id, Level::Must, Status::NotObserved)
    };
    let default = |id: &str| verdict::requirement(id).map(verdict::Requirement::unobserved).unwrap_or_default();
    let slow = |id: &str| unseen(id, &default(id), None);
    let withheld = "needs such a tool; 3 tools not called (not marked as read-only): --calls all";
    let requirements = vec![
        unseen("pagination.issued-cursor-accepted", "no list of this server has a second page", None),
        unseen("ping.server-rate", "the server sent no `ping`", None),
        unseen("jsonrpc.schema.dialects-documented", "cannot be observed from outside: it is not on the wire", None),
        slow("cancellation.no-response-after"),
        slow("cancellation.only-the-named-request"),
        unseen("elicitation.request.form-params", withheld, Some("--calls all")),
        unseen("tasks.create.result", withheld, Some("--calls all")),
    ];
    Record { summary: Summary::of(&requirements), requirements, ..single() }
}

/// Returns the report of a run of which a baseline accepts every broken must.
pub(crate) fn accepted() -> Report {
    let mut record = single();
    record.baseline = Some("known.toml".to_owned());
    let reason = "the SDK does it, typescript-sdk#1510".to_owned();
    for entry in &mut record.requirements {
        if entry.status == Status::Fail && entry.level == Level::Must {
            entry.findings.iter_mut().for_each(|finding| finding.known = Some(reason.clone()));
            entry.known = Some(reason.clone());
        }
    }
    Report::One(Box::new(record))
}

/// Returns the report of one run.
pub(crate) fn record() -> Report {
    Report::One(Box::new(single()))
}

/// Returns the report of two revisions.
pub(crate) fn several() -> Report {
    let newer = single();
    let mut older = Record { protocol: Revision::V2025_06_18, partial: true, ..single() };
    older.requirements.truncate(4);
    older.summary = Summary::of(&older.requirements);
    let unspoken = vec![Unspoken {
        protocol: Revision::V2024_11_05,
        reason: "the server does not speak 2024-11-05: it answered 2025-11-25\n  try --protocol latest".to_owned(),
    }];
    let (tool, target) = (newer.tool.clone(), newer.target.clone());
    Report::All(Runs { format: FORMAT, tool, target, runs: vec![older, newer], unspoken })
}
