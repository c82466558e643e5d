//! The core over stdio: one reader thread, one loop that serves, writes and keeps time.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::core::{Action, Connection, Output, Server, Transport};
use crate::settings::Options;

/// The longest line that is read; a longer one ends the input.
const LONGEST: u64 = 64 << 20;
/// How long requests that are being worked on may go on once the input has ended.
const GRACE: Duration = Duration::from_secs(1);

/// Serves on standard input and output until the input ends.
///
/// # Errors
/// A fault or quirk that does not exist; output that cannot be written.
pub fn serve_stdio(options: Options) -> std::io::Result<ExitCode> {
    let server = Arc::new(Server::new(&options)?);
    let (sender, lines) = sync_channel(64);
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(line) = read_line(&mut input) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut driver = Driver { started: Instant::now(), connection: Connection::new(server, Transport::Stdio) };
    driver.run(&lines)
}

fn read_line(input: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let read = std::io::Read::take(input, LONGEST).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    Some(line)
}

struct Driver {
    started: Instant,
    connection: Connection,
}

impl Driver {
    fn run(&mut self, lines: &Receiver<Vec<u8>>) -> std::io::Result<ExitCode> {
        let mut ended: Option<Instant> = None;
        loop {
            if let Some(code) = self.write()? {
                return Ok(code);
            }
            if ended.is_some_and(|at| at.elapsed() > GRACE || !self.connection.is_busy()) {
                return Ok(ExitCode::SUCCESS);
            }
            let wait = self.wait();
            if ended.is_some() {
                std::thread::sleep(wait.min(GRACE));
                continue;
            }
            match lines.recv_timeout(wait) {
                Ok(line) => {
                    let now = self.started.elapsed();
                    self.connection.receive(&line, now);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => ended = Some(Instant::now()),
            }
        }
    }

    fn wait(&self) -> Duration {
        let due = self.connection.next_due();
        due.map_or(Duration::from_secs(3600), |due| due.saturating_sub(self.started.elapsed()))
    }

    fn write(&mut self) -> std::io::Result<Option<ExitCode>> {
        let outputs = self.connection.poll(self.started.elapsed());
        if outputs.is_empty() {
            return Ok(None);
        }
        let mut out = std::io::stdout().lock();
        for Output { action, .. } in outputs {
            match action {
                Action::Send(text) => {
                    out.write_all(text.as_bytes())?;
                    out.write_all(self.connection.line_end().as_bytes())?;
                }
                Action::Raw(bytes) => out.write_all(&bytes)?,
                Action::Chatter(text) => writeln!(std::io::stderr(), "{text}")?,
                Action::Exit(code) => {
                    out.flush()?;
                    return Ok(Some(ExitCode::from(code)));
                }
                Action::End => {}
            }
        }
        out.flush()?;
        Ok(None)
    }
}
