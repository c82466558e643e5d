//! The reference server over HTTP, as a child process on a free port.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A listening server; it ends with this value.
pub(super) struct Host {
    child: Child,
    url: String,
}

impl Host {
    /// Starts a server with these flags and waits until it listens.
    pub(super) fn start(flags: &[String]) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| format!("cannot find my own executable: {error}"))?;
        let mut command = Command::new(own);
        command.args(["serve", "--transport", "http", "--port", "0"]).args(flags);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("cannot start the reference server: {error}"))?;
        let mut host = Self { child, url: String::new() };
        host.url = host.await_url()?;
        Ok(host)
    }

    /// Where it listens.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    fn await_url(&mut self) -> Result<String, String> {
        let stderr = self.child.stderr.take().ok_or("the reference server has no standard error")?;
        let mut lines = BufReader::new(stderr).lines();
        let mut said = Vec::new();
        while let Some(Ok(line)) = lines.next() {
            if let Some(url) = line.strip_prefix("listening on ") {
                let url = url.trim().to_owned();
                // A full pipe would stop the server.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(url);
            }
            said.push(line);
        }
        Err(format!("the reference server does not listen: {}", said.join("; ")))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
