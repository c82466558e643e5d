//! HTTP+SSE of 2024-11-05: messages are posted to the URI that the first event of the stream announces. What is posted
//! before that waits; what can never be posted is told as a broken connection.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::task::spawn_local;
use url::Url;
use verdict::transcript::Via;

use super::{Inbound, Parcel, http};

/// Frames that may wait to be passed on.
const INBOX: usize = 64;

/// A client with one stream and connections to post on.
#[derive(Debug)]
pub(crate) struct Client {
    http: Rc<http::Client>,
    gate: Rc<Gate>,
}

/// Why nothing can be posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The stream was refused.
    Status(u16),
    /// The response is not an event stream.
    NoStream,
    /// The request for the stream is not answered.
    Silent(Duration),
    /// The stream says nothing of where to post.
    NoEvent(Duration),
    /// The announced text is not a web URI.
    NoUri(String),
    /// The announced URI is on another origin, where the user's headers do not belong.
    Foreign(Url),
    /// The connection broke.
    Broken(String),
}

/// Holds back what is to be posted until it is known where to.
#[derive(Debug)]
struct Gate {
    url: Url,
    stream: Cell<Option<u32>>,
    /// The announced URI, if it is on another origin: its path is tried on the user's.
    foreign: RefCell<Option<Url>>,
    limit: Duration,
    /// The stream has begun.
    begun: Cell<bool>,
    state: RefCell<State>,
    waiting: RefCell<Vec<Parcel>>,
    inbox: mpsc::Sender<Inbound>,
    moved: Notify,
}

#[derive(Clone, Debug)]
enum State {
    Waiting,
    /// Path and query.
    Open(String),
    Shut(Refusal),
}

/// Makes a client. The stream is the first GET without a path; the URI must be announced within `limit`.
pub(crate) fn open(url: &Url, limit: Duration, turns: &Rc<http::Turns>, inbox: mpsc::Sender<Inbound>) -> Client {
    let (sender, mut inner) = mpsc::channel(INBOX);
    let http = Rc::new(http::open_streaming(url, turns, sender));
    let gate = Rc::new(Gate {
        url: url.clone(),
        stream: Cell::new(None),
        foreign: RefCell::default(),
        limit,
        begun: Cell::new(false),
        state: RefCell::new(State::Waiting),
        waiting: RefCell::default(),
        inbox,
        moved: Notify::new(),
    });
    // Whoever drops the client ends its connections: this task must not hold on to them.
    let (watched, poster) = (Rc::downgrade(&gate), Rc::downgrade(&http));
    spawn_local(async move {
        while let Some(inbound) = inner.recv().await {
            let (Some(gate), Some(http)) = (watched.upgrade(), poster.upgrade()) else { return };
            let next = gate.look(&inbound);
            if gate.inbox.send(inbound).await.is_err() {
                return;
            }
            if let Some(state) = next {
                gate.turn(state, &http).await;
            }
        }
    });
    Client { http, gate }
}

impl Client {
    /// Sends one request; what has no path of its own is posted to the announced URI.
    pub(crate) fn send(&self, mut parcel: Parcel) {
        if parcel.path.is_none() && parcel.method == "GET" && self.gate.stream.get().is_none() {
            self.gate.stream.set(Some(parcel.channel));
            self.gate.expire();
        }
        if parcel.path.is_some() || parcel.method != "POST" {
            return self.http.send(parcel);
        }
        let state = self.gate.state.borrow().clone();
        match state {
            State::Waiting => self.gate.waiting.borrow_mut().push(parcel),
            State::Open(path) => {
                parcel.path = Some(path);
                self.http.send(parcel);
            }
            State::Shut(refusal) => {
                let (inbox, closed) = (self.gate.inbox.clone(), refusal.closes(&parcel));
                spawn_local(async move {
                    let _ = inbox.send(closed).await;
                });
            }
        }
    }

    /// Waits until it is known where to post, or that nothing can be.
    pub(crate) async fn announced(&self) {
        loop {
            let moved = self.gate.moved.notified();
            if !matches!(*self.gate.state.borrow(), State::Waiting) {
                return;
            }
            moved.await;
        }
    }

    /// Why nothing can be posted, if that is known.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        if let State::Shut(refusal) = &*self.gate.state.borrow() { Some(refusal.clone()) } else { None }
    }

    /// The announced URI if it is on another origin, where nothing is posted.
    pub(crate) fn foreign(&self) -> Option<Refusal> {
        self.gate.foreign.borrow().clone().map(Refusal::Foreign)
    }

    /// Where to post, if that is known.
    pub(crate) fn place(&self) -> Option<String> {
        if let State::Open(path) = &*self.gate.state.borrow() { Some(path.clone()) } else { None }
    }

    /// Path and query of the stream.
    pub(crate) fn path(&self) -> String {
        within(&self.gate.url)
    }

    /// The channel of the stream.
    pub(crate) fn stream(&self) -> Option<u32> {
        self.gate.stream.get()
    }

    /// Drops the connection of one exchange.
    pub(crate) fn abort_exchange(&self, channel: u32) {
        self.http.abort_exchange(channel);
    }

    /// Drops every connection.
    pub(crate) fn close(&self) {
        self.http.close();
    }
}

