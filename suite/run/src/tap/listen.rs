//! A pass-through between HTTP clients and a URL: requests are sent on as they come, answers handed back as they come, event
//! streams event by event.
//!
//! It listens on this machine alone. `Host` is made to fit the URL, and `Accept-Encoding` is left out, since what is
//! compressed cannot be read; headers that are about the connection are each connection's own.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use bytes::Bytes;
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::{LocalSet, spawn_local};
use url::Url;
use verdict::transcript::{Headers, Kind};

use super::http::{Passing, Sessions};
use super::recording::{Recording, Said};
use crate::transport::http::{Pool, headers};
use crate::transport::{Departure, Form, Parcel};
use crate::{Choice, Trouble};

/// The largest request that is sent on.
const LARGEST: usize = 64 << 20;
/// Headers that are not passed on: they belong to one connection, or would make answers unreadable.
const OWN: [&str; 11] = [
    "host",
    "connection",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "content-length",
    "accept-encoding",
    "expect",
];

/// From where to where.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// Where clients connect.
    pub listen: SocketAddr,
    /// The endpoint of the server.
    pub to: Url,
    /// How it is spoken to: `Sse` for HTTP+SSE, else Streamable HTTP.
    pub over: Choice,
}

type Body = Either<Passing, Full<Bytes>>;

/// Stands between clients and the URL until it is interrupted. `ready` learns the URL for clients.
///
/// # Errors
/// When it cannot listen there.
pub fn listen(bridge: &Bridge, recording: Recording, ready: impl FnOnce(&str)) -> Result<Recording, Trouble> {
    if !bridge.listen.ip().is_loopback() {
        let advice = "whoever reaches it reaches the server with whatever they send";
        return Err(Trouble::Usage(format!("--listen {}: it listens on this machine alone: {advice}", bridge.listen)));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Trouble::Usage(format!("cannot start: {error}")))?;
    let recording = Rc::new(RefCell::new(recording));
    let set = LocalSet::new();
    runtime.block_on(set.run_until(serve(bridge, Rc::clone(&recording), ready)))?;
    // What is under way is dropped, and says so.
    drop(set);
    drop(runtime);
    Rc::try_unwrap(recording)
        .map(RefCell::into_inner)
        .map_err(|_| Trouble::Usage("the recording is still being written".to_owned()))
}

async fn serve(bridge: &Bridge, recording: Rc<RefCell<Recording>>, ready: impl FnOnce(&str)) -> Result<(), Trouble> {
    let refuse = |error| Trouble::Usage(format!("cannot listen on {}: {error}", bridge.listen));
    let listener = TcpListener::bind(bridge.listen).await.map_err(refuse)?;
    let own = listener.local_addr().map_err(refuse)?;
    ready(&format!("http://{own}{}", &bridge.to[url::Position::BeforePath..url::Position::AfterQuery]));
    let way = Rc::new(Way {
        pool: Pool::new(&bridge.to, false),
        endpoint: bridge.to[url::Position::BeforePath..url::Position::AfterQuery].to_owned(),
        sessions: RefCell::new(Sessions::new(bridge.over == Choice::Sse)),
        recording,
    });
    let accept = async {
        loop {
            let Ok((stream, _)) = listener.accept().await else { continue };
            let _ = stream.set_nodelay(true);
            let way = Rc::clone(&way);
            spawn_local(async move {
                let service = service_fn(|request| way.pass(request));
                // A client may leave whenever it likes.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = crate::plan::interrupted() => {}
    }
    Ok(())
}

/// State shared by all connections.
struct Way {
    pool: Pool,
    endpoint: String,
    sessions: RefCell<Sessions>,
    recording: Rc<RefCell<Recording>>,
}

impl Way {
    async fn pass(self: &Rc<Self>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let at = Instant::now();
        let (head, body) = request.into_parts();
        let Ok(body) = Limited::new(body, LARGEST).collect().await else {
            return Ok(plain(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large to be recorded"));
        };
        let bytes = body.to_bytes();
        let path = head.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let own = (path != self.endpoint).then_some(path);
        let said = Said {
            bytes: &bytes,
            http: Some(head.method.to_string()),
            headers: headers(&head.headers),
            path: own.clone(),
        };
        let (session, channel) = self.sessions.borrow_mut().sort(&mut self.recording.borrow_mut(), &said);
        self.recording.borrow_mut().said(session, at, channel, &said);
        let method = head.method.to_string();
        let headers = kept(said.headers);
        let parcel = Parcel {
            channel,
            method,
            path: own,
            headers,
            bytes: bytes.to_vec().into(),
            form: Form::Tidy,
            at_once: false,
            departure: Departure::default(),
        };
        Ok(self.answer(session, channel, parcel).await)
    }

    async fn answer(self: &Rc<Self>, session: u32, channel: u32, parcel: Parcel) -> Response<Body> {
        let mut waiting = Passing::waiting(Rc::clone(&self.recording), session, channel);
        let (response, sender) = match self.pool.send(parcel).await {
            Ok(answer) => answer,
            Err(fault) => {
                waiting.ended(Some(&fault));
                return plain(
                    StatusCode::BAD_GATEWAY,
                    &format!("mcp-conform record: the server was not reached: {fault}"),
                );
            }
        };
        // A connection that is used again is one that was read to its end: each answer has its own here.
        drop(sender);
        let (head, body) = response.into_parts();
        let told = headers(&head.headers);
        self.sessions.borrow_mut().answered(session, &told);
        let status = head.status.as_u16();
        self.recording.borrow_mut().add(session, Instant::now(), Kind::Status { channel, status, headers: told });
        let sessions = self.sessions.borrow().streams().then(|| Rc::clone(self));
        let announced = Box::new(move |path: &str| {
            if let Some(way) = &sessions {
                way.sessions.borrow_mut().announced(session, path);
            }
        });
        waiting.begin(&head.headers, body, announced);
        let mut response = Response::new(Either::Left(waiting));
        *response.status_mut() = head.status;
        for (name, value) in &head.headers {
            if !OWN.contains(&name.as_str()) {
                response.headers_mut().append(name, value.clone());
            }
        }
        response
    }
}

fn kept(mut headers: Headers) -> Headers {
    headers.retain(|(name, _)| !OWN.iter().any(|own| name.eq_ignore_ascii_case(own)));
    headers
}

fn plain(status: StatusCode, text: &str) -> Response<Body> {
    let mut response = Response::new(Either::Right(Full::new(Bytes::from(text.to_owned() + "\n"))));
    *response.status_mut() = status;
    response
}
