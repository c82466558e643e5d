//! Reading what is listed.
//!
//! Why a read fails may lie outside of the server (rights, a network that is not there), and a resource may be gone
//! meanwhile: only what is still listed and refused for no such reason counts.

use serde_json::Value;
use verdict::{Intent, Level, Revision};
use wire::mcp::code;

use super::{contents, listings, only, requested_uri};
use crate::rules::common::{error_text, wants_something};
use crate::rules::tools::is_generated;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "resources/read",
    judges: &[
        "resources.read.listed-readable",
        "resources.read.internal-error-code",
        "resources.read.uri-echo",
        "resources.read.mime-matches-listing",
        "resources.read.text-is-text",
        "resources.read.no-32002",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.probes(Intent::ResourceRead).filter(Case::is_decided) {
        check_readable(&case, collector);
        check_internal(&case, collector);
        check_mime(&case, collector);
    }
    // What comes back of generated strings, spelled otherwise or with a NUL among them, is what was sent.
    for case in view.calls("resources/read").filter(|case| case.is_decided() && !is_generated(case)) {
        check_echo(&case, collector);
        check_text(&case, collector);
    }
    for case in view.cases().filter(|case| case.error_code().is_some()) {
        collector.check("resources.read.no-32002", case.error_code() != Some(code::RESOURCE_NOT_FOUND), || {
            let message = "The error code -32002 is reserved in this revision; a missing resource is -32602.";
            case.finding(message, "a different code")
        });
    }
}

fn check_readable(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.listed-readable";
    if case.result().is_some() {
        return collector.witness(ID);
    }
    if wants_something(case) {
        return collector.not_observed(ID, "the server requires something from the client before it allows a read");
    }
    let message = "A listed resource cannot be read, so clients show a resource that is not there.";
    let mut finding = case.finding(message, "the contents of the resource");
    finding.place = requested_uri(case).map(str::to_owned);
    if case.error().is_none() {
        return collector.suspect(ID, case, finding);
    }
    if let Some(reason) = reason(case) {
        collector.note(ID, format!("a listed resource could not be read: {reason}"));
        collector.not_observed(ID, "no listed resource could be read, for reasons outside the protocol");
    } else if listings(case.view, requested_uri(case).unwrap_or_default()).iter().any(|(at, _)| *at > case.exchange.seq)
    {
        collector.fail(ID, finding);
    } else {
        collector.note(ID, "a resource disappeared from the list after it could not be read");
    }
}

/// Why a resource may be listed and yet not be had by this client, here and now.
fn reason(case: &Case<'_>) -> Option<&'static str> {
    const RIGHTS: [&str; 11] = [
        "permission",
        "denied",
        "forbidden",
        "unauthorized",
        "eacces",
        "not allowed",
        "authenticat",
        "authoriz",
        "credential",
        "api key",
        "token",
    ];
    const NETWORK: [&str; 11] = [
        "enotfound",
        "econnrefused",
        "econnreset",
        "etimedout",
        "eai_again",
        "network",
        "connect",
        "timed out",
        "timeout",
        "unreachable",
        "fetch failed",
    ];
    let text = error_text(case);
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&RIGHTS) {
        Some("the error is about permissions")
    } else if has(&NETWORK) {
        Some("the error is about the network")
    } else if text.contains("too large") || text.contains("too big") {
        Some("the error is about its size")
    } else {
        None
    }
}

/// A listed resource that cannot be read, though nothing is wrong with the request: that is an internal failure.
fn check_internal(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.internal-error-code";
    const OTHERWISE: [i64; 4] =
        [code::RESOURCE_NOT_FOUND, code::INVALID_PARAMS, code::METHOD_NOT_FOUND, code::INVALID_REQUEST];
    let Some(code) = case.error_code() else { return };
    let text = error_text(case);
    let absent = text.contains("not found") || text.contains("unknown") || text.contains("no such");
    let said = OTHERWISE.contains(&code) || wants_something(case) || absent || reason(case).is_some();
    let still =
        listings(case.view, requested_uri(case).unwrap_or_default()).iter().any(|(at, _)| *at > case.exchange.seq);
    if said || !still {
        return;
    }
    collector.check(ID, code == code::INTERNAL_ERROR, || {
        let message = "A read that fails inside the server gets an error code other than that of an internal error, so clients cannot tell whose fault it is.";
        let mut finding = case.finding(message, "error -32603 (internal error)");
        finding.place = requested_uri(case).map(str::to_owned);
        finding
    });
}

