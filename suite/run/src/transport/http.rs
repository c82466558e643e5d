//! HTTP/1.1 at connection level: one value a connection, so that status, duplicate headers, cut streams and the timing of
//! events are seen as they are. No proxy is used and no redirect is followed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet, spawn_local};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::Url;
use verdict::transcript::{Headers, Via};
use wire::sse::SseFramer;

use super::{FRAME, Form, Inbound, Parcel, Piece, verbatim};

pub(crate) mod fuzzing;

/// How long opening a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a connection that was used before may take until it can be used again.
const READY: Duration = Duration::from_millis(20);

/// Requests to one server of which the head of the response is still awaited: as many as a browser sends. Seventy connections at
/// once overflow the listen queue of a small server, and what is lost there is not the server's fault.
const AT_ONCE: usize = 6;

/// How long such a request keeps others waiting: a server may answer when it likes.
const HELD: Duration = Duration::from_millis(250);

/// How much the last head counts for how soon the next one is expected, as for the round trips of TCP (RFC 6298), how many times as long
/// as that it keeps others waiting, and how long at least.
const WEIGHT: u32 = 8;
const TIMES: u32 = 4;
const LEAST: Duration = Duration::from_millis(25);

/// Idle connections that a client keeps.
const IDLE: usize = AT_ONCE;

pub(crate) type Sender = SendRequest<Full<Bytes>>;

/// Turns of sending a request to one server.
#[derive(Debug)]
pub(crate) struct Turns {
    free: Semaphore,
    held: Duration,
    /// How soon a head is expected.
    expected: Cell<Duration>,
}

impl Default for Turns {
    fn default() -> Self {
        Self { free: Semaphore::new(AT_ONCE), held: HELD, expected: Cell::new(HELD) }
    }
}

impl Turns {
    /// Notes how long a head took; one that comes late counts too, or a server that slows down would be sent more and more at once.
    fn note_head(&self, took: Duration) {
        let expected = self.expected.get();
        self.expected.set(expected - expected / WEIGHT + took.min(self.held) / WEIGHT);
    }

    fn held(&self) -> Duration {
        (self.expected.get() * TIMES).max(LEAST).min(self.held)
    }
}

/// A client with connections of its own to one URL.
#[derive(Debug)]
pub(crate) struct Client {
    outbox: RefCell<Option<mpsc::UnboundedSender<Parcel>>>,
    under_way: Rc<RefCell<HashMap<u32, AbortHandle>>>,
}

/// A byte stream that a connection runs over: TCP, or TLS on top of it.
trait Stream: AsyncRead + AsyncWrite + Unpin {}

impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}

#[derive(Debug)]
pub(crate) struct Pool {
    url: Url,
    idle: RefCell<Vec<Sender>>,
    tls: Option<Arc<ClientConfig>>,
    closed: Cell<bool>,
    /// Whether the response to a GET of the URL is read as an event stream, whatever its media type.
    streams: bool,
    /// Turns of sending a request, for all clients of a server together; none for a proxy, which delays nothing.
    turns: Option<Rc<Turns>>,
}

/// Makes a client; connections are opened when something is sent.
pub(crate) fn open(url: &Url, turns: &Rc<Turns>, inbox: mpsc::Sender<Inbound>) -> Client {
    client(Pool::new(url, false), turns, inbox)
}

/// Makes a client for a URL that is an event stream, even if its media type says otherwise.
pub(crate) fn open_streaming(url: &Url, turns: &Rc<Turns>, inbox: mpsc::Sender<Inbound>) -> Client {
    client(Pool::new(url, true), turns, inbox)
}

