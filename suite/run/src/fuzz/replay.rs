//! Sending a stored conversation again, exactly as it stands, and saying what comes of it.

use std::rc::Rc;
use std::time::Duration;
use std::time::Instant;

use tokio::task::LocalSet;
use verdict::transcript::{Event, Kind};
use verdict::{Revision, Transport};

use crate::opener::Opener;
use crate::opening::Opening;
use crate::plan::unless_interrupted;
use crate::{Options, Recorder, RunGuard, Target, Trouble};

/// How long the server may go on saying things after it has said nothing for a while.
const QUIET: Duration = Duration::from_millis(300);

/// The outcome of a replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Everything that crossed the wire.
    pub events: Vec<Event>,
    /// How the server ended, if it did so by itself.
    pub ended: Option<String>,
    /// It gave a sign of life at the end.
    pub alive: bool,
}

/// Sends the lines as they are, one message each, and waits for what comes of them.
///
/// # Errors
/// When the server cannot be started or reached.
pub fn replay(target: &Target, options: &Options, lines: &[Vec<u8>]) -> Result<Replayed, Trouble> {
    let _guard = RunGuard::begin();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    let replayed = unless_interrupted(again(target, options, lines));
    runtime.block_on(LocalSet::new().run_until(replayed)).unwrap_or(Err(Trouble::Interrupted))
}

async fn again(target: &Target, options: &Options, lines: &[Vec<u8>]) -> Result<Replayed, Trouble> {
    let recorder = Rc::new(Recorder::masking(options.secrets()));
    let opener = Opener::new(target.clone(), Rc::new(options.clone()), recorder)?;
    let modern = lines.first().is_some_and(|line| !String::from_utf8_lossy(line).contains("\"initialize\""));
    let revision = if modern { Revision::LATEST } else { Revision::LATEST_HANDSHAKE };
    let session = opener.connect(Opening::new("replay", revision))?;
    session.announced().await?;
    for (at, line) in lines.iter().enumerate() {
        let (_, answer) = session.raw(line.clone()).begin();
        // What opens the conversation is waited for: over HTTP it tells the session.
        let opens = !modern && at == 0;
        if (opens || session.transport() != Transport::Stdio)
            && let Ok(Ok(crate::RequestOutcome::Answer(message))) = tokio::time::timeout(session.limit(), answer).await
            && opens
        {
            session.settle_opening(&message);
        }
    }
    let alive = session.is_alive().await;
    // What goes on talking by itself is not listened to for ever.
    let until = Instant::now() + session.limit();
    while alive && !session.is_down() && Instant::now() < until {
        let before = session.mark();
        tokio::time::sleep(QUIET).await;
        if session.mark() == before {
            break;
        }
    }
    let fell = session.has_ended().await;
    let events = session.events(<[Event]>::to_vec);
    let exit = events.iter().find_map(|event| match &event.kind {
        Kind::Exit(exit) => Some(exit.to_string()),
        _ => None,
    });
    session.kill().await;
    let ended = fell.then(|| exit.unwrap_or_else(|| "closed the connection".to_owned()));
    Ok(Replayed { events, ended, alive: alive && !fell })
}
