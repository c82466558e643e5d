//! One server, tested: what was expected of the tester and what it found.

use std::time::Duration;

use judge::{Criteria, judge};
use reference::Fault;
use run::scenario::{Stage, scenarios};
use run::{Calls, Choice, Finished, Handles, Options, Protocol, States, Target, Trigger, Trouble, drive};
use serde_json::json;
use verdict::record::Entry;
use verdict::{Level, Revision, Status, Transport};

use super::host::Host;
use crate::command::run::{configured, embedded};
use crate::config::Config;
use crate::known;

/// Requirements without which no session can be opened.
const UNOPENED: [&str; 2] = ["lifecycle.initialize.answered", "discover.implemented"];

/// What is said of calls that fell the server or keep it busy for ever.
const UNANSWERED: &str = "jsonrpc.response.every-request-answered";

/// Quirks of a server that asks for authorization.
const GUARDED: [&str; 2] = ["own-keys", "open-discovery"];

/// What the reference server is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// It keeps everything.
    Plain,
    /// It makes use of an allowance.
    Quirk(&'static str),
    /// It breaks one requirement.
    Fault(&'static Fault),
    /// It keeps everything and asks for authorization of this kind; the tester has a token or not.
    Guarded(&'static str, bool),
    /// It keeps everything and speaks these revisions alone.
    Speaking(&'static str),
}

/// A server in one revision over one transport.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub(super) subject: Subject,
    pub(super) revision: Revision,
    pub(super) transport: Transport,
}

/// What the tester found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The fault, and these requirements beside it.
    Killed {
        /// Further must and should requirements found broken in the same traffic.
        also: Vec<&'static str>,
    },
    /// Not the fault.
    Survived {
        /// What was said of the requirement instead.
        why: String,
    },
    /// Nothing, as it should be.
    Quiet,
    /// Something where there is nothing.
    Flagged {
        /// The requirements.
        ids: Vec<String>,
        /// What was said of each: it may never be seen again.
        seen: Vec<String>,
    },
    /// The run did not come about.
    Unjudged {
        /// Why.
        why: String,
    },
    /// The user has had enough.
    Interrupted,
}

impl Outcome {
    /// Whether the tester is at fault.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Self::Survived { .. } | Self::Flagged { .. } | Self::Unjudged { .. })
    }
}

impl Subject {
    /// The flags that make the reference server so.
    pub(super) fn flags(&self) -> Vec<String> {
        match self {
            Self::Plain => vec![],
            Self::Quirk(name) => vec!["--quirk".to_owned(), (*name).to_owned()],
            Self::Fault(fault) => vec!["--fault".to_owned(), fault.name()],
            Self::Guarded(auth, _) => vec!["--auth".to_owned(), (*auth).to_owned()],
            Self::Speaking(revisions) => vec!["--protocol".to_owned(), (*revisions).to_owned()],
        }
    }

    /// Whether it asks for authorization.
    fn is_guarded(&self) -> bool {
        match self {
            Self::Plain | Self::Speaking(_) => false,
            Self::Quirk(name) => GUARDED.contains(name),
            Self::Fault(fault) => fault.needs_auth(),
            Self::Guarded(..) => true,
        }
    }
}

impl Trial {
    /// Whether the server asks for authorization.
    fn is_guarded(&self) -> bool {
        self.transport == Transport::Http && self.subject.is_guarded()
    }

