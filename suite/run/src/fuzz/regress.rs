//! Regressions: earlier findings of fuzzing, tried again.

use std::time::{Duration, Instant};

use judge::Criteria;
use tokio::task::LocalSet;
use verdict::Revision;

use super::Lab;
use super::converse::{ConversationEnd, Pacing, converse, wait};
use super::found::{Sighting, Sort};
use super::leak;
use super::pilot;
use super::pool::Lines;
use super::trace::{split_conversation, wrong};
use crate::plan::unless_interrupted;
use crate::{Options, RunGuard, Target, Trouble};

/// How long all of them may take together.
const LONGEST: Duration = Duration::from_secs(60);

/// Something that went wrong once.
#[derive(Clone, Debug)]
pub struct Regression {
    /// The revision spoken.
    pub revision: Revision,
    /// What kind of problem it was.
    pub sort: Sort,
    /// The requirement that was broken, if one was.
    pub requirement: Option<String>,
    /// The messages after the opening.
    pub lines: Lines,
    /// How often they are sent.
    pub times: u32,
}

/// The outcome of trying a finding again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It does not happen any more.
    Mended,
    /// It still happens, and how.
    Happens(String),
    /// It was not tried, and why.
    Untried(&'static str),
}

/// Tries each on a fresh process, with what the safety policy lets through.
///
/// # Errors
/// When the user interrupts it. A server that cannot be started makes the rest untried: the run itself will say so.
pub fn regress(target: &Target, options: &Options, all: &[Regression]) -> Result<Vec<Again>, Trouble> {
    let _guard = RunGuard::begin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    let again = unless_interrupted(each(target, options, all));
    runtime.block_on(LocalSet::new().run_until(again)).ok_or(Trouble::Interrupted)
}

async fn each(target: &Target, options: &Options, all: &[Regression]) -> Vec<Again> {
    if !target.is_own() && !options.yes_disrupt {
        let why = "against a URL that is not on this machine it takes --yes-disrupt";
        return vec![Again::Untried(why); all.len()];
    }
    let until = Instant::now() + LONGEST;
    let (mut made, mut labs): (Vec<Again>, Vec<(Revision, Option<Lab>)>) = (Vec::new(), Vec::new());
    for one in all {
        if !labs.iter().any(|(revision, _)| *revision == one.revision) {
            let known = pilot::acquaint(target, options, one.revision).await.ok();
            labs.push((one.revision, known.map(|known| Lab::new(known, options, 0, until))));
        }
        let lab = labs.iter().find(|(revision, _)| *revision == one.revision).and_then(|(_, lab)| lab.as_ref());
        made.push(match lab {
            None => Again::Untried("the server does not speak its revision"),
            Some(_) if Instant::now() > until => Again::Untried("there was no time left"),
            Some(lab) if !lab.seeds.lets_pass(&one.lines) => Again::Untried("it names a tool that may not be called"),
            Some(lab) => again(lab, one).await,
        });
    }
    made
}

async fn again(lab: &Lab, one: &Regression) -> Again {
    if one.sort == Sort::Memory {
        let growth = leak::growth(lab, &one.lines, one.times).await;
        let told = |growth: u64| Again::Happens(format!("the memory still grows by {} MB a round", growth >> 10));
        return growth.map_or(Again::Mended, told);
    }
    let Ok(session) = lab.fresh().await else { return Again::Untried("the server could not be started") };
    let opened = session.mark();
    let pacing = Pacing { number: 0, life: session.limit(), clear: true };
    let (conversation, owed) = converse(&session, &one.lines, pacing).await;
    if conversation.end == ConversationEnd::Fine {
        wait(&session, owed).await;
    }
    let seen = split_conversation(&session, opened, &conversation, usize::MAX);
    let criteria = Criteria { revision: lab.revision, transport: session.transport() };
    session.kill().await;
    match conversation.end {
        ConversationEnd::Ended => Again::Happens(Sighting::crash(&seen).message),
        ConversationEnd::Hung => Again::Happens(Sighting::hang(&seen, "").message),
        ConversationEnd::Fine => {
            let same = |id: &str| one.requirement.as_deref() == Some(id);
            let found = wrong(&seen, &criteria, &|id| !same(id));
            found.into_iter().next().map_or(Again::Mended, |(_, finding)| Again::Happens(finding.message))
        }
    }
}
