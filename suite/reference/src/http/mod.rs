//! HTTP over the core, on 127.0.0.1. Streamable HTTP: sessions for the handshake era, single requests for 2026-07-28.
//! HTTP+SSE of 2024-11-05: a stream for each client of the handshake era.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod check;
mod guard;
pub(crate) mod headers;
pub(crate) mod hub;
pub(crate) mod legacy;
mod modern;
mod replay;
mod sse;
mod sse_event;
mod stray;
pub(crate) mod write;

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::core::Server;
use crate::deviation::Deviation;
use crate::settings::Settings;
use crate::tools::baskets;
use answer::{Answer, plain};
use check::Posted;
use guard::Guard;
use hub::Hub;
use legacy::SESSION;

/// The body of a request: as it comes, or already read.
type Arriving = UnsyncBoxBody<Bytes, hyper::Error>;

/// The one path that is served.
const PATH: &str = "/mcp";
/// Connections that wait where the queue is short, as in the HTTP servers of Python's standard library, and how long each is taken.
const QUEUE: u32 = 5;
const TAKEN: Duration = Duration::from_millis(3);

/// How long the quirk of slow GETs has one wait.
const LOOKUP: Duration = Duration::from_millis(100);
/// The longest body that is read.
const LONGEST: usize = 64 << 20;

/// Serves on a port of 127.0.0.1 (0: any that is free), and calls `ready` with the URL once it listens.
pub(crate) async fn serve_streamable(
    server: Server,
    interceptor: Option<Box<dyn Interceptor>>,
    (port, tokens): (u16, Option<&Path>),
    ready: impl FnOnce(String),
) -> std::io::Result<ExitCode> {
    let listener = bind(&server, port).await?;
    let origin = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
    let guard = server.settings.auth().map(|auth| Guard::new(auth, &origin)).transpose()?;
    if let (Some(guard), Some(folder)) = (&guard, tokens) {
        guard.hand_out(folder, &server.settings)?;
    }
    ready(format!("{origin}{PATH}"));
    listen(Arc::new(Hub::new(server, guard, interceptor, false)), listener).await
}

/// Serves HTTP+SSE, in the revisions that open with a handshake.
pub(crate) async fn serve_streams(
    server: Server,
    interceptor: Option<Box<dyn Interceptor>>,
    port: u16,
    ready: impl FnOnce(String),
) -> std::io::Result<ExitCode> {
    let listener = bind(&server, port).await?;
    ready(format!("http://127.0.0.1:{}{}", listener.local_addr()?.port(), sse::STREAM));
    listen(Arc::new(Hub::new(server, None, interceptor, true)), listener).await
}

/// On this machine alone, unless a fault has it otherwise.
async fn bind(server: &Server, port: u16) -> std::io::Result<TcpListener> {
    let everywhere = server.deviates(Deviation::ListensEverywhere);
    let host = if everywhere { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    if !server.quirk("short-queue") {
        return TcpListener::bind((host, port)).await;
    }
    let socket = TcpSocket::new_v4()?;
    socket.bind((host, port).into())?;
    socket.listen(QUEUE)
}

async fn listen(hub: Arc<Hub>, listener: TcpListener) -> std::io::Result<ExitCode> {
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A client that is gone before it was greeted is no reason to stop.
                if let Ok((stream, _)) = accepted {
                    // Events are small and follow each other: they must not wait for an acknowledgement.
                    let _ = stream.set_nodelay(true);
                    tokio::spawn(converse(hub.clone(), stream));
                }
                if hub.server.quirk("short-queue") {
                    tokio::time::sleep(TAKEN).await;
                }
            }
            code = hub.exit() => return Ok(ExitCode::from(code)),
        }
    }
}

