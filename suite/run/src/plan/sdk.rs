//! Finds out what the server is built with, beside the run: its processes are looked at once they have answered.

use std::thread::{JoinHandle, spawn};

use detect::{Found, Package, Process};
use verdict::record::{Named, Sdk};

use super::Plan;
use crate::{Session, Target};

/// What is being found out, or was.
#[derive(Debug)]
pub(super) enum Search {
    Going(JoinHandle<Option<Found>>),
    Over(Option<Sdk>),
}

impl Plan<'_> {
    /// Begins to look, once in a run.
    pub(super) fn look_for_sdk(&self, main: &Session) {
        let mut state = self.state.borrow_mut();
        if state.sdk.is_some() || self.options.embedded {
            return;
        }
        let (ids, target, folder) = (main.process_ids(), self.target(), self.options.folder.clone());
        state.sdk = Some(Search::Going(spawn(move || {
            let started = || vec![to_be_started(&target, folder)];
            let own: Vec<Process> = ids.into_iter().filter_map(Process::of).collect();
            let processes = match &target {
                Target::Program { .. } if own.is_empty() => started(),
                Target::Program { .. } => own,
                Target::Url(url) | Target::Stream(url) if target.is_own() => {
                    url.port_or_known_default().map(Process::listening).unwrap_or_default()
                }
                Target::Url(_) | Target::Stream(_) => Vec::new(),
            };
            detect::by_files(&processes)
        })));
    }

    /// What was found; it is waited for.
    pub(super) fn sdk(&self) -> Option<Sdk> {
        let search = self.state.borrow_mut().sdk.take()?;
        let found = match search {
            Search::Going(thread) => thread.join().ok().flatten().map(in_words),
            Search::Over(found) => found,
        };
        self.state.borrow_mut().sdk = Some(Search::Over(found.clone()));
        found
    }
}

fn to_be_started(target: &Target, folder: Option<std::path::PathBuf>) -> Process {
    let Target::Program { program, args } = target else { return Process::default() };
    let words = std::iter::once(program).chain(args).cloned().collect();
    Process::to_be_started(words, folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default())
}

fn in_words(Found { package, on, style }: Found) -> Sdk {
    let Package { registry, name, version } = package;
    let on = on.map(|on| Named { name: on.name, version: on.version });
    Sdk {
        registry: registry.to_string(),
        name,
        version,
        profile: None,
        how: "files".to_owned(),
        on,
        style: style.map(str::to_owned),
    }
}
