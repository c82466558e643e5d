//! A trial: one server, and whether the verdicts on it are right.

use std::time::Duration;

use judge::{Broken, Criteria, causes, judge};
use reference::Fault;
use run::scenario::{Stage, scenarios};
use run::{Calls, Choice, Finished, Handles, Options, Protocol, States, Target, Trigger, Trouble, drive};
use serde_json::json;
use verdict::record::Entry;
use verdict::{Level, Revision, Status, Transport, Verdict};

use super::probes::ProbeLedger;
use crate::config::Config;
use crate::coverage;
use crate::reference_server::{HttpServer, stdio_target};

/// The requirement broken by calls that crash the server or never end.
const UNANSWERED: &str = "jsonrpc.response.every-request-answered";

/// Quirks of a server with authorization.
const AUTH_QUIRKS: [&str; 2] = ["own-keys", "open-discovery"];

/// The behavior of the reference server.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// It meets every requirement.
    Plain,
    /// It uses an allowance.
    Quirk(&'static str),
    /// It breaks one requirement.
    Fault(&'static Fault),
    /// It meets every requirement and has authorization of this kind; the flag states whether the tester has a token.
    Guarded(&'static str, bool),
    /// It meets every requirement and supports only these revisions.
    LimitedTo(&'static str),
}

/// A server in one revision over one transport.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) subject: Subject,
    pub(super) revision: Revision,
    pub(super) transport: Transport,
}

/// How much of a server is judged, and with which limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    /// The time limit of a request.
    pub(super) timeout: Duration,
    /// The seed of generated arguments.
    pub(super) seed: u64,
    /// A server with a fault is judged against every requirement, as users do it.
    pub(super) whole: bool,
}

/// A trial that was run.
#[derive(Clone, Debug)]
pub(super) struct Tested {
    pub(super) trial: Trial,
    pub(super) outcome: TrialOutcome,
    /// How long it took.
    pub(super) took: Duration,
}

/// The outcome of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TrialOutcome {
    /// The fault was found.
    Killed {
        /// Its requirement, and the musts and shoulds found broken in the same traffic, by what one mend would mend.
        causes: Vec<Vec<String>>,
    },
    /// The fault was not found.
    Survived {
        /// The verdict on the requirement instead.
        why: String,
    },
    /// Nothing was found, as expected.
    Quiet,
    /// Something was found on a server without a fault.
    Flagged {
        /// The requirements.
        ids: Vec<String>,
        /// The first finding of each: it may not happen again.
        seen: Vec<String>,
    },
    /// The run failed.
    Unjudged {
        /// The reason.
        why: String,
    },
    /// The user interrupted the run.
    Interrupted,
}

impl TrialOutcome {
    /// Returns whether mcp-conform is at fault.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Self::Survived { .. } | Self::Flagged { .. } | Self::Unjudged { .. })
    }
}

impl Subject {
    /// Returns the flags with which the reference server behaves like this.
    pub(super) fn flags(&self) -> Vec<String> {
        match self {
            Self::Plain => vec![],
            Self::Quirk(name) => vec!["--quirk".to_owned(), (*name).to_owned()],
            Self::Fault(fault) => vec!["--fault".to_owned(), fault.name()],
            Self::Guarded(auth, _) => vec!["--auth".to_owned(), (*auth).to_owned()],
            Self::LimitedTo(revisions) => vec!["--protocol".to_owned(), (*revisions).to_owned()],
        }
    }

    /// Returns whether the server has authorization.
    fn has_auth(&self) -> bool {
        match self {
            Self::Plain | Self::LimitedTo(_) => false,
            Self::Quirk(name) => AUTH_QUIRKS.contains(name),
            Self::Fault(fault) => fault.needs_auth(),
            Self::Guarded(..) => true,
        }
    }
}

impl Trial {
    /// Returns whether the server has authorization.
    fn has_auth(&self) -> bool {
        self.transport == Transport::Http && self.subject.has_auth()
    }

