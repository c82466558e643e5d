//! The embedded reference server as a target: over stdio, or as a child process listening on a free port.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use run::Target;
use verdict::Transport;

use crate::failure::Failure;

/// Returns the reference server over stdio, started with further flags.
pub(crate) fn stdio_target(flags: &[String]) -> Result<Target, Failure> {
    let executable = own_executable().map_err(Failure::usage)?;
    let serve = ["serve", "--transport", "stdio"].map(str::to_owned);
    let args = serve.into_iter().chain(flags.iter().cloned()).collect();
    Ok(Target::Program { program: executable.to_string_lossy().into_owned(), args })
}

fn own_executable() -> Result<PathBuf, String> {
    std::env::current_exe().map_err(|error| format!("cannot find the mcp-conform executable: {error}"))
}

/// The reference server over an HTTP transport. Dropping it stops the server.
pub(crate) struct HttpServer {
    child: Child,
    url: String,
    tokens: Option<TokenFolder>,
}

/// The folder to which a server with authorization writes its tokens. Dropping it removes the folder.
struct TokenFolder(PathBuf);

impl TokenFolder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mcp-conform-selftest-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for TokenFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl HttpServer {
    /// Starts a server over a transport with these flags and waits until it listens. With `authorization` it writes
    /// its tokens to a folder.
    pub(crate) fn start(transport: Transport, flags: &[String], authorization: bool) -> Result<Self, String> {
        let mut command = Command::new(own_executable()?);
        command.args(["serve", "--transport", transport.as_str(), "--port", "0"]).args(flags);
        let tokens = authorization.then(TokenFolder::new);
        if let Some(TokenFolder(folder)) = &tokens {
            command.arg("--tokens").arg(folder);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| format!("cannot start the reference server: {error}"))?;
        let mut server = Self { child, url: String::new(), tokens };
        server.url = server.await_url()?;
        Ok(server)
    }

    /// Returns the URL of the server.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the path of the configuration file that names the server's tokens.
    pub(crate) fn configuration(&self) -> Option<PathBuf> {
        self.tokens.as_ref().map(|TokenFolder(folder)| Path::new(folder).join("mcp-conform.toml"))
    }

    fn await_url(&mut self) -> Result<String, String> {
        let stderr = self.child.stderr.take().ok_or("the reference server has no standard error")?;
        let mut lines = BufReader::new(stderr).lines();
        let mut output = Vec::new();
        while let Some(Ok(line)) = lines.next() {
            if let Some(url) = line.strip_prefix("listening on ") {
                let url = url.trim().to_owned();
                // A full pipe would stop the server.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(url);
            }
            output.push(line);
        }
        Err(format!("the reference server does not listen: {}", output.join("; ")))
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
