//! Saying why a server could not be judged, from what was seen of it.

use verdict::transcript::{Event, Kind};

use super::Session;
use crate::Trouble;

impl Session {
    /// The server ended, or the connection broke, before it answered.
    pub(crate) fn gone(&self, waiting: String) -> Trouble {
        if self.0.transport == verdict::Transport::Http {
            let fault = self.find(|kind| if let Kind::Closed { fault, .. } = kind { fault.clone() } else { None });
            let reason = fault.unwrap_or_else(|| "the connection was closed".to_owned());
            let hint = hint(&reason).to_owned();
            return Trouble::Unreachable { url: self.0.place.clone(), reason, hint };
        }
        if self.0.stuck.get() {
            let how = format!("floods its output with what is no JSON-RPC{}", self.seen());
            return Trouble::Ended { how, waiting, stderr: String::new() };
        }
        let exit = self.find(|kind| if let Kind::Exit(exit) = kind { Some(exit.to_string()) } else { None });
        let how = exit.unwrap_or_else(|| "closed its standard output".to_owned());
        Trouble::Ended { how, waiting, stderr: self.stderr() }
    }

    /// Standard error and exit status come a moment after the pipe breaks.
    pub(crate) async fn last_words(&self) {
        if self.0.transport == verdict::Transport::Stdio && self.0.down.get() {
            self.drained().await;
        }
    }

    /// What came instead of an answer, for a message to the user.
    pub(crate) fn seen(&self) -> String {
        let text = self.find(|kind| if let Kind::Receive(receive) = kind { Some(receive.text.clone()) } else { None });
        let seen = text.map(|text| format!("\n  it wrote instead: {}", text.chars().take(200).collect::<String>()));
        seen.unwrap_or_default() + &self.stderr()
    }

    /// What an HTTP status without a message means, and what to do about it.
    pub(crate) fn http_refusal(&self, status: u16) -> String {
        let body = self.find(|kind| if let Kind::Receive(receive) = kind { Some(receive.text.clone()) } else { None });
        let body =
            body.map(|body| format!("\n  it says: {}", body.chars().take(200).collect::<String>())).unwrap_or_default();
        let header = |wanted: &'static str| {
            self.find(move |kind| {
                let Kind::Status { headers, .. } = kind else { return None };
                headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.clone())
            })
        };
        let hint = match status {
            401 | 403 => {
                let challenge =
                    header("www-authenticate").map(|value| format!("\n  it asks for: {value}")).unwrap_or_default();
                format!("{challenge}\n  give a credential with --header-env 'Authorization: VARIABLE'")
            }
            404 | 405 => "\n  is the path right? servers often listen on /mcp".to_owned(),
            300..=399 => {
                let to = header("location").unwrap_or_else(|| "an unnamed place".to_owned());
                format!("\n  it redirects to {to}; redirects are not followed: give that URL")
            }
            200..=299 => "\n  an answer without a JSON-RPC message: is this an MCP endpoint?".to_owned(),
            _ => String::new(),
        };
        format!("HTTP status {status}{hint}{body}")
    }

    fn stderr(&self) -> String {
        let lines = self.0.recorder.with(|events| {
            let own = events.iter().filter(|event| event.session == self.0.id);
            own.filter_map(|event| if let Kind::Stderr { text } = &event.kind { Some(text.clone()) } else { None })
                .collect::<Vec<_>>()
        });
        if lines.is_empty() {
            return String::new();
        }
        let shown: Vec<String> = lines.iter().rev().take(20).rev().map(|line| format!("\n    {line}")).collect();
        format!("\n  standard error:{}", shown.concat())
    }

    fn find<T>(&self, look: impl Fn(&Kind) -> Option<T>) -> Option<T> {
        let own = |event: &&Event| event.session == self.0.id;
        self.0.recorder.with(|events| events.iter().filter(own).find_map(|event| look(&event.kind)))
    }

    /// What the tester declared.
    pub(crate) fn profile(&self) -> super::Profile {
        self.0.profile
    }
}

/// What to do about a connection that failed.
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