async fn converse(hub: Arc<Hub>, stream: TcpStream) {
    let line = Line { asked: Arc::default(), loud: stray::is_loud(&hub.server, &stream).await };
    let service = service_fn(move |mut request: Request<Incoming>| {
        let hub = hub.clone();
        request.extensions_mut().insert(line.clone());
        async move { Ok::<_, Infallible>(serve(&hub, request).await) }
    });
    // A connection that breaks off is the client's affair.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(30))
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Who has shown a good token.
#[derive(Clone)]
struct Caller(String);

/// One TCP connection: only faults look at it.
#[derive(Clone, Default)]
struct Line {
    /// Whether there was a request on it.
    asked: Arc<AtomicBool>,
    /// The header names of the first request are in capitals.
    loud: bool,
}

async fn serve(hub: &Arc<Hub>, request: Request<Incoming>) -> Answer {
    let origin = request.headers().get(hyper::header::ORIGIN).cloned();
    let answer = match &hub.guard {
        Some(guard) => serve_protected(hub, guard, request.map(BodyExt::boxed_unsync)).await,
        None => endpoint(hub, request.map(BodyExt::boxed_unsync)).await,
    };
    check::reflect_origin(&hub.server.settings, origin.as_ref(), answer)
}

/// Serves public documents to everybody, and the endpoint to authorized clients.
async fn serve_protected(hub: &Arc<Hub>, guard: &Guard, request: Request<Arriving>) -> Answer {
    let settings = &hub.server.settings;
    let (mut head, body) = request.into_parts();
    let body = match read(settings, body).await {
        Ok(body) => body,
        Err(refusal) => return *refusal,
    };
    if let Some(answer) = guard.public(&head, &body, settings) {
        return answer;
    }
    let holder = match guard.admit(&head, settings) {
        Ok(holder) => Some(holder),
        Err(_) if guard.is_open(&head, Some(&body), settings) || baskets::opens(&hub.server, &body) => None,
        Err(refusal) => return *refusal,
    };
    if let Some(Err(refusal)) = holder.as_ref().map(|holder| guard.allow(holder, &body, settings)) {
        return *refusal;
    }
    let session = head.headers.get(SESSION).and_then(|id| id.to_str().ok());
    if let (Some(holder), Some(session)) = (&holder, session)
        && !guard.owns(holder, session, settings)
    {
        return plain(StatusCode::NOT_FOUND, "There is no such session.");
    }
    if let Some(holder) = &holder {
        head.extensions.insert(Caller(holder.subject.clone()));
    }
    let answer =
        endpoint(hub, Request::from_parts(head, Full::new(body).map_err(|never| match never {}).boxed_unsync())).await;
    if let (Some(holder), Some(issued)) = (&holder, answer.headers().get(SESSION).and_then(|id| id.to_str().ok())) {
        guard.bind_session(holder, issued);
    }
    answer
}

async fn endpoint(hub: &Arc<Hub>, request: Request<Arriving>) -> Answer {
    if let Err(refusal) = check::origin(&hub.server.settings, request.method(), request.headers())
        && !sse::is_blind(hub, &request)
    {
        return *refusal;
    }
    let both = hub.server.quirk("sse-beside");
    if hub.streams && !both || both && sse::is_for(&request) {
        return sse::serve(hub, request).await;
    }
    if request.uri().path() != PATH {
        return plain(StatusCode::NOT_FOUND, "There is nothing here. The endpoint is /mcp.");
    }
    let (head, body) = request.into_parts();
    let body = match head.method {
        Method::POST => match read(&hub.server.settings, body).await {
            Ok(body) => body,
            Err(refusal) => return *refusal,
        },
        _ => Bytes::new(),
    };
    let line = head.extensions.get::<Line>().cloned().unwrap_or_default();
    let fresh = !line.asked.swap(true, Ordering::Relaxed);
    let connection = Arc::as_ptr(&line.asked).addr();
    let caller = head.extensions.get::<Caller>().map(|caller| caller.0.clone());
    let asked = Asked { method: head.method, headers: head.headers, body, fresh, connection, loud: line.loud, caller };
    if hub.server.state().is_upset() {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error");
    }
    let falters = asked.method == Method::POST && hub.server.deviates(Deviation::RequestsFailNowAndThen);
    if falters && hub.server.state().falters() {
        return plain(StatusCode::BAD_GATEWAY, "Bad Gateway");
    }
    match &hub.interceptor {
        Some(interceptor) => intercept(hub, interceptor.as_ref(), asked).await,
        None => route(hub, &asked).await,
    }
}

/// Serves a request as an interceptor has it.
async fn intercept(hub: &Arc<Hub>, interceptor: &dyn Interceptor, mut asked: Asked) -> Answer {
    let mut message = check::Posted::read(&asked.body);
    if let Some(answer) = interceptor.request(hub, &mut asked, &mut message) {
        return answer;
    }
    let answer = route(hub, &asked).await;
    let answer = interceptor.answer(hub, answer, &asked, &message);
    if asked.method == Method::GET && hub.server.deviates(Deviation::GetHeadWaitsForEvent) {
        return stray::with_first_event(answer).await;
    }
    answer
}

/// Has a say in what HTTP requests are answered with; a conforming server has no interceptor.
///
/// Sees requests before their route, and answers after it. Every method does nothing unless implemented.
pub(crate) trait Interceptor: Send + Sync {
    /// Called before a request is routed; an answer ends it there.
    fn request(&self, _hub: &Hub, _asked: &mut Asked, _message: &mut Posted) -> Option<Answer> {
        None
    }

    /// Called with the answer to a request.
    fn answer(&self, _hub: &Hub, answer: Answer, _asked: &Asked, _message: &Posted) -> Answer {
        answer
    }

    /// The id of a session, if not the random one; `count` is how many there have been.
    fn session_id(&self, _count: u64, _random: &str) -> Option<String> {
        None
    }
}

/// One HTTP request.
pub(crate) struct Asked {
    pub(crate) method: Method,
    pub(crate) headers: hyper::HeaderMap,
    pub(crate) body: Bytes,
    /// The first one on its connection.
    pub(crate) fresh: bool,
    /// Its connection, as a number.
    pub(crate) connection: usize,
    /// Its header names are in capitals, if a fault minds them.
    pub(crate) loud: bool,
    /// Who asks, where authorization is asked for.
    caller: Option<String>,
}

async fn route(hub: &Arc<Hub>, asked: &Asked) -> Answer {
    match asked.method {
        Method::POST => post(hub, asked).await,
        Method::GET if hub.listens() => {
            if hub.server.quirk("slow-gets") {
                tokio::time::sleep(LOOKUP).await;
            }
            legacy::get(hub, &asked.headers)
        }
        Method::DELETE if hub.lets_end() => legacy::delete(hub, &asked.headers),
        _ => answer::with(plain(StatusCode::METHOD_NOT_ALLOWED, "Not this method."), "allow", allowed_methods(hub)),
    }
}

fn allowed_methods(hub: &Hub) -> &'static str {
    match (hub.listens(), hub.lets_end()) {
        (true, true) => "GET, POST, DELETE",
        (true, false) => "GET, POST",
        (false, true) => "POST, DELETE",
        (false, false) => "POST",
    }
}

async fn read(settings: &Settings, body: Arriving) -> Result<Bytes, Box<Answer>> {
    match Limited::new(body, LONGEST).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            Err(Box::new(plain(StatusCode::PAYLOAD_TOO_LARGE, "The body is too long.")))
        }
        Err(_) if settings.deviates(Deviation::BrokenBodyIsFatal) => std::process::exit(1),
        Err(_) if settings.deviates(Deviation::BrokenBodyGets500) => {
            Err(Box::new(plain(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")))
        }
        Err(_) => Err(Box::new(plain(StatusCode::BAD_REQUEST, "The body broke off."))),
    }
}

async fn post(hub: &Arc<Hub>, asked: &Asked) -> Answer {
    let Asked { headers, body, caller, .. } = asked;
    if let Err(refusal) = check::media(&hub.server.settings, headers) {
        return *refusal;
    }
    let message = check::Posted::read(body);
    if modern::is_for(hub, headers, &message) {
        modern::post(hub, headers, &message, (body, caller)).await
    } else {
        legacy::post(hub, headers, &message, (body, caller)).await
    }
}