/// A directory gives what is in it, and libraries normalise: only what lies elsewhere altogether counts.
fn check_echo(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.uri-echo";
    let (Some(asked), Some(contents)) = (requested_uri(case), contents(case)) else { return };
    let given: Vec<&str> = contents.iter().filter_map(|entry| entry.get("uri")?.as_str()).collect();
    if given.is_empty() {
        return;
    }
    let wanted = normalized_uri(asked);
    collector.check(ID, given.iter().any(|uri| normalized_uri(uri).starts_with(&wanted)), || {
        let message = "resources/read returns a URI other than the one requested, so a client cannot match it.";
        let mut finding = case.finding(message, "an entry with the requested URI, or one below it");
        finding.place = Some(asked.to_owned());
        finding.actual = "other URIs".into();
        finding
    });
}

/// Percent-decoded, in lower case (hosts and schemes have none), without a slash at the end.
fn normalized_uri(uri: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
        let pair = (*first == b'%').then(|| hex(tail.first()).zip(hex(tail.get(1)))).flatten();
        let byte = pair.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        decoded.push(byte.unwrap_or(*first).to_ascii_lowercase());
        rest = if byte.is_some() { &tail[2..] } else { tail };
    }
    while decoded.last() == Some(&b'/') {
        decoded.pop();
    }
    decoded
}

fn check_mime(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.mime-matches-listing";
    let given = only(case).and_then(|entry| entry.get("mimeType")).and_then(Value::as_str).map(essence);
    let Some((given, uri)) = given.zip(requested_uri(case)) else { return };
    let listed: Vec<String> = listings(case.view, uri)
        .into_iter()
        .filter_map(|(_, definition)| definition.get("mimeType")?.as_str().map(essence))
        .collect();
    if listed.is_empty() {
        return;
    }
    collector.check(ID, listed.contains(&given), || {
        let message = "A resource has a different MIME type when read than when listed.";
        let mut finding = case.finding(message, format!("mimeType {}", listed[0]));
        finding.place = Some(uri.to_owned());
        finding.actual = format!("mimeType {given}");
        finding
    });
}

