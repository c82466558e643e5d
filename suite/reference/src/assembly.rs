//! Puts a server together from the names of its options, and serves it.

use std::process::ExitCode;

use crate::Revision;
use crate::core::{Interceptor, Server, Toolbox};
use crate::methods::Methods;
use crate::quirks::{Quirks, quirks};
use crate::settings::{Options, Settings, UnknownName};
use crate::{fixtures, http, stdio, tools};

#[cfg(feature = "faults")]
mod broken;
#[cfg(feature = "faults")]
use broken::Faults;
#[cfg(not(feature = "faults"))]
mod conforming;
#[cfg(not(feature = "faults"))]
use conforming::Faults;

/// Quirks that make no sense unless clients are asked for tokens.
const OF_AUTH: [&str; 2] = ["own-keys", "open-discovery"];

impl Server {
    /// A server as asked for.
    ///
    /// # Errors
    /// A fault or quirk that does not exist.
    pub fn new(options: &Options) -> Result<Self, UnknownName> {
        build(options).map(|(server, _)| server)
    }
}

/// A server, and its interceptor of HTTP requests if there is one.
fn build(options: &Options) -> Result<(Server, Option<Box<dyn http::Interceptor>>), UnknownName> {
    let faults = Faults::find(options)?;
    let quirks = options.quirks.iter().map(|name| find_quirk(name)).collect::<Result<Vec<_>, _>>()?;
    let needs_auth = faults.need_auth() || quirks.iter().any(|name| OF_AUTH.contains(name));
    let mut settings = Settings::new(options, quirks, faults.deviations());
    if needs_auth {
        settings.imply_auth();
    }
    let fixtures: Vec<_> = if settings.fixtures() { fixtures::definitions().collect() } else { Vec::new() };
    let toolbox = Toolbox::new(tools::definitions(&settings, fixtures.into_iter()));
    let mut interceptors: Vec<Box<dyn Interceptor>> = faults.interceptors();
    interceptors.push(Box::new(Quirks::new(&settings)));
    let server = Server::assemble(settings, toolbox, &Methods, interceptors);
    Ok((server, faults.of_http()))
}

fn find_quirk(name: &str) -> Result<&'static str, UnknownName> {
    let found = quirks().iter().find(|quirk| quirk.name == name).map(|quirk| quirk.name);
    found.ok_or_else(|| UnknownName::new("quirk", name, quirks().iter().map(|quirk| quirk.name.to_owned())))
}

/// Serves on standard input and output until the input ends.
///
/// # Errors
/// A fault or quirk that does not exist; output that cannot be written.
pub fn serve_stdio(options: Options) -> std::io::Result<ExitCode> {
    stdio::serve(Server::new(&options)?)
}

/// Serves on a port of 127.0.0.1 (0: any that is free) and says where once it listens.
///
/// # Errors
/// A fault or quirk that does not exist; a port that is taken; a folder for tokens that cannot be written.
pub async fn serve_http(options: Options, port: u16, ready: impl FnOnce(String)) -> std::io::Result<ExitCode> {
    let (server, interceptor) = build(&options)?;
    http::serve_streamable(server, interceptor, (port, options.tokens.as_deref()), ready).await
}

/// Serves HTTP+SSE on a port of 127.0.0.1, in the revisions that open with a handshake.
///
/// # Errors
/// A fault or quirk that does not exist; a port that is taken; no revision left.
pub async fn serve_sse(mut options: Options, port: u16, ready: impl FnOnce(String)) -> std::io::Result<ExitCode> {
    let asked = if options.revisions.is_empty() { Revision::ALL.to_vec() } else { options.revisions };
    options.revisions = asked.into_iter().filter(|revision| revision.is_handshake()).collect();
    if options.revisions.is_empty() {
        let why = "HTTP+SSE is for the revisions before 2026-07-28";
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
    }
    let (server, interceptor) = build(&options)?;
    http::serve_streams(server, interceptor, port, ready).await
}
