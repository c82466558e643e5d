//! The reference server over an HTTP transport, as a child process on a free port.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use verdict::Transport;

/// A listening server; it ends with this value.
pub(crate) struct Host {
    child: Child,
    url: String,
    tokens: Option<Tokens>,
}

/// The folder into which a server that asks for authorization writes its tokens; removed when dropped.
struct Tokens(PathBuf);

impl Tokens {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mcp-conform-selftest-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Tokens {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Host {
    /// Starts a server over a transport with these flags and waits until it listens; if it asks for authorization, it
    /// tells its tokens.
    pub(crate) fn start(transport: Transport, flags: &[String], guarded: bool) -> Result<Self, String> {
        let own = std::env::current_exe().map_err(|error| format!("cannot find my own executable: {error}"))?;
        let mut command = Command::new(own);
        command.args(["serve", "--transport", transport.as_str(), "--port", "0"]).args(flags);
        let tokens = guarded.then(Tokens::new);
        if let Some(Tokens(folder)) = &tokens {
            command.arg("--tokens").arg(folder);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("cannot start the reference server: {error}"))?;
        let mut host = Self { child, url: String::new(), tokens };
        host.url = host.await_url()?;
        Ok(host)
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The configuration that names its tokens.
    pub(crate) fn configuration(&self) -> Option<PathBuf> {
        self.tokens.as_ref().map(|Tokens(folder)| Path::new(folder).join("mcp-conform.toml"))
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
