//! Messages posted where no client is: to an altered URI, and to the URL of the stream.

use serde_json::json;
use verdict::Intent;
use wire::write;

use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "sse/strangers";

pub(super) const SCENARIO: Scenario = Scenario {
    name: NAME,
    provokes: &["sse.post.unknown-session-rejected", "sse.compat.post-to-stream-url-4xx"],
    stage: Stage::Alone,
    applies: super::defined,
    run: |cx| Box::pin(provoke_outsiders(cx)),
};

async fn provoke_outsiders(cx: Cx) {
    let Ok(session) = cx.open_ready(Opening::new(NAME, cx.profile.revision)).await else { return };
    at_stream_url(&session).await;
    if let (Some(own), Some(other)) = (session.place(), cx.session.place())
        && let Some(nobody) = altered(&own, &other)
    {
        let text = write::request(write::IdText::raw("\"mcp-conform-stray\""), "ping", Some(&json!({})));
        let post = session.http("POST").at(&nobody).body(text).limit(session.limit() / 2);
        let reply = post.probe(NAME, Intent::UnknownSession, json!({})).send().await;
        if reply.status.is_none() {
            session.record_probe(NAME, Intent::UnknownSessionSilent, json!({}));
            session.abort_exchange(reply.channel);
        }
        // Whoever carries it out for somebody else has had the time to do so.
        session.settle().await;
    }
    session.kill().await;
}

/// Sends what a client of a newer revision tries first: `initialize`, posted to the URL of the stream.
async fn at_stream_url(session: &Session) {
    let Some(path) = session.stream_path() else { return };
    let params = session.introduction_params(verdict::Revision::LATEST_HANDSHAKE.as_str());
    let text = write::request(write::IdText::raw("\"mcp-conform-first\""), "initialize", Some(&params));
    let post = session.http("POST").bare_headers().at(&path).body(text);
    let reply = post.probe(NAME, Intent::AtStreamUrl, json!({})).send().await;
    if reply.status.is_none() {
        session.record_probe(NAME, Intent::AtStreamUrlSilent, json!({}));
        session.abort_exchange(reply.channel);
    }
}

/// A URI like that of one client, but of nobody: each letter and digit in which it differs from another client's is
/// changed for one of the same kind.
fn altered(own: &str, other: &str) -> Option<String> {
    let prefix = own.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let hex =
        own[prefix.min(own.len())..].chars().all(|letter| letter.is_ascii_hexdigit() || !letter.is_alphanumeric());
    let turned = |letter: char| match letter {
        '0'..='9' => Some(b'9' - (letter as u8 - b'0')),
        'a'..='f' if hex => Some(b'f' - (letter as u8 - b'a')),
        'A'..='F' if hex => Some(b'F' - (letter as u8 - b'A')),
        'a'..='z' => Some(b'z' - (letter as u8 - b'a')),
        'A'..='Z' => Some(b'Z' - (letter as u8 - b'A')),
        _ => None,
    };
    let nobody: String = own
        .char_indices()
        .map(|(at, letter)| turned(letter).filter(|_| at >= prefix).map_or(letter, char::from))
        .collect();
    (own != other && nobody != own && nobody != other).then_some(nobody)
}

#[cfg(test)]
mod tests {
    use super::altered;

    #[test]
    fn the_identifier_is_changed_for_one_of_its_kind_and_the_rest_stays() {
        let nobody = altered("/messages?session=1a-f0", "/messages?session=9b-00");
        assert_eq!(nobody.as_deref(), Some("/messages?session=8f-a9"));
        assert_eq!(altered("/m/xyz", "/m/abc").as_deref(), Some("/m/cba"));
        assert_eq!(altered("/messages", "/messages"), None);
    }
}