fn client(pool: Pool, turns: &Rc<Turns>, inbox: mpsc::Sender<Inbound>) -> Client {
    let pool = Rc::new(Pool { turns: Some(Rc::clone(turns)), ..pool });
    let (outbox, mut parcels) = mpsc::unbounded_channel::<Parcel>();
    let under_way = Rc::new(RefCell::new(HashMap::new()));
    let known = Rc::clone(&under_way);
    spawn_local(async move {
        // Dropping the set ends every exchange and with it every connection.
        let mut exchanges = JoinSet::new();
        while let Some(parcel) = parcels.recv().await {
            let channel = parcel.channel;
            let handle = exchanges.spawn_local(exchange(Rc::clone(&pool), parcel, inbox.clone()));
            known.borrow_mut().insert(channel, handle);
            while exchanges.try_join_next().is_some() {}
            known.borrow_mut().retain(|_, handle: &mut AbortHandle| !handle.is_finished());
        }
        pool.closed.set(true);
        pool.idle.borrow_mut().clear();
    });
    Client { outbox: RefCell::new(Some(outbox)), under_way }
}

fn tls() -> Arc<ClientConfig> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Arc::new(match config {
        Ok(config) => config.with_root_certificates(roots).with_no_client_auth(),
        // The ring provider has the default versions; without them there is no way to go on.
        Err(error) => unreachable!("ring supports the default TLS versions: {error}"),
    })
}

impl Client {
    /// Sends one request; status, frames and end of the answer come through the inbox.
    pub(crate) fn send(&self, parcel: Parcel) {
        if let Some(outbox) = self.outbox.borrow().as_ref() {
            let _ = outbox.send(parcel);
        }
    }

    /// Drops the connection of one exchange.
    pub(crate) fn abort_exchange(&self, channel: u32) {
        if let Some(handle) = self.under_way.borrow_mut().remove(&channel) {
            handle.abort();
        }
    }

    /// Drops every connection.
    pub(crate) fn close(&self) {
        self.outbox.borrow_mut().take();
    }
}

async fn exchange(pool: Rc<Pool>, parcel: Parcel, inbox: mpsc::Sender<Inbound>) {
    let channel = parcel.channel;
    let plain = pool.streams && parcel.method == "GET" && parcel.path.is_none();
    let fault = match pool.send(parcel).await {
        Ok((response, sender)) => {
            let fault = hand_over(channel, response, plain, &inbox).await;
            if let Some(sender) = sender.filter(|_| fault.is_none()) {
                pool.keep(sender);
            }
            fault
        }
        Err(fault) => Some(fault),
    };
    let _ = inbox.send(Inbound::Closed { channel, fault }).await;
}

/// The head, and then the body as what it is.
async fn hand_over(
    channel: u32,
    response: Response<Incoming>,
    plain: bool,
    inbox: &mpsc::Sender<Inbound>,
) -> Option<String> {
    let (head, body) = response.into_parts();
    let headers = headers(&head.headers);
    let _ = inbox.send(Inbound::Status { channel, status: head.status.as_u16(), headers }).await;
    let named = content_type(&head.headers).is_some_and(|kind| kind.starts_with("text/event-stream"));
    let streamed = named || plain && head.status.is_success();
    if streamed { events(channel, body, inbox).await } else { whole(channel, body, inbox).await }
}

pub(crate) fn content_type(headers: &hyper::HeaderMap) -> Option<String> {
    Some(headers.get(hyper::header::CONTENT_TYPE)?.to_str().ok()?.trim().to_ascii_lowercase())
}

pub(crate) fn headers(map: &hyper::HeaderMap) -> Headers {
    map.iter().map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())).collect()
}

/// A body that is one frame.
async fn whole(channel: u32, mut body: Incoming, inbox: &mpsc::Sender<Inbound>) -> Option<String> {
    let (mut bytes, mut dropped) = (Vec::new(), 0);
    let fault = loop {
        match body.frame().await {
            None => break None,
            Some(Err(error)) => break Some(reason(&error)),
            Some(Ok(frame)) => {
                let data = frame.into_data().unwrap_or_default();
                let room = FRAME.saturating_sub(bytes.len()).min(data.len());
                bytes.extend_from_slice(&data[..room]);
                dropped += (data.len() - room) as u64;
            }
        }
    };
    if !bytes.is_empty() {
        let _ = inbox.send(Inbound::Frame { channel, bytes, via: Via::Body, dropped }).await;
    }
    fault
}