fn essence(mime: &str) -> String {
    mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether it is text at all: what a decoder made of bytes shows by its replacement characters.
fn check_text(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "resources.read.text-is-text";
    for entry in contents(case).into_iter().flatten() {
        let Some(text) = entry.get("text").and_then(Value::as_str).filter(|text| !text.is_empty()) else { continue };
        let count = text.chars().count();
        let lost = text.chars().filter(|character| *character == '\u{fffd}').count();
        collector.check(ID, !text.contains('\0') && lost * 10 < count, || {
            let message =
                "Binary data is returned as text, so clients get meaningless characters. It belongs in `blob`.";
            let mut finding = case.finding(message, "blob with the bytes in Base64");
            finding.level = Some(Level::Advice);
            finding.place = requested_uri(case).map(str::to_owned);
            finding.actual = "text with NUL or replacement characters".into();
            finding
        });
    }
    let newest = case.view.revision >= Revision::V2025_06_18;
    for entry in contents(case).into_iter().flatten().filter(|_| newest) {
        let kind = entry.get("mimeType").and_then(Value::as_str).map(essence).unwrap_or_default();
        if entry.get("text").is_some() && (kind == "image/png" || kind == "image/jpeg") {
            collector.note(ID, "text has the MIME type of an image");
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Level, Revision, Status, Transport};

    use crate::testing::Script;

    const V: Revision = Revision::V2025_11_25;
    const READABLE: &str = "resources.read.listed-readable";
    const INTERNAL: &str = "resources.read.internal-error-code";

    fn listed(script: Script) -> Script {
        let entry = json!({"uri": "note://a", "name": "a", "mimeType": "text/plain; charset=utf-8"});
        script.plain("resources/list", json!({}), json!({"result": {"resources": [entry]}}))
    }

    fn read(answer: Value) -> Script {
        let script = listed(Script::new(V, json!({"resources": {}})));
        script.probe(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"}), answer)
    }

    fn error(code: i64, message: &str) -> Value {
        json!({"error": {"code": code, "message": message}})
    }

    fn contents(contents: Value) -> Value {
        json!({"result": {"contents": contents}})
    }

    fn good() -> Value {
        contents(json!([{"uri": "note://a", "mimeType": "text/plain", "text": "x"}]))
    }

    #[test]
    fn what_is_listed_can_be_read() {
        assert_eq!(listed(read(good())).fails(), [""; 0]);
        assert_eq!(read(good()).status_of(READABLE), Status::Pass);
        assert_eq!(listed(read(error(-32002, "Resource not found"))).fails(), [READABLE]);
        assert_eq!(listed(read(error(-32603, "oops"))).fails(), [READABLE]);
    }

    #[test]
    fn what_is_gone_or_forbidden_or_far_away_is_no_fault() {
        assert_eq!(read(error(-32002, "Resource not found")).status_of(READABLE), Status::NotObserved);
        for text in
            ["EACCES: permission denied", "getaddrinfo ENOTFOUND example.com", "Missing API key", "File too large"]
        {
            let script = listed(read(error(-32603, text)));
            assert_eq!(
                (script.status_of(READABLE), script.status_of(INTERNAL)),
                (Status::NotObserved, Status::NotObserved)
            );
        }
        assert_eq!(listed(read(error(-32042, "visit"))).fails_in("resources"), [""; 0]);
    }

    #[test]
    fn a_server_that_wants_authorization_or_input_is_not_judged() {
        let script = listed(Script::over(Transport::Http, V, json!({"resources": {}})));
        let script = script.unanswered(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"})).status(403);
        assert_eq!(listed(script).status_of(READABLE), Status::NotObserved);
        let script = Script::new(Revision::V2026_07_28, json!({"resources": {}}));
        let asks = json!({"result": {"resultType": "input_required", "inputRequests": {}}});
        let script = script.probe(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"}), asks);
        assert!(!script.fails().contains(&READABLE));
    }

    #[test]
    fn silence_counts_once_repeated() {
        let silent = |script: Script| {
            script.unanswered(Intent::ResourceRead, "resources/read", json!({"uri": "note://a"})).gave_up()
        };
        let once = silent(listed(Script::new(V, json!({"resources": {}}))));
        assert_eq!(once.status_of(READABLE), Status::Inconclusive);
        assert_eq!(silent(once.session(true, json!({"resources": {}}))).status_of(READABLE), Status::Fail);
    }

    #[test]
    fn a_failure_inside_has_a_code_of_its_own() {
        assert_eq!(listed(read(error(-32603, "disk is gone"))).status_of(INTERNAL), Status::Pass);
        assert!(listed(read(error(0, "disk is gone"))).fails().contains(&INTERNAL));
        assert_eq!(listed(read(error(0, "Unknown resource"))).status_of(INTERNAL), Status::NotObserved);
        assert_eq!(read(error(0, "disk is gone")).status_of(INTERNAL), Status::NotObserved);
    }

    #[test]
    fn the_uri_comes_back_as_it_is_or_with_more() {
        const ID: &str = "resources.read.uri-echo";
        let uri = |uri: &str| read(contents(json!([{"uri": uri, "text": "x"}])));
        for good in ["note://a", "note://a/", "note://%61", "note://a/b", "NOTE://a"] {
            assert_eq!(uri(good).status_of(ID), Status::Pass, "{good}");
        }
        assert_eq!((uri("note://b").status_of(ID), uri("note://b").verdict(ID).level), (Status::Fail, Level::Advice));
    }

    #[test]
    fn the_mime_type_is_the_listed_one_whatever_its_parameters() {
        const ID: &str = "resources.read.mime-matches-listing";
        let mime = |mime: &str| read(contents(json!([{"uri": "note://a", "mimeType": mime, "text": "x"}])));
        assert_eq!(mime("TEXT/plain").status_of(ID), Status::Pass);
        assert_eq!(mime("text/html").status_of(ID), Status::Fail);
        assert_eq!(read(contents(json!([{"uri": "note://a", "text": "x"}]))).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn text_is_text() {
        const ID: &str = "resources.read.text-is-text";
        let text = |text: &str| read(contents(json!([{"uri": "note://a", "text": text}])));
        assert_eq!(text("naïve \u{fffd} in a long enough text").status_of(ID), Status::Pass);
        for bad in ["a\0b", "\u{fffd}PNG\u{fffd}\u{fffd}"] {
            assert_eq!((text(bad).status_of(ID), text(bad).verdict(ID).level), (Status::Fail, Level::Advice));
        }
    }

    #[test]
    fn in_2026_a_code_is_gone() {
        const ID: &str = "resources.read.no-32002";
        let error = |code| {
            let script = Script::new(Revision::V2026_07_28, json!({"prompts": {}}));
            script.plain("prompts/get", json!({"name": "x"}), error(code, "no"))
        };
        assert_eq!(error(-32602).status_of(ID), Status::Pass);
        assert_eq!(error(-32002).status_of(ID), Status::Fail);
    }
}
