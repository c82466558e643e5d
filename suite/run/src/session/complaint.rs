//! Saying why a server could not be judged, from what was seen of it.

use verdict::transcript::{Event, Kind, Receive, Via};

use super::{Health, Session, stumbling};
use crate::Trouble;
use crate::transport::Link;
use crate::transport::sse::Refusal;

impl Session {
    /// The server ended, or the connection broke, before it answered.
    pub(crate) fn gone(&self, waiting: String) -> Trouble {
        if self.0.settings.transport != verdict::Transport::Stdio {
            if let Some(trouble) = self.no_endpoint() {
                return trouble;
            }
            let fault = self.find(|kind| if let Kind::Closed { fault, .. } = kind { fault.clone() } else { None });
            let reason = fault.unwrap_or_else(|| "the connection was closed".to_owned());
            let hint = hint(&reason).to_owned();
            return Trouble::Unreachable { url: self.0.settings.place.clone(), reason, hint };
        }
        match self.0.health() {
            Health::Flooding => {
                let how = format!("floods its output with what is no JSON-RPC{}", self.seen());
                return Trouble::Ended { how, waiting, details: String::new() };
            }
            Health::Unresponsive => {
                let how = "no longer answers".to_owned();
                return Trouble::Ended { how, waiting, details: self.stderr() };
            }
            Health::Alive | Health::Ended => {}
        }
        let exit = self.find(|kind| if let Kind::Exit(exit) = kind { Some(exit.to_string()) } else { None });
        let how = exit.unwrap_or_else(|| "closed its standard output".to_owned());
        let (written, lines) = (self.written(), self.stderr_lines());
        let advice = stumbling::ended(&how, &written, &lines);
        let started = self.0.settings.place.trim_start_matches("-- ");
        let (output, errors) = (shown("standard output", &written), shown("standard error", &lines));
        let details = format!("\n  it was started as: {started}{output}{errors}{advice}");
        Trouble::Ended { how, waiting, details }
    }

    /// Over HTTP+SSE why nothing can be posted.
    pub(crate) fn no_endpoint(&self) -> Option<Trouble> {
        let Link::Sse(client) = &self.0.link else { return None };
        self.unannounced(client.refusal()?)
    }

    /// Over HTTP+SSE that another origin is named, whose path leads nowhere on this one.
    pub(crate) fn foreign_endpoint(&self) -> Option<Trouble> {
        let Link::Sse(client) = &self.0.link else { return None };
        self.unannounced(client.foreign()?)
    }

    fn unannounced(&self, refusal: Refusal) -> Option<Trouble> {
        let hint = match &refusal {
            Refusal::Broken(reason) => {
                let hint = hint(reason).to_owned();
                return Some(Trouble::Unreachable { url: self.0.settings.place.clone(), reason: reason.clone(), hint });
            }
            Refusal::Status(401 | 403) => self.credential(),
            Refusal::Status(404 | 405) => "\n  is the path right? streams are often at /sse".to_owned(),
            Refusal::Status(_) => "\n  is this the URL of the stream? it is often at /sse".to_owned(),
            Refusal::NoStream => "\n  is this an MCP server? its stream is often at /sse".to_owned(),
            Refusal::Silent(_) => "\n  a slow start? try a longer --timeout".to_owned(),
            Refusal::NoEvent(_) => "\n  a server of Streamable HTTP? try --transport http\n  a slow start, or a proxy that holds events back? try a longer --timeout".to_owned(),
            Refusal::NoUri(_) => "\n  the data of the endpoint event must be the URI that messages are posted to, and nothing else".to_owned(),
            Refusal::Foreign(_) => "\n  nothing was posted there: it would hand your headers to another origin\n  name the server by the host and port that it announces, or have it announce a path like /messages?session=..".to_owned(),
        };
        let streams = matches!(refusal, Refusal::NoEvent(_) | Refusal::NoUri(_) | Refusal::Foreign(_));
        Some(Trouble::NoEndpoint { url: self.0.settings.place.clone(), reason: refusal.to_string(), hint, streams })
    }

    /// Standard error and exit status come a moment after the pipe breaks.
    pub(crate) async fn last_words(&self) {
        if self.0.settings.transport == verdict::Transport::Stdio && self.0.health() == Health::Ended {
            self.drained().await;
        }
    }

    /// Returns what the server wrote in place of an answer, its standard error, and advice, for a message to the user.
    pub(crate) fn seen(&self) -> String {
        if self.0.settings.transport == verdict::Transport::Stdio {
            let (written, lines) = (self.written(), self.stderr_lines());
            let advice = stumbling::silent(&written, &lines);
            return shown("standard output", &written) + &shown("standard error", &lines) + &advice;
        }
        let text = self.find(|kind| if let Kind::Receive(receive) = kind { Some(receive.text.clone()) } else { None });
        let seen = text.map(|text| format!("\n  it wrote instead: {}", text.chars().take(200).collect::<String>()));
        seen.unwrap_or_default()
    }

