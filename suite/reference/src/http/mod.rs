//! Streamable HTTP over the core, on 127.0.0.1: sessions for the handshake era, single requests for 2026-07-28.

mod answer;
mod body;
mod check;
mod headers;
mod hub;
mod legacy;
mod modern;
mod peer;

use std::convert::Infallible;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};

use crate::core::Server;
use crate::settings::Options;
use answer::{Answer, plain};
use hub::Hub;

/// The one path that is served.
const PATH: &str = "/mcp";
/// The longest body that is read.
const LONGEST: usize = 64 << 20;

/// Serves on a port of 127.0.0.1 (0: any that is free) and says where once it listens.
///
/// # Errors
/// A fault or quirk that does not exist; a port that is taken.
pub async fn serve_http(options: Options, port: u16, ready: impl FnOnce(String)) -> std::io::Result<ExitCode> {
    let hub = Arc::new(Hub::new(Server::new(&options)?));
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    ready(format!("http://{}{PATH}", listener.local_addr()?));
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A client that is gone before it was greeted is no reason to stop.
                if let Ok((stream, _)) = accepted {
                    tokio::spawn(converse(hub.clone(), stream));
                }
            }
            code = hub.exit() => return Ok(ExitCode::from(code)),
        }
    }
}

async fn converse(hub: Arc<Hub>, stream: TcpStream) {
    let service = service_fn(move |request| {
        let hub = hub.clone();
        async move { Ok::<_, Infallible>(serve(&hub, request).await) }
    });
    // A connection that breaks off is the client's affair.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(30))
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn serve(hub: &Arc<Hub>, request: Request<Incoming>) -> Answer {
    if let Err(refusal) = check::origin(request.headers()) {
        return *refusal;
    }
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, "There is nothing here. The endpoint is /mcp.");
    }
    let (head, body) = request.into_parts();
    match head.method {
        Method::POST => match read(body).await {
            Ok(body) => post(hub, &head.headers, &body).await,
            Err(refusal) => *refusal,
        },
        Method::GET if hub.keeps_sessions() => legacy::get(hub, &head.headers),
        Method::DELETE if hub.keeps_sessions() => legacy::delete(hub, &head.headers),
        _ => {
            let allow = if hub.keeps_sessions() { "GET, POST, DELETE" } else { "POST" };
            answer::with(plain(StatusCode::METHOD_NOT_ALLOWED, "Not this method."), "allow", allow)
        }
    }
}

async fn read(body: Incoming) -> Result<Bytes, Box<Answer>> {
    match Limited::new(body, LONGEST).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(Box::new(plain(StatusCode::PAYLOAD_TOO_LARGE, "The body is too long.")))
        }
        Err(_) => Err(Box::new(plain(StatusCode::BAD_REQUEST, "The body broke off."))),
    }
}

async fn post(hub: &Arc<Hub>, headers: &hyper::HeaderMap, body: &[u8]) -> Answer {
    if let Err(refusal) = check::media(headers) {
        return *refusal;
    }
    let message = check::Posted::read(body);
    if modern::is_for(hub, headers, &message) {
        modern::post(hub, headers, &message, body).await
    } else {
        legacy::post(hub, headers, &message, body).await
    }
}
