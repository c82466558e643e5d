//! HTTP/1.1 at connection level: one value a connection, so that status, duplicate headers, cut streams and the timing of
//! events are seen as they are. No proxy is used and no redirect is followed.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, spawn_local};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::Url;
use verdict::transcript::{Headers, Via};
use wire::sse::SseFramer;

use super::{FRAME, Inbound, Parcel};

/// How long opening a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

type Sender = SendRequest<Full<Bytes>>;

/// A client with connections of its own to one URL.
#[derive(Debug)]
pub(crate) struct Client {
    outbox: RefCell<Option<mpsc::UnboundedSender<Parcel>>>,
}

#[derive(Debug)]
struct Pool {
    url: Url,
    idle: RefCell<Vec<Sender>>,
    tls: Option<Arc<ClientConfig>>,
    closed: Cell<bool>,
}

/// Makes a client; connections are opened when something is sent.
pub(crate) fn open(url: &Url, inbox: mpsc::Sender<Inbound>) -> Client {
    let tls = (url.scheme() == "https").then(tls);
    let pool = Rc::new(Pool { url: url.clone(), idle: RefCell::default(), tls, closed: Cell::new(false) });
    let (outbox, mut parcels) = mpsc::unbounded_channel::<Parcel>();
    spawn_local(async move {
        // Dropping the set ends every exchange and with it every connection.
        let mut exchanges = JoinSet::new();
        while let Some(parcel) = parcels.recv().await {
            exchanges.spawn_local(exchange(Rc::clone(&pool), parcel, inbox.clone()));
            while exchanges.try_join_next().is_some() {}
        }
        pool.closed.set(true);
        pool.idle.borrow_mut().clear();
    });
    Client { outbox: RefCell::new(Some(outbox)) }
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

    /// Drops every connection.
    pub(crate) fn close(&self) {
        self.outbox.borrow_mut().take();
    }
}

async fn exchange(pool: Rc<Pool>, parcel: Parcel, inbox: mpsc::Sender<Inbound>) {
    let channel = parcel.channel;
    let fault = match pool.send(parcel).await {
        Ok((response, sender)) => {
            let (head, body) = response.into_parts();
            let headers = headers(&head.headers);
            let _ = inbox.send(Inbound::Status { channel, status: head.status.as_u16(), headers }).await;
            let streamed = content_type(&head.headers).is_some_and(|kind| kind.starts_with("text/event-stream"));
            let fault = if streamed { events(channel, body, &inbox).await } else { whole(channel, body, &inbox).await };
            if fault.is_none() {
                pool.keep(sender);
            }
            fault
        }
        Err(fault) => Some(fault),
    };
    let _ = inbox.send(Inbound::Closed { channel, fault }).await;
}

fn content_type(headers: &hyper::HeaderMap) -> Option<String> {
    Some(headers.get(hyper::header::CONTENT_TYPE)?.to_str().ok()?.trim().to_ascii_lowercase())
}

fn headers(map: &hyper::HeaderMap) -> Headers {
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
    async fn send(&self, parcel: Parcel) -> Result<(Response<Incoming>, Sender), String> {
        let body = Bytes::from(parcel.bytes);
        let idle = self.idle.borrow_mut().pop();
        if let Some(mut sender) = idle
            && sender.ready().await.is_ok()
        {
            match sender.send_request(self.request(parcel.method, &parcel.headers, body.clone())?).await {
                Ok(response) => return Ok((response, sender)),
                // A server may close an idle connection at any time: nothing of the request was taken then.
                Err(error) if error.is_canceled() || error.is_closed() || error.is_incomplete_message() => {}
                Err(error) => return Err(reason(&error)),
            }
        }
        let mut sender = self.connect().await?;
        let request = self.request(parcel.method, &parcel.headers, body)?;
        let response = sender.send_request(request).await.map_err(|error| reason(&error))?;
        Ok((response, sender))
    }

    fn keep(&self, sender: Sender) {
        if !self.closed.get() && !sender.is_closed() {
            self.idle.borrow_mut().push(sender);
        }
    }

    fn request(&self, method: &str, headers: &Headers, body: Bytes) -> Result<Request<Full<Bytes>>, String> {
        let path = &self.url[url::Position::BeforePath..url::Position::AfterQuery];
        let method = Method::from_bytes(method.as_bytes()).map_err(|error| error.to_string())?;
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request = request.header("Host", &self.url[url::Position::BeforeHost..url::Position::AfterPort]);
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        request.body(Full::new(body)).map_err(|error| format!("the request cannot be sent: {error}"))
    }

    async fn connect(&self) -> Result<Sender, String> {
        match timeout(CONNECT, self.dial()).await {
            Ok(sender) => sender,
            Err(_) => Err(format!("no connection within {} s", CONNECT.as_secs())),
        }
    }

    async fn dial(&self) -> Result<Sender, String> {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = self.url.port_or_known_default().unwrap_or(80);
        let stream = TcpStream::connect((host.as_str(), port)).await.map_err(|error| error.to_string())?;
        let _ = stream.set_nodelay(true);
        let Some(config) = &self.tls else { return speak(TokioIo::new(stream)).await };
        let name = ServerName::try_from(host).map_err(|error| error.to_string())?;
        let stream = TlsConnector::from(Arc::clone(config))
            .connect(name, stream)
            .await
            .map_err(|error| format!("TLS: {error}"))?;
        speak(TokioIo::new(stream)).await
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

/// hyper's text hides the cause, which is what matters.
fn reason(error: &hyper::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
