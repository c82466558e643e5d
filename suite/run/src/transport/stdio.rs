//! A child process spoken to over its standard input and output.
//!
//! The child runs in a process group of its own, in the caller's working directory and environment. It and all its
//! descendants are gone when [`Pipe`] is dropped, whatever the reason.

use std::cell::{Cell, RefCell};
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::{AbortHandle, JoinHandle, spawn_local};
use tokio::time::timeout;
use verdict::transcript::{Ending, Exit, Via};
use wire::line::{End, Frame, LineFramer};

use super::objects::Objects;
use super::readers::Readers;
use super::{FRAME, Inbound, Piece, verbatim};
use crate::Trouble;
use crate::process::{Member, Tree, exit_of, group};

/// Lines that are not copied to be written together with others: as much as a pipe holds.
const LONG: usize = 64 << 10;
/// Bytes of one line of standard error that are kept, and of all of it.
const STDERR: (usize, usize) = (64 << 10, 1 << 20);
/// How long output may still come after the process has ended, from descendants that hold the pipe.
const DRAIN: Duration = Duration::from_millis(200);
/// How long a process may live on after it has closed its output.
const LINGER: Duration = Duration::from_millis(500);

/// How often it is looked at whether a process is at work.
const MOMENT: Duration = Duration::from_secs(1);
/// How many times the usual time a process is given that is at work.
const TIMES: u32 = 4;

/// How long a process is given after SIGTERM when it is known that it has not ended when it should.
const MANNERS: Duration = Duration::from_secs(1);

/// The pipes of a running server.
#[derive(Debug)]
pub(crate) struct Pipe {
    outbox: RefCell<Option<mpsc::UnboundedSender<Chunk>>>,
    process: Rc<Process>,
    reading: Option<AbortHandle>,
    readers: Option<Readers>,
    held: watch::Sender<bool>,
}

/// The process behind the pipes; the task that waits for its end shares it.
#[derive(Debug)]
struct Process {
    tree: Tree,
    /// The last step taken to end it.
    ending: Cell<Ending>,
    ended: Cell<bool>,
    /// Notified once it has ended.
    end: Notify,
}

/// Something to be written to standard input.
#[derive(Debug)]
enum Chunk {
    /// To be ended by a line feed.
    Line(Bytes),
    /// To be written as it is.
    Piece(Piece),
}

/// How a program is to be started.
#[derive(Clone, Debug)]
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a [(String, String)],
    /// Variables that it is not to have.
    pub(crate) without: &'a [String],
    pub(crate) directory: Option<&'a std::path::Path>,
    /// Another process of it was seen to write messages that are no lines.
    pub(crate) objects: bool,
}

/// Starts a program.
pub(crate) fn open(launch: &Launch<'_>, inbox: mpsc::Sender<Inbound>) -> Result<Pipe, Trouble> {
    let mut child = spawn(launch)?;
    let process = Rc::new(Process {
        tree: Tree::of(child.id()),
        ending: Cell::new(Ending::Nothing),
        ended: Cell::new(false),
        end: Notify::new(),
    });
    let (outbox, parcels) = mpsc::unbounded_channel();
    if let Some(stdin) = child.stdin.take() {
        spawn_local(write(stdin, parcels));
    }
    let (held, holding) = watch::channel(false);
    let objects = Objects::new(launch.objects);
    let readers = child.stdout.as_ref().map(Readers::of);
    let reader = child.stdout.take().map(|stdout| spawn_local(read(stdout, inbox.clone(), holding, objects)));
    let reading = reader.as_ref().map(JoinHandle::abort_handle);
    let errors = child.stderr.take().map(|stderr| spawn_local(complain(stderr, inbox.clone())));
    spawn_local(wait(Watch { child, reader, errors, inbox, process: Rc::clone(&process) }));
    Ok(Pipe { outbox: RefCell::new(Some(outbox)), process, reading, readers, held })
}