    /// Tests the server.
    pub(super) fn run(&self, timeout: Duration, seed: u64) -> Outcome {
        let protocol = Protocol::One(self.revision);
        // Its tools are all harmless, and in 2024-11-05 nothing says so.
        let cases = self.cases();
        let mut options = Options { protocol, timeout, jobs: 2, calls: Calls::All, seed, cases, ..Options::default() };
        // On stdio a call of 2026-07-28 must not change the list for its connection alone: there the change is over at once.
        let alone = self.revision >= Revision::V2026_07_28 && self.transport == Transport::Stdio;
        let call = if alone { "reference_flash_extra" } else { "reference_toggle_extra" };
        let trigger = |call: &str| Some(Trigger { call: call.into(), arguments: json!({}) });
        options.triggers.tools_list_changed = trigger(call);
        options.triggers.resource_updated = trigger("reference_bump_counter");
        if !alone {
            options.triggers.prompts_list_changed = trigger("reference_toggle_extra_prompt");
            options.triggers.resources_list_changed = trigger("reference_toggle_extra_resource");
        }
        self.tell(&mut options);
        if let Subject::Fault(fault) = self.subject {
            options.only = vec![fault.id.to_owned()];
        }
        match self.drive(&options) {
            Ok(finished) if finished.interrupted => Outcome::Interrupted,
            Ok(finished) => self.outcome(&finished),
            Err(Trouble::Interrupted) => Outcome::Interrupted,
            Err(trouble) if self.is_unopened(&trouble) => Outcome::Killed { also: vec![] },
            Err(trouble) => Outcome::Unjudged { why: trouble.to_string() },
        }
    }

    /// Generated calls cost more than all the rest: faults that something else shows do without, quirks with a few.
    fn cases(&self) -> u32 {
        let generated = scenarios().filter(|scenario| scenario.stage == Stage::Generated);
        let shown: Vec<&str> = generated.flat_map(|scenario| scenario.provokes.iter().copied()).collect();
        match self.subject {
            Subject::Fault(fault) if !shown.contains(&fault.id) && fault.id != UNANSWERED => 0,
            // To be repeated, a few calls are enough.
            Subject::Fault(fault) if fault.id.starts_with("practice.") => 10,
            Subject::Fault(_) | Subject::Plain => Options::default().cases,
            Subject::Quirk(_) | Subject::Guarded(..) | Subject::Speaking(_) => 10,
        }
    }

