//! Before fuzzing: the server is judged as `run` does it, so that what is known is not told again, and its offer is taken.

use std::collections::HashSet;
use std::rc::Rc;

use verdict::{Purpose, Revision, Status};

use crate::opener::Opener;
use crate::opening::Opening;
use crate::survey::survey;
use crate::{Options, Protocol, Recorder, ServerProfile, Target, Trouble, plan};

/// What is known about the server before fuzzing begins.
pub(super) struct Pilot {
    pub(super) target: Target,
    pub(super) revision: Revision,
    pub(super) server: String,
    pub(super) profile: ServerProfile,
    pub(super) known: HashSet<String>,
}

pub(super) async fn fly(target: &Target, options: &Options) -> Result<Pilot, Trouble> {
    let finished = plan::run(target, options, &|_| {}).await?;
    if finished.interrupted {
        return Err(Trouble::Interrupted);
    }
    let Some(record) = finished.records.first() else {
        return Err(Trouble::Usage("nothing of the server could be judged".to_owned()));
    };
    let failed = |status: Status| status == Status::Fail || status == Status::Inconclusive;
    let known = record.requirements.iter().filter(|row| failed(row.status)).map(|row| row.id.clone()).collect();
    let revision = record.protocol;
    let target = spoken(target, record.target.transport);
    Ok(Pilot { known, ..acquaint(&target, options, revision).await? })
}

/// Opens a session in a revision and surveys what the server offers; judges nothing.
pub(super) async fn acquaint(target: &Target, options: &Options, revision: Revision) -> Result<Pilot, Trouble> {
    let target = target.clone();
    let options = Options { protocol: Protocol::One(revision), ..options.clone() };
    let recorder = Rc::new(Recorder::masking(options.secrets()));
    let opener = Opener::new(target.clone(), Rc::new(options.clone()), recorder)?;
    let session = opener.ready(Opening::new(Purpose::Main, revision), revision).await?;
    let profile = ServerProfile::new(&session, revision, survey(&session).await, &options, true);
    let named = session.server();
    session.kill().await;
    Ok(Pilot { target, revision, server: format!("{} {}", named.name, named.version), profile, known: HashSet::new() })
}

/// The target over the transport that turned out to be its own.
fn spoken(target: &Target, transport: verdict::Transport) -> Target {
    match (target, transport) {
        (Target::Url(url), verdict::Transport::Sse) => Target::Stream(url.clone()),
        (target, _) => target.clone(),
    }
}