fn spawn(launch: &Launch<'_>) -> Result<Child, Trouble> {
    let mut command = Command::new(launch.program);
    command.args(launch.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command.envs(launch.env.iter().map(|(name, value)| (name, value)));
    launch.without.iter().for_each(|name| {
        command.env_remove(name);
    });
    if let Some(directory) = launch.directory {
        command.current_dir(directory);
    }
    group(&mut command);
    command.spawn().map_err(|error| trouble(launch, &error))
}

fn trouble(launch: &Launch<'_>, error: &std::io::Error) -> Trouble {
    let program = launch.program;
    let here = std::path::Path::new(program);
    let hint = match error.kind() {
        std::io::ErrorKind::NotFound if !program.contains('/') && here.exists() => {
            format!("\n  a file of that name is here: try `./{program}`")
        }
        std::io::ErrorKind::NotFound => {
            "\n  is it installed, and on PATH? a server in this folder is named with `./`".to_owned()
        }
        std::io::ErrorKind::PermissionDenied if here.is_dir() => {
            "\n  it is a folder: name the program in it".to_owned()
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("\n  it is not executable: try `chmod +x {program}`, or name its interpreter: `-- node {program}`")
        }
        _ if error.raw_os_error() == Some(8) => {
            format!("\n  it is no program: does it lack a `#!` line? try `-- sh {program}`")
        }
        _ => String::new(),
    };
    Trouble::Spawn { program: program.to_owned(), reason: error.to_string(), hint }
}

impl Pipe {
    /// Hands over one line.
    pub(crate) fn send(&self, bytes: Bytes) {
        if let Some(outbox) = self.outbox.borrow().as_ref() {
            // The writer is gone when the server closed its input: the reader will say so.
            let _ = outbox.send(Chunk::Line(bytes));
        }
    }

    /// Hands over bytes that are written as they are, one piece after the other.
    pub(crate) fn write(&self, pieces: Vec<Piece>) {
        if let Some(outbox) = self.outbox.borrow().as_ref() {
            pieces.into_iter().for_each(|piece| drop(outbox.send(Chunk::Piece(piece))));
        }
    }

    /// Kilobytes of memory that the process and its group hold at this moment.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.process.tree.resident_kb()
    }

    /// Closes standard input and waits for the process to end, then asks, then forces; says after which step it ended.
    pub(crate) async fn end(&self, patience: Duration) -> Ending {
        self.advance(Ending::StdinClosed);
        self.outbox.borrow_mut().take();
        if self.over(patience).await {
            return Ending::StdinClosed;
        }
        self.ask(patience).await
    }

    /// Like [`Self::end`], for a caller that judges how quickly the process ends: one that is at work, starting or tidying up on
    /// a busy machine, is given more time.
    pub(crate) async fn end_in_peace(&self, patience: Duration) -> Ending {
        self.advance(Ending::StdinClosed);
        self.outbox.borrow_mut().take();
        if self.over_in_peace(patience).await { Ending::StdinClosed } else { self.ask(patience.min(MANNERS)).await }
    }

    async fn ask(&self, patience: Duration) -> Ending {
        self.advance(Ending::Terminated);
        self.process.tree.terminate();
        if self.over(patience).await {
            return Ending::Terminated;
        }
        self.force().await;
        Ending::Killed
    }

    /// Asks the process to end with its input still open, and forces it if it does not.
    pub(crate) async fn terminate(&self, patience: Duration) -> Ending {
        self.advance(Ending::Terminated);
        self.process.tree.terminate_leader();
        if self.over_in_peace(patience).await {
            return Ending::Terminated;
        }
        self.force().await;
        Ending::Killed
    }

    /// Closes the reading end of standard output; it is closed when this is over, for the server, too.
    pub(crate) async fn deafen(&self) {
        let Some(reading) = self.reading.as_ref().filter(|reading| !reading.is_finished()) else { return };
        let watch = self.readers.and_then(Readers::watch);
        reading.abort();
        while !reading.is_finished() {
            tokio::task::yield_now().await;
        }
        if let Some(watch) = watch {
            watch.gone().await;
        }
    }

    /// Stops reading, or goes on.
    pub(crate) fn hold(&self, held: bool) {
        self.held.send_replace(held);
    }

    pub(crate) fn family(&self) -> Vec<Member> {
        self.process.tree.family()
    }

    pub(crate) fn process_ids(&self) -> Vec<u32> {
        self.process.tree.ids()
    }

    pub(crate) fn ticks(&self) -> Option<u64> {
        self.process.tree.ticks()
    }

    /// Whether the process has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.process.ended.get()
    }

    /// Waits a moment for a process whose output has ended: it is about to tell how it ended by itself.
    pub(crate) async fn linger(&self) {
        self.over(LINGER).await;
    }

    /// Ends the whole tree at once.
    pub(crate) async fn force(&self) {
        self.advance(Ending::Killed);
        self.process.tree.kill();
        self.over(Duration::from_secs(2)).await;
    }

    fn advance(&self, step: Ending) {
        if !self.process.ended.get() {
            self.process.ending.set(step);
        }
    }

    /// Waits, and when the time is up as long as the process has used a twentieth of the last moment, but not for ever.
    async fn over_in_peace(&self, patience: Duration) -> bool {
        let moment = patience.min(MOMENT);
        let (mut waited, mut before) = (Duration::ZERO, self.ticks());
        while waited < patience * TIMES {
            if self.over(moment).await {
                return true;
            }
            waited += moment;
            let now = self.ticks();
            let used = now.unwrap_or(0).saturating_sub(before.unwrap_or(0));
            if waited >= patience && u128::from(used) * 10 * 20 < moment.as_millis() {
                return false;
            }
            before = now;
        }
        false
    }

    /// Waits for the process to end; whether it has.
    pub(crate) async fn over(&self, patience: Duration) -> bool {
        let ended = async {
            while !self.process.ended.get() {
                self.process.end.notified().await;
            }
        };
        timeout(patience, ended).await.is_ok()
    }
}

