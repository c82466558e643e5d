//! One server, tested: what was expected of the tester and what it found.

use std::time::Duration;

use judge::{Bar, judge};
use reference::Fault;
use run::{Calls, Finished, Options, Protocol, Target, Trigger, Trouble, drive};
use serde_json::json;
use verdict::{Level, Revision, Status, Transport};

use super::host::Host;
use crate::command::run::embedded;
use crate::known;

/// Requirements without which no session can be opened.
const UNOPENED: [&str; 2] = ["lifecycle.initialize.answered", "discover.implemented"];

/// What the reference server is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// It keeps everything.
    Plain,
    /// It makes use of an allowance.
    Quirk(&'static str),
    /// It breaks one requirement.
    Fault(&'static Fault),
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
        }
    }
}

impl Trial {
    /// Tests the server.
    pub(super) fn run(&self, timeout: Duration) -> Outcome {
        let protocol = Protocol::One(self.revision);
        // Its tools are all harmless, and in 2024-11-05 nothing says so.
        let mut options = Options { protocol, timeout, jobs: 2, calls: Calls::All, ..Options::default() };
        // On stdio a call of 2026-07-28 must not change the list for its connection alone: there the change is over at once.
        let alone = self.revision >= Revision::V2026_07_28 && self.transport == Transport::Stdio;
        let call = if alone { "flash_extra" } else { "toggle_extra" };
        options.triggers.tools_list_changed = Some(Trigger { call: call.into(), arguments: json!({}) });
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

    /// Whether the run ended as it should with a server that cannot be opened: there is no record then, but a message and
    /// an exit code of its own say it.
    fn is_unopened(&self, trouble: &Trouble) -> bool {
        let said = matches!(trouble, Trouble::Refused { .. } | Trouble::Silent { .. } | Trouble::Ended { .. });
        said && matches!(self.subject, Subject::Fault(fault) if UNOPENED.contains(&fault.id))
    }

    fn drive(&self, options: &Options) -> Result<Finished, Trouble> {
        let flags = self.subject.flags();
        let own = |failure: crate::failure::Failure| Trouble::Usage(failure.to_string());
        if self.transport == Transport::Stdio {
            return drive(&embedded(&flags).map_err(own)?, options, &|_| {});
        }
        let host = Host::start(&flags).map_err(Trouble::Usage)?;
        drive(&Target::parse(Some(host.url()), &[])?, options, &|_| {})
    }

    fn outcome(&self, finished: &Finished) -> Outcome {
        let Some((record, events)) = finished.records.first().zip(finished.transcripts.first()) else {
            return Outcome::Unjudged { why: "the run left no record".to_owned() };
        };
        let Subject::Fault(fault) = self.subject else {
            let grave =
                record.requirements.iter().filter(|entry| entry.status == Status::Fail && entry.level != Level::Advice);
            let ids: Vec<String> = grave.map(|entry| entry.id.clone()).collect();
            return if ids.is_empty() { Outcome::Quiet } else { Outcome::Flagged { ids } };
        };
        let entry = record.requirements.iter().find(|entry| entry.id == fault.id);
        match entry.map(|entry| (entry.status, entry.reason.as_deref())) {
            Some((Status::Fail, _)) => {
                // The record holds nothing beside what was asked for; the traffic does.
                let bar = Bar { revision: self.revision, transport: self.transport };
                let others = judge(events, &bar).into_iter();
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
        let run = format!("mcp-conform run --protocol {} {only}", self.revision);
        let command = if self.transport == Transport::Stdio {
            format!("{run}-- mcp-conform serve {flags}")
        } else {
            format!("mcp-conform serve --transport http --port 8080 {flags} & {run}http://127.0.0.1:8080/mcp")
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
        let refused = Trouble::Refused { waiting: "initialize".to_owned(), answer: "error -32603".to_owned() };
        let trial = |subject| Trial { subject, revision: Revision::V2025_11_25, transport: Transport::Stdio };
        let fault = |id| reference::faults().find(|fault| fault.id == id).expect("there is one");
        assert!(trial(Subject::Fault(fault("lifecycle.initialize.answered"))).is_unopened(&refused));
        assert!(!trial(Subject::Fault(fault("tools.call.unknown-tool"))).is_unopened(&refused));
        assert!(!trial(Subject::Plain).is_unopened(&refused));
        let usage = Trouble::Usage("no".to_owned());
        assert!(!trial(Subject::Fault(fault("lifecycle.initialize.answered"))).is_unopened(&usage));
    }
}