/// A body that is a stream of events.
async fn events(channel: u32, mut body: Incoming, inbox: &mpsc::Sender<Inbound>) -> Option<String> {
    let mut framer = SseFramer::new(FRAME);
    loop {
        match body.frame().await {
            None => break,
            Some(Err(error)) => return Some(reason(&error)),
            Some(Ok(frame)) => {
                for event in framer.push(&frame.into_data().unwrap_or_default()) {
                    let _ = inbox.send(inbound(channel, event)).await;
                }
            }
        }
    }
    if let Some(event) = framer.finish() {
        let _ = inbox.send(inbound(channel, event)).await;
    }
    None
}

fn inbound(channel: u32, event: wire::sse::Event) -> Inbound {
    let oddities = event.oddities.iter().map(|oddity| format!("{oddity:?}")).collect();
    let via = Via::Sse { event: event.event, id: event.id, retry: event.retry, oddities };
    Inbound::Frame { channel, bytes: event.data.unwrap_or_default().into_bytes(), via, dropped: 0 }
}

impl Pool {
    /// No connection yet.
    pub(crate) fn new(url: &Url, streams: bool) -> Self {
        let tls = (url.scheme() == "https").then(tls);
        Self { url: url.clone(), idle: RefCell::default(), tls, closed: Cell::new(false), streams, turns: None }
    }

    /// The response, and the connection if it can be used again. Waits for a turn first.
    pub(crate) async fn send(&self, parcel: Parcel) -> Result<(Response<Incoming>, Option<Sender>), String> {
        let departure = parcel.departure.clone();
        let Some(turns) = self.turns.as_ref().filter(|_| !parcel.at_once) else {
            departure.leave();
            return self.send_now(parcel).await;
        };
        let turn = turns.free.acquire().await;
        departure.leave();
        let mut response = std::pin::pin!(self.send_now(parcel));
        let began = Instant::now();
        let response = match timeout(turns.held(), &mut response).await {
            Ok(response) => response,
            Err(_) => {
                drop(turn);
                response.await
            }
        };
        if response.is_ok() {
            turns.note_head(began.elapsed());
        }
        response
    }

    async fn send_now(&self, parcel: Parcel) -> Result<(Response<Incoming>, Option<Sender>), String> {
        if !matches!(parcel.form, Form::Tidy) {
            return Ok((self.send_verbatim(&parcel).await?, None));
        }
        let body = parcel.bytes;
        let path = parcel.path.as_deref();
        if let Some(mut sender) = self.ready().await {
            match sender.send_request(self.request(&parcel.method, path, &parcel.headers, body.clone())?).await {
                Ok(response) => return Ok((response, Some(sender))),
                // A server may close an idle connection at any time: most likely nothing of the request was taken then. It cannot be told
                // from a server that took it and fell, but that one falls again.
                Err(error) if is_stale(&error) => {}
                Err(error) => return Err(reason(&error)),
            }
        }
        let mut sender = speak(TokioIo::new(self.connect(false).await?)).await?;
        let request = self.request(&parcel.method, path, &parcel.headers, body)?;
        let response = sender.send_request(request).await.map_err(|error| reason(&error))?;
        Ok((response, Some(sender)))
    }

    /// A connection that can be used again. One on which the server answered before it had read everything is stuck.
    async fn ready(&self) -> Option<Sender> {
        loop {
            let mut sender = self.idle.borrow_mut().pop()?;
            if matches!(timeout(READY, sender.ready()).await, Ok(Ok(()))) {
                return Some(sender);
            }
        }
    }

