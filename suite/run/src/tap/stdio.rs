//! A pass-through between a client and a program: what comes is handed on at once, and written down beside.
//!
//! Three threads copy, one writes the recording. The copy of the client's bytes goes to the recording before the server gets
//! them, that of the server's before the client does: the order of the recording is one of cause and effect.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use verdict::Transport;
use verdict::transcript::{Ending, Exit, Kind, Via};
use wire::line::{End, Frame, LineFramer};

use super::recording::{Heard, Recording, Said};
use crate::Trouble;
use crate::process::{Tree, adopt, exit_of, reap};

/// Bytes of one line that are kept in the recording.
const LINE: usize = 64 << 20;
/// Bytes handed on at once.
const CHUNK: usize = 64 << 10;
/// Chunks that wait for the recording before the copying waits too.
const WAITING: usize = 1 << 10;
/// How long output may still come after the program has ended, from descendants that hold the pipe.
const DRAIN: Duration = Duration::from_millis(500);

/// Something for the recording.
enum Note {
    Said(Instant, Vec<u8>),
    Heard(Instant, Vec<u8>),
    Complained(Instant, Vec<u8>),
    /// The server's output ended; `true` if the client had not ended anything before.
    Closed(Instant, bool),
    Exit(Instant, Exit),
}

type Notes = SyncSender<Note>;

/// Starts a program and stands between it and whoever started us until it ends; how it ended.
///
/// # Errors
/// When the program cannot be started.
pub fn pass(program: &str, args: &[String], recording: Recording) -> Result<(Exit, Recording), Trouble> {
    adopt();
    // Before the program starts: a client may end us as soon as it hears from the server.
    let mut signals = Signals::listen()?;
    let mut child = start(program, args)?;
    let tree = Tree::of(Some(child.id()));
    let (notes, waiting) = sync_channel(WAITING);
    let writer = thread::spawn(move || record(recording, &waiting));
    let ending = Arc::new(Step::default());
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (up, step) = (notes.clone(), Arc::clone(&ending));
    thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // Before the server can notice: what it does from here on it was asked to do.
            if copy(std::io::stdin(), &mut stdin, &up, Note::Said) {
                step.reach(Ending::StdinClosed);
            }
        }
    });
    let (down, step) = (notes.clone(), Arc::clone(&ending));
    let out = stdout.map(|stdout| {
        thread::spawn(move || {
            copy(stdout, std::io::stdout(), &down, Note::Heard);
            let _ = down.send(Note::Closed(Instant::now(), step.reached() == Ending::Nothing));
        })
    });
    let beside = notes.clone();
    let errors = stderr.map(|stderr| {
        thread::spawn(move || {
            copy(stderr, std::io::stderr(), &beside, Note::Complained);
        })
    });
    let status = signals.hand_on_until_end(child, &tree, &ending);
    drain([out, errors].into_iter().flatten().collect());
    drop(tree);
    reap();
    let after = ending.reached();
    let exit = status.map_or(Exit { code: None, signal: None, after }, |status| exit_of(status, after));
    let _ = notes.send(Note::Exit(Instant::now(), exit.clone()));
    let recording = writer.join().map_err(|_| Trouble::Usage("the recording broke off".to_owned()))?;
    Ok((exit, recording))
}

fn start(program: &str, args: &[String]) -> Result<Child, Trouble> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().map_err(|error| Trouble::Spawn {
        program: program.to_owned(),
        reason: error.to_string(),
        hint: String::new(),
    })
}

/// Hands on what comes, as it comes, until there is no more of it (true) or nobody takes it.
fn copy(mut from: impl Read, mut to: impl Write, notes: &Notes, note: fn(Instant, Vec<u8>) -> Note) -> bool {
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match from.read(&mut chunk) {
            Ok(0) => return true,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => return true,
        };
        let _ = notes.send(note(Instant::now(), chunk[..count].to_vec()));
        if to.write_all(&chunk[..count]).and_then(|()| to.flush()).is_err() {
            return false;
        }
    }
}

/// The signals that a client or a terminal sends us, for the program.
struct Signals {
    runtime: tokio::runtime::Runtime,
    #[cfg(unix)]
    streams: [tokio::signal::unix::Signal; 4],
}