async fn write(mut stdin: ChildStdin, mut parcels: mpsc::UnboundedReceiver<Chunk>) {
    let mut next = None;
    loop {
        let chunk = match next.take() {
            Some(chunk) => chunk,
            None => match parcels.recv().await {
                Some(chunk) => chunk,
                None => return,
            },
        };
        let bytes = match chunk {
            Chunk::Line(line) if line.len() > LONG => {
                if stdin.write_all(&line).await.is_err() {
                    return;
                }
                vec![b'\n']
            }
            Chunk::Line(line) => lines(&line, &mut parcels, &mut next),
            Chunk::Piece(Piece::Bytes(bytes)) => bytes,
            Chunk::Piece(Piece::Fill { byte, count, .. }) => {
                if verbatim::fill(&mut stdin, byte, count).await.is_err() {
                    return;
                }
                continue;
            }
            Chunk::Piece(Piece::Pause(pause)) => {
                tokio::time::sleep(pause).await;
                continue;
            }
            Chunk::Piece(Piece::HalfClose | Piece::Abort) => return,
        };
        if stdin.write_all(&bytes).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Lines that wait are written together.
fn lines(first: &[u8], parcels: &mut mpsc::UnboundedReceiver<Chunk>, next: &mut Option<Chunk>) -> Vec<u8> {
    let mut bytes = [first, b"\n"].concat();
    while bytes.len() <= FRAME {
        match parcels.try_recv() {
            Ok(Chunk::Line(line)) if line.len() <= LONG => {
                bytes.extend_from_slice(&line);
                bytes.push(b'\n');
            }
            Ok(other) => {
                *next = Some(other);
                break;
            }
            Err(_) => break,
        }
    }
    bytes
}

async fn read(
    mut stdout: ChildStdout,
    inbox: mpsc::Sender<Inbound>,
    mut holding: watch::Receiver<bool>,
    mut objects: Objects,
) {
    let mut framer = LineFramer::new(FRAME);
    let mut chunk = vec![0; 64 << 10];
    loop {
        // Whoever held it may be gone: then it is read to the end.
        let _ = holding.wait_for(|held| !held).await;
        let Some(read) = before(objects.deadline(), stdout.read(&mut chunk)).await else {
            if !hand_over(&inbox, objects.release().into_iter().map(object)).await {
                return;
            }
            continue;
        };
        let Ok(count @ 1..) = read else { break };
        let lines = framer.push(&chunk[..count]);
        let found = objects.read(&chunk[..count], lines.iter().map(|line| line.bytes.as_slice()));
        let lines = lines.into_iter().filter(|line| !objects.has(&line.bytes)).map(inbound);
        if !hand_over(&inbox, lines.chain(found.into_iter().map(object))).await {
            return;
        }
    }
    hand_over(&inbox, objects.release().into_iter().map(object)).await;
    if let Some(line) = framer.finish().filter(|line| !objects.has(&line.bytes)) {
        let _ = inbox.send(inbound(line)).await;
    }
    let _ = inbox.send(Inbound::Closed { channel: 0, fault: None }).await;
}

/// What comes of it, unless a moment comes first.
async fn before<T>(deadline: Option<tokio::time::Instant>, future: impl Future<Output = T>) -> Option<T> {
    match deadline {
        Some(deadline) => tokio::time::timeout_at(deadline, future).await.ok(),
        None => Some(future.await),
    }
}

/// Whether anybody takes it.
async fn hand_over(inbox: &mpsc::Sender<Inbound>, frames: impl Iterator<Item = Inbound>) -> bool {
    for frame in frames {
        if inbox.send(frame).await.is_err() {
            return false;
        }
    }
    true
}

fn object(bytes: Vec<u8>) -> Inbound {
    Inbound::Frame { channel: 0, dropped: 0, bytes, via: Via::Object }
}

/// How a line ended is a fact that rules need.
fn inbound(frame: Frame) -> Inbound {
    let mut bytes = frame.bytes;
    if frame.end == End::CrLf {
        bytes.push(b'\r');
    }
    let via = if frame.end == End::Eof { Via::Tail } else { Via::Line };
    Inbound::Frame { channel: 0, dropped: frame.dropped as u64, bytes, via }
}

async fn complain(mut stderr: ChildStderr, inbox: mpsc::Sender<Inbound>) {
    let mut framer = LineFramer::new(STDERR.0);
    let mut chunk = vec![0; 8 << 10];
    let mut kept = 0;
    loop {
        let count = stderr.read(&mut chunk).await.unwrap_or(0);
        let lines = if count == 0 {
            std::mem::replace(&mut framer, LineFramer::new(0)).finish().into_iter().collect()
        } else {
            framer.push(&chunk[..count])
        };
        for line in lines {
            kept += line.bytes.len();
            // What is beyond is still read, so that the server does not block on a full pipe.
            if kept <= STDERR.1 {
                let _ = inbox.send(Inbound::Stderr(line.bytes)).await;
            }
        }
        if count == 0 {
            return;
        }
    }
}

struct Watch {
    child: Child,
    reader: Option<JoinHandle<()>>,
    errors: Option<JoinHandle<()>>,
    inbox: mpsc::Sender<Inbound>,
    process: Rc<Process>,
}

/// The end of the process is told after what it had written.
async fn wait(mut watch: Watch) {
    let status = watch.child.wait().await;
    for task in [watch.reader.take(), watch.errors.take()].into_iter().flatten() {
        let _ = timeout(DRAIN, task).await;
    }
    let after = watch.process.ending.get();
    let exit = status.map_or(Exit { code: None, signal: None, after }, |status| exit_of(status, after));
    let _ = watch.inbox.send(Inbound::Exit(exit)).await;
    watch.process.ended.set(true);
    watch.process.end.notify_waiters();
    watch.process.end.notify_one();
}