    /// Writes the bytes ourselves; hyper reads the response.
    async fn send_verbatim(&self, parcel: &Parcel) -> Result<Response<Incoming>, String> {
        let pieces = verbatim::pieces(parcel, self.host(), self.path());
        let resets = pieces.iter().any(|piece| matches!(piece, Piece::Abort));
        let (reading, mut writing) = tokio::io::split(self.connect(resets).await?);
        let asked = Rc::new(Notify::new());
        let mut sender = speak(TokioIo::new(verbatim::Deaf { reading, asked: Rc::clone(&asked) })).await?;
        let method = Method::from_bytes(parcel.method.as_bytes()).unwrap_or(Method::POST);
        let request = Request::builder().method(method).uri("/").body(Full::default());
        let answer = sender.send_request(request.map_err(|error| error.to_string())?);
        let write = async {
            asked.notified().await;
            if !verbatim::write(&mut writing, pieces).await {
                return;
            }
            // The writing half is kept: dropping it is no business of this request.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            answer = answer => answer.map_err(|error| reason(&error)),
            () = write => Err("the tester reset the connection".to_owned()),
        }
    }

    fn host(&self) -> &str {
        &self.url[url::Position::BeforeHost..url::Position::AfterPort]
    }

    fn path(&self) -> &str {
        &self.url[url::Position::BeforePath..url::Position::AfterQuery]
    }

    /// Keeps a connection to be used again.
    pub(crate) fn keep(&self, sender: Sender) {
        if !self.closed.get() && !sender.is_closed() && self.idle.borrow().len() < IDLE {
            self.idle.borrow_mut().push(sender);
        }
    }

    fn request(
        &self,
        method: &str,
        path: Option<&str>,
        headers: &Headers,
        body: Bytes,
    ) -> Result<Request<Full<Bytes>>, String> {
        let path = path.unwrap_or_else(|| self.path());
        let method = Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?;
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("Host", self.host());
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.body(Full::new(body)).map_err(|error| format!("the request cannot be sent: {error}"))
    }

    /// A connection; one that `resets` ends without a farewell when it is dropped.
    async fn connect(&self, resets: bool) -> Result<Box<dyn Stream>, String> {
        match timeout(CONNECT, self.dial(resets)).await {
            Ok(stream) => stream,
            Err(_) => Err(format!("no connection within {} s", CONNECT.as_secs())),
        }
    }

    async fn dial(&self, resets: bool) -> Result<Box<dyn Stream>, String> {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = self.url.port_or_known_default().unwrap_or(80);
        let stream = TcpStream::connect((host.as_str(), port)).await;
        // Rules tell by these words that nothing was sent.
        let stream = stream.map_err(|error| format!("no connection: {error}"))?;
        let _ = stream.set_nodelay(true);
        if resets {
            let _ = stream.set_zero_linger();
        }
        let Some(config) = &self.tls else { return Ok(Box::new(stream)) };
        let name = ServerName::try_from(host).map_err(|error| error.to_string())?;
        let stream = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
        Ok(Box::new(stream.map_err(|error| format!("TLS: {error}"))?))
    }
}

async fn speak<T>(io: T) -> Result<Sender, String>
where
    T: hyper::rt::Read + hyper::rt::Write + Unpin + 'static,
{
    let (sender, connection) = handshake(io).await.map_err(|error| reason(&error))?;
    spawn_local(async move {
        // Its fault reaches the exchange that is on the connection.
        let _ = connection.await;
    });
    Ok(sender)
}

/// The server had closed the connection before anything of this request was answered.
fn is_stale(error: &hyper::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    let reset = source.is_some_and(|io| matches!(io.kind(), BrokenPipe | ConnectionAborted | ConnectionReset));
    error.is_canceled() || error.is_closed() || error.is_incomplete_message() || reset
}

/// hyper's text hides the cause, which is what matters.
pub(crate) fn reason(error: &hyper::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