    /// What a user of the reference server would write into mcp-conform.toml.
    fn tell(&self, options: &mut Options) {
        let call = |call: &str, arguments: serde_json::Value| Trigger { call: call.into(), arguments };
        let plain = |name: &str| call(name, json!({}));
        let greet = json!({"type": "object", "additionalProperties": false, "required": [],
            "properties": {
            "name": {"type": "string", "maxLength": 40, "description": "Whom to greet, for example Ann."},
            "loud": {"type": "boolean", "description": "Whether in capital letters."}}});
        options.hints.schemas.insert("reference_greet_person".to_owned(), greet);
        // What it waits for in vain is its own patience.
        options.triggers.times_out = Some(plain("reference_fail_slowly"));
        // No other fault makes anything of it.
        let key = "MCP_CONFORM_REFERENCE_KEY";
        options.hints.key_variable = Some(key.to_owned());
        options.env.push((key.to_owned(), "a-key-for-nothing".to_owned()));
        // With faults of these it waits for a second, else for too long to wait for.
        let waits = |id: &str| id.starts_with("lifecycle.timeouts.") || id == "cancellation.sent.task-by-tasks-cancel";
        if matches!(self.subject, Subject::Fault(fault) if waits(fault.id)) {
            options.hints.server_waits = Some(Duration::from_secs(1));
        }
        if self.revision < Revision::V2026_07_28 {
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

    /// Whether the run ended as it should with a server that cannot be opened: there is no record then, but a message and
    /// an exit code of its own say it.
    fn is_unopened(&self, trouble: &Trouble) -> bool {
        let refused = matches!(trouble, Trouble::Refused { .. } | Trouble::Revision { .. });
        let said = refused || matches!(trouble, Trouble::Silent { .. } | Trouble::Ended { .. });
        said && matches!(self.subject, Subject::Fault(fault) if UNOPENED.contains(&fault.id))
    }

    fn drive(&self, options: &Options) -> Result<Finished, Trouble> {
        let flags = self.subject.flags();
        let own = |failure: crate::failure::Failure| Trouble::Usage(failure.to_string());
        if self.transport == Transport::Stdio {
            return drive(&embedded(&flags).map_err(own)?, options, &|_| {});
        }
        let host = Host::start(self.transport, &flags, self.is_guarded()).map_err(Trouble::Usage)?;
        let choice = if self.transport == Transport::Sse { Choice::Sse } else { Choice::Http };
        let mut options = options.clone();
        if let (Some(path), true) = (host.configuration(), !matches!(self.subject, Subject::Guarded(_, false))) {
            let config = Config::load(Some(&path)).map_err(own)?;
            options.credentials = configured(&config.auth, false).map_err(own)?;
        }
        drive(&Target::parse(Some(host.url()), &[])?.over(choice)?, &options, &|_| {})
    }

    fn outcome(&self, finished: &Finished) -> Outcome {
        let Some((record, events)) = finished.records.first().zip(finished.transcripts.first()) else {
            return Outcome::Unjudged { why: "the run left no record".to_owned() };
        };
        let Subject::Fault(fault) = self.subject else {
            let grave =
                record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level != Level::Advice);
            let seen = |entry: &Entry| {
                entry.findings.first().map(|finding| format!("{} ({})", finding.message, finding.actual))
            };
            let (ids, seen): (Vec<String>, Vec<String>) =
                grave.map(|entry| (entry.id.clone(), seen(entry).unwrap_or_default())).unzip();
            return if ids.is_empty() { Outcome::Quiet } else { Outcome::Flagged { ids, seen } };
        };
        let entry = record.requirements.iter().find(|entry| entry.id == fault.id);
        match entry.map(|entry| (entry.status, entry.reason.as_deref())) {
            Some((Status::Fail, _)) => {
                // The record holds nothing beside what was asked for; the traffic does.
                let criteria = Criteria { revision: self.revision, transport: self.transport };
                let others = judge(events, &criteria).into_iter();
                let others = others.filter(|verdict| verdict.status == Status::Fail && verdict.level != Level::Advice);
                Outcome::Killed { also: others.map(|verdict| verdict.id).filter(|id| *id != fault.id).collect() }
            }
            Some(_) if known::rule(fault.id).is_none() => Outcome::Survived { why: "no rule judges it".to_owned() },
            Some((status, reason)) => {
                let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
                Outcome::Survived { why: format!("{}{reason}", status.as_str().replace('_', " ")) }
            }
            None => Outcome::Survived { why: "the record does not name it".to_owned() },
        }
    }

    /// The command that shows it again.
    pub(super) fn command(&self) -> String {
        let flags = self.subject.flags().join(" ");
        let only =
            if let Subject::Fault(fault) = self.subject { format!("--only {} ", fault.id) } else { String::new() };
        let guarded = self.is_guarded();
        let tokens = if guarded { "--tokens tokens " } else { "" };
        let known = guarded && !matches!(self.subject, Subject::Guarded(_, false));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_without_which_nothing_opens_are_in_the_catalogue() {
        assert!(UNOPENED.iter().all(|id| verdict::requirement(id).is_some()));
    }

    #[test]
    fn a_refused_handshake_is_what_a_fault_of_the_handshake_shows_and_no_other() {
        let refused =
            Trouble::Refused { waiting: "initialize".to_owned(), answer: "error -32603".to_owned(), status: None };
        let trial = |subject| Trial { subject, revision: Revision::V2025_11_25, transport: Transport::Stdio };
        let fault = |id| reference::faults().find(|fault| fault.id == id).expect("there is one");
        assert!(trial(Subject::Fault(fault("lifecycle.initialize.answered"))).is_unopened(&refused));
        assert!(!trial(Subject::Fault(fault("tools.call.unknown-tool"))).is_unopened(&refused));
        assert!(!trial(Subject::Plain).is_unopened(&refused));
        let usage = Trouble::Usage("no".to_owned());
        assert!(!trial(Subject::Fault(fault("lifecycle.initialize.answered"))).is_unopened(&usage));
    }
}