    /// Runs the trial.
    pub(super) fn run(&self, scope: Scope, probes: &ProbeLedger) -> TrialOutcome {
        let (protocol, Scope { timeout, seed, whole }) = (Protocol::One(self.revision), scope);
        // All its tools are harmless, but 2024-11-05 has no annotation for that.
        let cases = if whole { Options::default().cases } else { self.cases() };
        let own = Options { calls: Calls::All, cases_outside: None, ..Options::default() };
        let mut options = Options { protocol, timeout, start_timeout: timeout * 6, jobs: 2, seed, cases, ..own };
        // In 2026-07-28 a call over stdio must not change the list for its own connection only: there the change is undone at once.
        let alone = self.revision.is_stateless() && self.transport == Transport::Stdio;
        let call = if alone { "reference_flash_extra" } else { "reference_toggle_extra" };
        let trigger = |call: &str| Some(Trigger { call: call.into(), arguments: json!({}) });
        options.triggers.tools_list_changed = trigger(call);
        options.triggers.resource_updated = trigger("reference_bump_counter");
        if !alone {
            options.triggers.prompts_list_changed = trigger("reference_toggle_extra_prompt");
            options.triggers.resources_list_changed = trigger("reference_toggle_extra_resource");
        }
        self.configure(&mut options);
        if let Subject::Fault(fault) = self.subject
            && !whole
        {
            options.only = vec![fault.id.to_owned()];
        }
        match self.drive(&options) {
            Ok(finished) if finished.interrupted => TrialOutcome::Interrupted,
            Ok(finished) => self.outcome(&finished, probes),
            Err(Trouble::Interrupted) => TrialOutcome::Interrupted,
            Err(trouble) => TrialOutcome::Unjudged { why: trouble.to_string() },
        }
    }

    /// Returns the number of generated cases. They cost more than everything else: faults that show without them get none,
    /// quirks a few.
    fn cases(&self) -> u32 {
        let generated = scenarios().filter(|scenario| scenario.stage == Stage::Generated);
        let shown: Vec<&str> = generated.flat_map(|scenario| scenario.provokes.iter().copied()).collect();
        match self.subject {
            Subject::Fault(fault) if !shown.contains(&fault.id) && fault.id != UNANSWERED => 0,
            // A few calls are enough to repeat it.
            Subject::Fault(fault) if fault.id.starts_with("practice.") => 10,
            Subject::Fault(_) | Subject::Plain => Options::default().cases,
            Subject::Quirk(_) | Subject::Guarded(..) | Subject::LimitedTo(_) => 10,
        }
    }

    /// Sets the options that a user of the reference server would write into mcp-conform.toml.
    fn configure(&self, options: &mut Options) {
        let call = |call: &str, arguments: serde_json::Value| Trigger { call: call.into(), arguments };
        let plain = |name: &str| call(name, json!({}));
        let greet = json!({"type": "object", "additionalProperties": false, "required": [],
            "properties": {
            "name": {"type": "string", "maxLength": 40, "description": "Whom to greet, for example Ann."},
            "loud": {"type": "boolean", "description": "Whether in capital letters."}}});
        options.hints.schemas.insert("reference_greet_person".to_owned(), greet);
        // What its processes share is theirs alone then.
        options.scratch = matches!(self.subject, Subject::Quirk("alone"));
        // This tool waits until its own time limit.
        options.triggers.times_out = Some(plain("reference_fail_slowly"));
        // Other faults ignore the key.
        let key = "MCP_CONFORM_REFERENCE_KEY";
        options.hints.key_variable = Some(key.to_owned());
        options.env.push((key.to_owned(), "a-key-for-nothing".to_owned()));
        // With these faults the server waits for a second, otherwise too long for a test.
        let waits = |id: &str| id.starts_with("lifecycle.timeouts.") || id == "cancellation.sent.task-by-tasks-cancel";
        if matches!(self.subject, Subject::Fault(fault) if waits(fault.id)) {
            options.hints.server_waits = Some(Duration::from_secs(1));
        }
        if self.revision.is_handshake() {
            return;
        }
        options.triggers.slow_effect = Some(plain("reference_bump_slowly"));
        options.triggers.ends_subscriptions = Some(plain("reference_end_subscriptions"));
        options.triggers.effect_shown_by = Some(plain("reference_read_counter"));
        options.hints.handles = Some(Handles {
            create: plain("reference_open_basket"),
            using: call("reference_add_to_basket", json!({"item": "an apple"})),
            field: "basket_id".to_owned(),
            argument: "basket_id".to_owned(),
        });
        options.hints.states = States {
            once: Some(plain("reference_book_table")),
            expiring: Some(plain("reference_book_room")),
            lifetime: Some(Duration::from_secs(3)),
        };
    }

    fn drive(&self, options: &Options) -> Result<Finished, Trouble> {
        let flags = self.subject.flags();
        let usage = |failure: crate::failure::Failure| Trouble::Usage(failure.to_string());
        if self.transport == Transport::Stdio {
            return drive(&stdio_target(&flags).map_err(usage)?, options, &|_| {});
        }
        let server = HttpServer::start(self.transport, &flags, self.has_auth()).map_err(Trouble::Usage)?;
        let choice = if self.transport == Transport::Sse { Choice::Sse } else { Choice::Http };
        let mut options = options.clone();
        if let (Some(path), true) = (server.configuration(), !matches!(self.subject, Subject::Guarded(_, false))) {
            let config = Config::load(Some(&path)).map_err(usage)?;
            options.credentials = config.auth.credentials(false).map_err(usage)?;
        }
        drive(&Target::parse(Some(server.url()), &[])?.over(choice)?, &options, &|_| {})
    }