impl Signals {
    fn listen() -> Result<Self, Trouble> {
        let failed = |error: std::io::Error| Trouble::Usage(format!("cannot wait for signals: {error}"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        #[cfg(unix)]
        let streams = {
            use tokio::signal::unix::{SignalKind, signal};
            let _context = runtime.enter();
            [
                signal(SignalKind::terminate()).map_err(failed)?,
                signal(SignalKind::interrupt()).map_err(failed)?,
                signal(SignalKind::hangup()).map_err(failed)?,
                signal(SignalKind::quit()).map_err(failed)?,
            ]
        };
        Ok(Self {
            runtime,
            #[cfg(unix)]
            streams,
        })
    }

    /// Waits for the program; what we are told to do is handed on to it.
    fn hand_on_until_end(&mut self, mut child: Child, tree: &Tree, ending: &Step) -> Option<ExitStatus> {
        let (told, telling) = tokio::sync::oneshot::channel();
        thread::spawn(move || told.send(child.wait().ok()));
        #[cfg(unix)]
        let signals = hand_on(&mut self.streams, tree, ending);
        #[cfg(not(unix))]
        let signals = hand_on(tree, ending);
        self.runtime.block_on(async {
            tokio::select! {
                status = telling => status.ok().flatten(),
                () = signals => None,
            }
        })
    }
}

#[cfg(unix)]
async fn hand_on(streams: &mut [tokio::signal::unix::Signal; 4], tree: &Tree, ending: &Step) {
    use rustix::process::Signal;
    let [terminate, interrupt, hangup, quit] = streams;
    loop {
        // The client asks the process that it knows; a terminal asks everybody.
        tokio::select! {
            _ = terminate.recv() => tree.terminate_leader(),
            _ = interrupt.recv() => tree.signal(Signal::INT),
            _ = hangup.recv() => tree.signal(Signal::HUP),
            _ = quit.recv() => tree.signal(Signal::QUIT),
        }
        ending.reach(Ending::Terminated);
    }
}

#[cfg(not(unix))]
async fn hand_on(tree: &Tree, ending: &Step) {
    let _ = tokio::signal::ctrl_c().await;
    ending.reach(Ending::Terminated);
    tree.kill();
    std::future::pending::<()>().await;
}

/// Waits until the output that the program wrote before it ended is passed on, but not for what its descendants write later.
fn drain(copying: Vec<JoinHandle<()>>) {
    let until = Instant::now() + DRAIN;
    while copying.iter().any(|one| !one.is_finished()) && Instant::now() < until {
        thread::sleep(Duration::from_millis(2));
    }
}

/// How far the client has gone to end the server.
#[derive(Debug, Default)]
struct Step(AtomicU8);

impl Step {
    fn reach(&self, step: Ending) {
        self.0.fetch_max(step as u8, Ordering::SeqCst);
    }

    fn reached(&self) -> Ending {
        match self.0.load(Ordering::SeqCst) {
            0 => Ending::Nothing,
            1 => Ending::StdinClosed,
            _ => Ending::Terminated,
        }
    }
}

/// Writes down what the copying threads tell.
fn record(mut recording: Recording, notes: &Receiver<Note>) -> Recording {
    let session = recording.open(Transport::Stdio);
    let [mut said, mut heard, mut complained] = [(); 3].map(|()| LineFramer::new(LINE));
    while let Ok(note) = notes.recv() {
        match note {
            Note::Said(at, bytes) => {
                for frame in said.push(&bytes) {
                    recording.said(session, at, 0, &Said { bytes: &with_return(frame), ..Said::default() });
                }
            }
            Note::Heard(at, bytes) => {
                for frame in heard.push(&bytes) {
                    recording.heard(session, at, 0, line(frame, Via::Line));
                }
            }
            Note::Complained(at, bytes) => {
                for frame in complained.push(&bytes) {
                    recording.add(session, at, stderr(&frame));
                }
            }
            Note::Closed(at, alone) => {
                if let Some(frame) = std::mem::replace(&mut heard, LineFramer::new(LINE)).finish() {
                    recording.heard(session, at, 0, line(frame, Via::Tail));
                }
                if alone {
                    recording.add(session, at, Kind::Closed { channel: 0, fault: None });
                }
            }
            Note::Exit(at, exit) => {
                if let Some(frame) = complained.finish() {
                    recording.add(session, at, stderr(&frame));
                }
                recording.add(session, at, Kind::Exit(exit));
                break;
            }
        }
    }
    recording
}

/// How a line ended is a fact that rules need.
fn with_return(frame: Frame) -> Vec<u8> {
    let mut bytes = frame.bytes;
    if frame.end == End::CrLf {
        bytes.push(b'\r');
    }
    bytes
}

fn line(frame: Frame, via: Via) -> Heard {
    let dropped = frame.dropped as u64;
    Heard { bytes: with_return(frame), via, dropped }
}

fn stderr(frame: &Frame) -> Kind {
    let not_utf8 = std::str::from_utf8(&frame.bytes).is_err();
    Kind::Stderr { text: String::from_utf8_lossy(&frame.bytes).into_owned(), not_utf8 }
}
