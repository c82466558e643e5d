//! Finds out what the server is built with, beside the run: its processes are looked at once they have answered.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread::spawn;
use std::time::Duration;

use detect::{Found, Package, Process};
use verdict::record::{Named, Sdk};

use super::Plan;
use crate::{Session, Target};

/// How long is waited for what the files tell, once the run is over: they may lie on a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is being found out, or was.
#[derive(Debug)]
pub(super) enum Search {
    Going(Receiver<Option<Found>>),
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
        let (tell, found) = channel();
        spawn(move || {
            // If nobody waits any more, nobody is told.
            let _ = tell.send(detect::by_files(&processes(ids, &target, folder)));
        });
        state.sdk = Some(Search::Going(found));
    }

    /// What was found; it is waited for.
    pub(super) fn sdk(&self) -> Option<Sdk> {
        let search = self.state.borrow_mut().sdk.take()?;
        let found = match search {
            Search::Going(found) => found.recv_timeout(PATIENCE).ok().flatten().map(in_words),
            Search::Over(found) => found,
        };
        self.state.borrow_mut().sdk = Some(Search::Over(found.clone()));
        found
    }
}

/// The processes of the server; where the system tells nothing of them, what is known from how it is started.
fn processes(ids: Vec<u32>, target: &Target, folder: Option<PathBuf>) -> Vec<Process> {
    match target {
        Target::Program { program, args } if ids.is_empty() => {
            let words = std::iter::once(program).chain(args).cloned().collect();
            let folder = folder.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
            vec![Process::to_be_started(words, folder)]
        }
        Target::Program { .. } => ids.into_iter().filter_map(Process::of).collect(),
        Target::Url(url) | Target::Stream(url) if target.is_own() => {
            url.port_or_known_default().map(Process::listening).unwrap_or_default()
        }
        Target::Url(_) | Target::Stream(_) => Vec::new(),
    }
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
        accepted: false,
        style: style.map(str::to_owned),
    }
}