    fn outcome(&self, finished: &Finished, probes: &ProbeLedger) -> TrialOutcome {
        let Some((record, events)) = finished.records.first().zip(finished.transcripts.first()) else {
            return TrialOutcome::Unjudged { why: "the run left no record".to_owned() };
        };
        // The record of a fault covers only its requirement; the traffic shows others.
        let criteria = Criteria { revision: self.revision, transport: self.transport };
        let verdicts = judge(events, &criteria);
        let Subject::Fault(fault) = self.subject else {
            probes.note_plain(events, &criteria, &verdicts);
            let grave =
                record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level != Level::Advice);
            let seen = |entry: &Entry| {
                entry.findings.first().map(|finding| format!("{} ({})", finding.message, finding.actual))
            };
            let (mut ids, mut seen): (Vec<String>, Vec<String>) =
                grave.map(|entry| (entry.id.clone(), seen(entry).unwrap_or_default())).unzip();
            if record.falls.is_some_and(|falls| falls.unrepeated > 0) {
                ids.push("unstable".to_owned());
                seen.push("the server is said to have fallen".to_owned());
            }
            return if ids.is_empty() { TrialOutcome::Quiet } else { TrialOutcome::Flagged { ids, seen } };
        };
        let entry = record.requirements.iter().find(|entry| entry.id == fault.id);
        match entry.map(|entry| (entry.status, entry.reason.as_deref())) {
            Some((Status::Fail, _)) => {
                probes.note_fault(events, &criteria, fault.id, &verdicts);
                let counts = |verdict: &&Verdict| verdict.level != Level::Advice || verdict.id == fault.id;
                let broken: Vec<Broken<'_>> = verdicts
                    .iter()
                    .filter(|verdict| verdict.status == Status::Fail && counts(verdict))
                    .map(|verdict| Broken { id: verdict.id, level: verdict.level, findings: &verdict.findings })
                    .collect();
                TrialOutcome::Killed { causes: causes(&broken).into_iter().map(|cause| cause.requirements).collect() }
            }
            Some(_) if coverage::rule_for(fault.id).is_none() => {
                TrialOutcome::Survived { why: "no rule judges it".to_owned() }
            }
            Some((status, reason)) => {
                let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
                TrialOutcome::Survived { why: format!("{}{reason}", status.as_str().replace('_', " ")) }
            }
            None => TrialOutcome::Survived { why: "the requirement is not in the record".to_owned() },
        }
    }

    /// What runs, in which revision and over which transport.
    pub(super) fn name(&self) -> String {
        let what = match self.subject {
            Subject::Plain => "the plain server".to_owned(),
            Subject::Quirk(name) => format!("quirk {name}"),
            Subject::Fault(fault) => format!("fault {}", fault.name()),
            Subject::LimitedTo(revisions) => format!("the plain server with only {revisions}"),
            Subject::Guarded(auth, true) => format!("the server with authorization ({auth})"),
            Subject::Guarded(auth, false) => format!("the server with authorization ({auth}), without a token"),
        };
        format!("{what} ({} over {})", self.revision, self.transport)
    }

    /// Returns the command that repeats the trial.
    pub(super) fn command(&self) -> String {
        let flags = self.subject.flags().join(" ");
        let only =
            if let Subject::Fault(fault) = self.subject { format!("--only {} ", fault.id) } else { String::new() };
        let has_auth = self.has_auth();
        let tokens = if has_auth { "--tokens tokens " } else { "" };
        let known = has_auth && !matches!(self.subject, Subject::Guarded(_, false));
        let config = if known { "--config tokens/mcp-conform.toml " } else { "" };
        let run = format!("mcp-conform run --protocol {} {config}{only}", self.revision);
        let command = if self.transport == Transport::Stdio {
            format!("{run}-- mcp-conform serve {flags}")
        } else {
            let (transport, path) = (self.transport, if self.transport == Transport::Sse { "sse" } else { "mcp" });
            let serve = format!("mcp-conform serve --transport {transport} --port 8080 {tokens}{flags}");
            format!("{serve} & {run}--transport {transport} http://127.0.0.1:8080/{path}")
        };
        command.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
