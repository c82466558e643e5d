//! The core over stdio: one reader thread, one loop that serves, writes and keeps time.

mod alone;
mod reading;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::core::{Action, Connection, Ended, Line, Output, Server, Transport};
use crate::deviation::Deviation;

/// How long requests that are being worked on may go on once the input has ended.
const GRACE: Duration = Duration::from_secs(1);
/// How long a process may be idle that ends by itself then.
const IDLE: Duration = Duration::from_millis(700);

/// Messages that a server writes at once which writes in lumps.
const LUMP: usize = 4;

/// Serves on standard input and output until the input ends.
pub(crate) fn serve(server: Server) -> std::io::Result<ExitCode> {
    let server = Arc::new(server);
    let _held = if server.quirk("alone") { Some(alone::hold()?) } else { None };
    server.interceptors().for_each(|interceptor| interceptor.process_started());
    let (sender, lines) = sync_channel(64);
    let reader = Arc::clone(&server);
    std::thread::spawn(move || reading::read(&reader, &sender));
    let connection = Connection::new(Arc::clone(&server), Transport::Stdio);
    let mut driver = Driver {
        started: Instant::now(),
        server,
        connection,
        said: false,
        begun: false,
        held: false,
        kept: Vec::new(),
        deaf: false,
    };
    let code = driver.run(&lines)?;
    std::io::stdout().write_all(&driver.kept.concat())?;
    Ok(code)
}

struct Driver {
    started: Instant,
    server: Arc<Server>,
    connection: Connection,
    /// The client has said something.
    said: bool,
    /// Something was written.
    begun: bool,
    // What follows is remembered for faults alone.
    held: bool,
    kept: Vec<Vec<u8>>,
    deaf: bool,
}

impl Driver {
    fn run(&mut self, lines: &Receiver<Vec<u8>>) -> std::io::Result<ExitCode> {
        let mut ended: Option<Instant> = None;
        loop {
            if let Some(code) = self.write()? {
                return Ok(code);
            }
            if ended.is_some_and(|at| at.elapsed() > GRACE || !self.connection.is_busy()) {
                return Ok(self.code());
            }
            let wait = self.wait();
            if ended.is_some() {
                std::thread::sleep(wait.min(GRACE));
                continue;
            }
            match lines.recv_timeout(wait) {
                Ok(line) => {
                    self.said = true;
                    let now = self.started.elapsed();
                    self.connection.receive(&line, now);
                }
                Err(RecvTimeoutError::Timeout) if self.idles() => return Ok(self.code()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    ended = Some(Instant::now());
                    if self.server.deviates(Deviation::PendingAnswersDropped) {
                        return Ok(self.code());
                    }
                    self.stay();
                }
            }
        }
    }

    fn code(&self) -> ExitCode {
        if self.server.deviates(Deviation::ExitsWithError) { ExitCode::from(3) } else { ExitCode::SUCCESS }
    }

    /// Waits for ever if an interceptor wants it.
    fn stay(&self) {
        let ended = Ended { busy: self.connection.is_busy(), said: self.said, deaf: self.deaf };
        while self.server.interceptors().any(|interceptor| interceptor.stays(ended)) {
            std::thread::park();
        }
    }

    fn wait(&self) -> Duration {
        let due = self.connection.next_due();
        let idle = if self.server.quirk("ends-when-idle") { IDLE } else { Duration::from_secs(3600) };
        due.map_or(idle, |due| due.saturating_sub(self.started.elapsed()))
    }

    /// Nothing came for so long, and nothing is at work.
    fn idles(&self) -> bool {
        self.server.quirk("ends-when-idle") && self.said && self.connection.next_due().is_none()
    }

    fn write(&mut self) -> std::io::Result<Option<ExitCode>> {
        let outputs = self.connection.poll(self.started.elapsed());
        if outputs.is_empty() {
            return Ok(None);
        }
        let mut out = std::io::stdout().lock();
        for Output { action, .. } in outputs {
            let bytes = match action {
                Action::Send(text) => self.line(&text),
                Action::Raw(bytes) => bytes,
                Action::Chatter(text) => {
                    writeln!(std::io::stderr(), "{text}")?;
                    continue;
                }
                Action::Exit(code) => {
                    out.flush()?;
                    return Ok(Some(ExitCode::from(code)));
                }
                Action::End => continue,
            };
            let bytes = self.due(bytes);
            let written = out.write_all(&bytes).and_then(|()| out.flush());
            self.deaf |= written.is_err();
            if !self.server.deviates(Deviation::ClosedOutputIgnored) {
                written?;
            }
        }
        Ok(None)
    }

    /// What of it is written now.
    fn due(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        self.kept.push(bytes);
        let waits = self.server.deviates(Deviation::OutputIsNotFlushed)
            || self.server.deviates(Deviation::OutputComesInLumps) && self.kept.len() < LUMP;
        if waits { Vec::new() } else { std::mem::take(&mut self.kept).concat() }
    }

    fn line(&mut self, text: &str) -> Vec<u8> {
        let end = self.connection.line_end();
        let mut bytes = if std::mem::take(&mut self.held) { end.as_bytes().to_vec() } else { Vec::new() };
        let mut line = Line { text: text.as_bytes().to_vec(), end, held: false };
        for interceptor in self.server.interceptors() {
            interceptor.line(text, self.begun, &mut line);
        }
        bytes.extend(line.text);
        if !line.held {
            bytes.extend(line.end.as_bytes());
        }
        self.held = line.held;
        self.begun = true;
        bytes
    }
}