    /// Explains an HTTP status without a message, with advice.
    pub(crate) fn http_refusal(&self, status: u16) -> String {
        let body = self.find(|kind| if let Kind::Receive(receive) = kind { Some(receive.text.clone()) } else { None });
        let body =
            body.map(|body| format!("\n  it says: {}", body.chars().take(200).collect::<String>())).unwrap_or_default();
        let hint = match status {
            401 | 403 => self.credential(),
            404 | 405 => "\n  is the path right? servers often listen on /mcp".to_owned(),
            300..=399 => {
                let to = self.header("location").unwrap_or_else(|| "an unnamed place".to_owned());
                format!("\n  it redirects to {to}; redirects are not followed: give that URL")
            }
            200..=299 => "\n  an answer without a JSON-RPC message: is this an MCP endpoint?".to_owned(),
            _ => String::new(),
        };
        format!("HTTP status {status}{hint}{body}")
    }

    /// Returns the server's challenge, if any, and advice on a status that asks for a credential.
    fn credential(&self) -> String {
        let challenge = self.header("www-authenticate").map(|value| format!("\n  it asks for: {value}"));
        let given = self.0.settings.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        let advice = if given {
            "the credential that was given is not good here"
        } else {
            "give a credential with --token-env VARIABLE"
        };
        format!("{}\n  {advice}", challenge.unwrap_or_default())
    }

    /// The first header of this name that any response had.
    fn header(&self, wanted: &str) -> Option<String> {
        self.find(|kind| {
            let Kind::Status { headers, .. } = kind else { return None };
            headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.clone())
        })
    }

    /// Explains the status 401, with advice; `None` if no response had it.
    pub(crate) fn challenge(&self) -> Option<String> {
        let refused = |kind: &Kind| matches!(kind, Kind::Status { status: 401, .. }).then_some(());
        self.find(refused).map(|()| self.http_refusal(401))
    }

    fn stderr(&self) -> String {
        shown("standard error", &self.stderr_lines())
    }

    /// The first lines of standard output that are no messages: those tell how it started, and a server may write without end.
    fn written(&self) -> Vec<String> {
        let is_text = |receive: &&Receive| {
            matches!(receive.via, Via::Line | Via::Tail)
                && !wire::parse(receive.text.as_bytes(), &wire::Limits::default()).has_message()
        };
        self.0.recorder.with(|events| {
            let own = events.iter().filter(|event| event.session == self.0.id.get());
            let received =
                own.filter_map(|event| if let Kind::Receive(receive) = &event.kind { Some(receive) } else { None });
            received.filter(is_text).take(LINES).map(|receive| receive.text.chars().take(LINE).collect()).collect()
        })
    }

    fn stderr_lines(&self) -> Vec<String> {
        self.0.recorder.with(|events| {
            let own = events.iter().filter(|event| event.session == self.0.id.get());
            own.filter_map(|event| if let Kind::Stderr { text, .. } = &event.kind { Some(text.clone()) } else { None })
                .collect()
        })
    }

    fn find<T>(&self, look: impl Fn(&Kind) -> Option<T>) -> Option<T> {
        let own = |event: &&Event| event.session == self.0.id.get();
        self.0.recorder.with(|events| events.iter().filter(own).find_map(|event| look(&event.kind)))
    }

    /// Returns the profile that the tester declared.
    pub(crate) fn profile(&self) -> super::Profile {
        self.0.profile.get()
    }

    /// Returns the result that a client of this profile gives for a request of the server; `None` if it refuses.
    pub(crate) fn served(&self, method: &str, params: Option<&serde_json::Value>) -> Option<serde_json::Value> {
        let revision = self.revision().unwrap_or(verdict::Revision::LATEST_HANDSHAKE);
        self.0.profile.get().answer(method, params, &self.0.profile.get().capabilities(revision)).ok()
    }
}

/// Lines of a stream that are shown, and characters of one of standard output.
const LINES: usize = 20;
const LINE: usize = 200;

/// Returns the last lines of a stream, indented, under its name; empty if there are none.
fn shown(stream: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let last: Vec<String> = lines.iter().rev().take(LINES).rev().map(|line| format!("\n    {line}")).collect();
    format!("\n  {stream}:{}", last.concat())
}

/// Returns advice on a connection that failed; empty if there is none.
fn hint(reason: &str) -> &'static str {
    if reason.contains("refused") {
        "\n  is the server running, and is the port right?"
    } else if reason.starts_with("TLS") {
        "\n  certificates are checked against the public roots; a server without TLS is named with http://"
    } else if reason.contains("lookup") {
        "\n  is the host name right?"
    } else {
        ""
    }
}