impl Gate {
    /// Returns the state that something received leads to while it is not known where to post; `None` if it changes nothing.
    fn look(&self, inbound: &Inbound) -> Option<State> {
        let stream = self.stream.get()?;
        if !matches!(*self.state.borrow(), State::Waiting) {
            return None;
        }
        match inbound {
            Inbound::Status { channel, status, .. } if *channel == stream && !(200..300).contains(status) => {
                Some(State::Shut(Refusal::Status(*status)))
            }
            Inbound::Status { channel, .. } if *channel == stream => {
                self.begun.set(true);
                None
            }
            Inbound::Frame { channel, bytes, via: Via::Sse { event: Some(event), .. }, .. }
                if *channel == stream && event == "endpoint" =>
            {
                let found = resolve(&self.url, &String::from_utf8_lossy(bytes));
                Some(self.at_home(found))
            }
            Inbound::Closed { channel, fault } if *channel == stream => {
                Some(State::Shut(fault.clone().map_or(Refusal::NoStream, Refusal::Broken)))
            }
            _ => None,
        }
    }

    /// A server behind a proxy may name itself wrongly: the path is tried where the user said that the server is.
    fn at_home(&self, found: State) -> State {
        match found {
            State::Shut(Refusal::Foreign(url)) => {
                let path = within(&url);
                self.foreign.replace(Some(url));
                State::Open(path)
            }
            other => other,
        }
    }

    /// A stream that says nothing is not waited for for ever.
    fn expire(self: &Rc<Self>) {
        let (gate, limit) = (Rc::downgrade(self), self.limit);
        spawn_local(async move {
            tokio::time::sleep(limit).await;
            if let Some(gate) = gate.upgrade()
                && matches!(*gate.state.borrow(), State::Waiting)
            {
                gate.shut(if gate.begun.get() { Refusal::NoEvent(limit) } else { Refusal::Silent(limit) }).await;
            }
        });
    }

    async fn turn(&self, state: State, http: &http::Client) {
        match state {
            State::Open(path) => {
                self.state.replace(State::Open(path.clone()));
                for mut parcel in self.waiting.take() {
                    parcel.path = Some(path.clone());
                    http.send(parcel);
                }
                self.moved.notify_waiters();
            }
            State::Shut(refusal) => self.shut(refusal).await,
            State::Waiting => {}
        }
    }

    async fn shut(&self, refusal: Refusal) {
        self.state.replace(State::Shut(refusal.clone()));
        self.moved.notify_waiters();
        for parcel in self.waiting.take() {
            let _ = self.inbox.send(refusal.closes(&parcel)).await;
        }
    }
}

impl Refusal {
    /// Returns the name by which rules know it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Status(_) => "status",
            Self::NoStream => "no-stream",
            Self::Silent(_) => "silent",
            Self::NoEvent(_) => "no-event",
            Self::NoUri(_) => "no-uri",
            Self::Foreign(_) => "foreign",
            Self::Broken(_) => "broken",
        }
    }

    fn closes(&self, parcel: &Parcel) -> Inbound {
        Inbound::Closed { channel: parcel.channel, fault: Some(format!("nothing was posted: {self}")) }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(status) => write!(f, "GET is answered with HTTP status {status} and no stream"),
            Self::NoStream => write!(f, "GET is answered, but no endpoint event came before the answer ended"),
            Self::Silent(limit) => write!(f, "GET is not answered within {} s", limit.as_secs_f32()),
            Self::NoEvent(limit) => {
                write!(f, "GET opens a stream, but no endpoint event came within {} s", limit.as_secs_f32())
            }
            Self::NoUri(text) => write!(f, "the endpoint event announces `{text}`, which is no URI of the web"),
            Self::Foreign(url) => write!(f, "the endpoint event announces {url}, which is on another origin"),
            Self::Broken(why) => write!(f, "the stream broke: {why}"),
        }
    }
}

fn within(url: &Url) -> String {
    url[url::Position::BeforePath..url::Position::AfterQuery].to_owned()
}

/// Where the data of an endpoint event leads. Quotation marks around it are a fault that rules tell, and no obstacle.
fn resolve(base: &Url, data: &str) -> State {
    let shown = || data.chars().take(200).collect::<String>();
    let text = serde_json::from_str::<String>(data).unwrap_or_else(|_| data.to_owned());
    let found = if text.trim().is_empty() || text.starts_with(['{', '[']) { None } else { base.join(&text).ok() };
    match found {
        Some(url) if url.origin() == base.origin() => State::Open(within(&url)),
        Some(url) if url.has_host() => State::Shut(Refusal::Foreign(url)),
        _ => State::Shut(Refusal::NoUri(shown())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(data: &str) -> Result<String, Refusal> {
        let base = Url::parse("http://localhost:3001/a/sse").expect("a URL");
        match resolve(&base, data) {
            State::Open(path) => Ok(path),
            State::Shut(refusal) => Err(refusal),
            State::Waiting => unreachable!("it is decided"),
        }
    }

    #[test]
    fn absolute_rooted_and_relative_references_are_resolved() {
        assert_eq!(place("/messages?session=1").as_deref(), Ok("/messages?session=1"));
        assert_eq!(place("messages/?session=1").as_deref(), Ok("/a/messages/?session=1"));
        assert_eq!(place("?session=1").as_deref(), Ok("/a/sse?session=1"));
        assert_eq!(place("http://localhost:3001/m").as_deref(), Ok("/m"));
        assert_eq!(place("\"/messages?session=1\"").as_deref(), Ok("/messages?session=1"));
    }

    #[test]
    fn nothing_is_ever_posted_to_another_origin() {
        for other in ["http://127.0.0.1:3001/m", "http://localhost/m", "https://localhost:3001/m", "//evil.example/m"] {
            assert!(matches!(place(other), Err(Refusal::Foreign(_))), "{other}");
        }
    }

    #[test]
    fn what_is_no_reference_is_told() {
        for text in ["", "{\"uri\":\"/m\"}", "mailto:me@example.com", "http://[::bad/"] {
            assert!(matches!(place(text), Err(Refusal::NoUri(_))), "{text}");
        }
    }
}
