//! A protected server as outsiders see it, good in everything; and each requirement broken by one change.

use serde_json::{Value, json};
use verdict::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use verdict::{Intent, Revision, Status, Transport};

use crate::testing::Script;

const ORIGIN: &str = "http://127.0.0.1:3000";

/// One exchange with the server.
#[derive(Clone, Debug)]
struct Said {
    intent: Intent,
    about: Value,
    http: &'static str,
    method: &'static str,
    status: u16,
    headers: Vec<(String, String)>,
    body: Value,
}

/// Everything a server was asked.
#[derive(Clone, Debug)]
struct Talk {
    revision: Revision,
    said: Vec<Said>,
    meant: Vec<Intent>,
}

fn challenge(rest: &str) -> Vec<(String, String)> {
    let value = format!(
        "Bearer {rest}scope=\"mcp:use\", resource_metadata=\"{ORIGIN}/.well-known/oauth-protected-resource/mcp\""
    );
    vec![("www-authenticate".to_owned(), value)]
}

fn refused(intent: Intent, about: Value, rest: &str) -> Said {
    Said { intent, about, http: "POST", method: "initialize", status: 401, headers: challenge(rest), body: Value::Null }
}

fn served(intent: Intent, about: Value) -> Said {
    let body = json!({"result": {"resultType": "complete"}});
    Said { intent, about, http: "POST", method: "tools/list", status: 200, headers: vec![], body }
}

fn fetched(intent: Intent, about: Value, body: Value) -> Said {
    let headers = [("content-type", "application/json; charset=utf-8"), ("access-control-allow-origin", "*")];
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    Said { intent, about, http: "GET", method: "", status: 200, headers, body }
}

fn resource(path: &str) -> Value {
    json!({"resource": format!("{ORIGIN}{path}"), "authorization_servers": [ORIGIN], "scopes_supported": ["mcp:use"],
        "bearer_methods_supported": ["header"]})
}

fn issuer() -> Value {
    json!({"issuer": ORIGIN, "authorization_endpoint": format!("{ORIGIN}/authorize"),
        "token_endpoint": format!("{ORIGIN}/token"), "registration_endpoint": format!("{ORIGIN}/register"),
        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]})
}

/// A server that keeps everything.
fn good(revision: Revision) -> Talk {
    let bare = |request: &str| refused(Intent::AuthBare, json!({"request": request}), "");
    let token = |token: &str| refused(Intent::AuthToken, json!({"token": token}), "error=\"invalid_token\", ");
    let mut said = vec![bare("opening"), bare("tools/list"), bare("unknown-method"), bare("unknown-tool")];
    if revision.is_handshake() {
        said.extend(["GET", "DELETE"].map(|http| Said { http, ..bare(http) }));
        said.push(bare("invalid-opening"));
        let inside = |request: &'static str| refused(Intent::AuthInSession, json!({"request": request}), "");
        said.extend([inside("tools/list"), inside("unknown-method"), Said { http: "GET", ..inside("GET") }]);
        said.push(Said { status: 404, ..refused(Intent::AuthOtherUser, Value::Null, "") });
    }
    for kind in ["random", "truncated", "alg-none", "forged-hs256", "forged-es256", "forged-rs256", "foreign-issuer"] {
        said.push(token(kind));
    }
    said.extend(["expired", "other-audience", "no-audience"].map(token));
    said.push(refused(Intent::AuthToken, json!({"token": "basic"}), ""));
    said.extend(
        ["valid", "lower-case", "upper-case-audience"].map(|kind| served(Intent::AuthToken, json!({"token": kind}))),
    );
    said.extend(
        ["empty", "twice"]
            .map(|kind| Said { status: 400, ..refused(Intent::AuthMalformed, json!({"kind": kind}), "") }),
    );
    said.extend(["random", "valid"].map(|kind| refused(Intent::AuthQuery, json!({"token": kind}), "")));
    let about = |place: &str| json!({"place": place, "endpoint": format!("{ORIGIN}/mcp"), "stated": false});
    said.push(fetched(Intent::AuthMetadata, about("challenge"), resource("/mcp")));
    said.push(fetched(Intent::AuthMetadata, about("path"), resource("/mcp")));
    said.push(fetched(Intent::AuthMetadataCors, about("path"), resource("/mcp")));
    said.push(fetched(Intent::AuthMetadata, about("root"), resource("")));
    scopes(&mut said);
    if revision == V2025_03_26 {
        said.push(fetched(Intent::AuthServer, json!({"endpoint": format!("{ORIGIN}/mcp")}), issuer()));
        said.push(Said { status: 400, ..fetched(Intent::AuthRedirect, Value::Null, Value::Null) });
        said.push(Said { status: 400, ..fetched(Intent::AuthRegister, json!({"kind": "http"}), Value::Null) });
        let headers = vec![("location".to_owned(), "http://127.0.0.1:1/cb?error=invalid_request".to_owned())];
        said.push(Said { status: 302, headers, ..fetched(Intent::AuthPkce, Value::Null, Value::Null) });
    } else {
        said.push(fetched(Intent::AuthIssuer, json!({"issuer": ORIGIN, "kind": "oauth"}), issuer()));
    }
    Talk { revision, said, meant: vec![Intent::AuthGiven] }
}

fn scopes(said: &mut Vec<Said>) {
    let about = |token: &str, round: u32| json!({"token": token, "round": round});
    said.push(served(Intent::AuthScope, about("full", 0)));
    for round in 0..2 {
        let lesser = refused(Intent::AuthScope, about("lesser", round), "error=\"insufficient_scope\", ");
        said.push(Said { status: 403, ..lesser });
    }
    said.push(served(Intent::AuthScope, about("granted", 0)));
    said.push(served(Intent::AuthScope, about("broader", 0)));
}

impl Talk {
    fn script(&self) -> Script {
        let mut script = Script::over(Transport::Http, self.revision, json!({"tools": {}})).outsider();
        for intent in &self.meant {
            script = script.means(*intent, Value::Null);
        }
        for (at, said) in self.said.iter().enumerate() {
            let id = 1000 + at;
            let message = json!({"jsonrpc": "2.0", "id": id, "method": said.method, "params": {}}).to_string();
            let sent = if said.http == "POST" { message.as_str() } else { "" };
            script = script.request(said.http, said.intent, said.about.clone(), &[], sent);
            let headers: Vec<(&str, &str)> =
                said.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            let mut body = said.body.clone();
            if said.http == "POST" && body.is_object() {
                body["jsonrpc"] = json!("2.0");
                body["id"] = json!(id);
            }
            let text = match body {
                Value::Null => String::new(),
                Value::String(text) => text,
                value => value.to_string(),
            };
            script = script.respond(said.status, &headers, &text);
        }
        script
    }

    /// Every exchange with this intent, and where a word is given with it somewhere in what it is about.
    fn change(mut self, intent: Intent, word: &str, mut change: impl FnMut(&mut Said)) -> Self {
        let fits = |said: &&mut Said| {
            let members = said.about.as_object();
            let named = members.is_some_and(|about| about.values().any(|value| value == word));
            said.intent == intent && (word.is_empty() || named)
        };
        let found: Vec<&mut Said> = self.said.iter_mut().filter(fits).collect();
        assert!(!found.is_empty(), "nothing is {intent} {word}");
        found.into_iter().for_each(&mut change);
        self
    }

    fn status(self, intent: Intent, word: &str, status: u16) -> Self {
        self.change(intent, word, |said| said.status = status)
    }

    fn serves(self, intent: Intent, word: &str) -> Self {
        self.change(intent, word, |said| {
            said.status = 200;
            said.body = json!({"result": {"resultType": "complete"}});
        })
    }

    fn says(self, intent: Intent, word: &str, header: &str) -> Self {
        self.change(intent, word, |said| said.headers = vec![("www-authenticate".to_owned(), header.to_owned())])
    }

    fn member(self, intent: Intent, name: &str, value: Value) -> Self {
        self.change(intent, "", |said| said.body[name] = value.clone())
    }

    fn without(self, intent: Intent, name: &str) -> Self {
        self.change(intent, "", |said| {
            said.body.as_object_mut().map(|members| members.shift_remove(name));
        })
    }

    /// All metadata is gone.
    fn undescribed(self) -> Self {
        self.change(Intent::AuthMetadata, "", |said| {
            said.status = 404;
            said.body = Value::Null;
        })
    }

    fn stated(mut self) -> Self {
        self.meant.push(Intent::AuthStated);
        self
    }

    #[track_caller]
    fn breaks(&self, id: &str) {
        let verdict = self.script().verdict(id);
        assert_eq!(verdict.status, Status::Fail, "{id}: {:?}", verdict.reason);
    }
}

/// Requirements that a good server of a revision cannot show.
fn is_beside(id: &str, revision: Revision) -> bool {
    let unseen = ["auth.token.stored-securely", "auth.as.fallback-endpoints"];
    let early = revision == V2025_03_26 && ["auth.as.discovery", "auth.as.pkce-advertised"].contains(&id);
    unseen.contains(&id) || early
}

#[test]
fn a_good_server_passes_in_everything_that_is_judged() {
    for revision in [V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28] {
        let script = good(revision).script();
        assert_eq!(script.fails(), Vec::<&str>::new(), "{revision}");
        for rule in super::RULES {
            for id in rule.judges {
                let holds = verdict::requirement(id).is_some_and(|found| found.holds_in(revision));
                if holds && !is_beside(id, revision) {
                    let verdict = script.verdict(id);
                    assert_eq!(verdict.status, Status::Pass, "{id} in {revision}: {:?}", verdict.reason);
                }
            }
        }
    }
}

#[test]
fn refusals_and_sessions() {
    let new = || good(V2025_11_25);
    for status in [403, 302] {
        new().status(Intent::AuthBare, "opening", status).breaks("auth.challenge.401-without-token");
    }
    let error = |said: &mut Said| {
        said.status = 200;
        said.body = json!({"error": {"code": -32001, "message": "Unauthorized"}});
    };
    new().change(Intent::AuthBare, "opening", error).breaks("auth.challenge.401-without-token");
    let stream = |kind: &'static str| {
        new().change(Intent::AuthInSession, "GET", |said| {
            said.status = 200;
            said.headers = vec![("content-type".to_owned(), kind.to_owned())];
        })
    };
    stream("text/event-stream").breaks("auth.challenge.401-on-get-and-delete");
    assert_eq!(stream("text/html").script().fails(), Vec::<&str>::new());
    new().status(Intent::AuthBare, "DELETE", 204).breaks("auth.challenge.401-on-get-and-delete");
    let known = |said: &mut Said| {
        said.status = 404;
        said.body = json!({"error": {"code": -32601, "message": "no"}});
    };
    new().change(Intent::AuthBare, "unknown-method", known).breaks("auth.token.before-processing");
    new().serves(Intent::AuthBare, "tools/list").breaks("auth.token.before-processing");
    let inside = new().serves(Intent::AuthInSession, "tools/list");
    inside.breaks("auth.token.every-request");
    inside.breaks("security.session.not-authentication");
    new().serves(Intent::AuthOtherUser, "").breaks("security.session.bound-to-user");
}

#[test]
fn a_server_may_protect_a_part_of_what_it_offers() {
    let talk = good(V2025_11_25).change(Intent::AuthBare, "opening", |said| said.about["request"] = json!("listing"));
    let script = talk.script();
    assert_eq!(script.status_of("auth.challenge.401-without-token"), Status::Pass);
    assert_eq!(script.fails(), Vec::<&str>::new());
    talk.status(Intent::AuthBare, "listing", 403).breaks("auth.challenge.401-without-token");
}

#[test]
fn the_order_of_checks_is_free() {
    let talk = good(V2025_11_25).status(Intent::AuthBare, "GET", 400).status(Intent::AuthBare, "unknown-method", 400);
    let talk = talk.status(Intent::AuthInSession, "tools/list", 404);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
    let talk = good(V2025_11_25).status(Intent::AuthBare, "GET", 405).status(Intent::AuthBare, "DELETE", 405);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn challenges() {
    let new = || good(V2026_07_28);
    let all = |header: &str| {
        let talk = new().says(Intent::AuthBare, "", header).says(Intent::AuthToken, "random", header);
        talk.says(Intent::AuthQuery, "", header)
    };
    new()
        .change(Intent::AuthBare, "tools/list", |said| said.headers.clear())
        .breaks("auth.challenge.www-authenticate-present");
    all("OAuth realm=\"x\"").breaks("auth.challenge.bearer-scheme");
    all("Bearer error=\"invalid_token\"").breaks("auth.challenge.no-error-without-token");
    all("Bearer realm=\"x\"").breaks("auth.challenge.scope");
    for scope in ["a, b", "[\\\"a\\\"]", ""] {
        all(&format!("Bearer scope=\"{scope}\"")).breaks("auth.challenge.scope-syntax");
    }
    all("Bearer scope=\"a\", scope=\"b\"").breaks("auth.challenge.scope-syntax");
    all("Bearer scope=\"a offline_access\"").breaks("auth.challenge.no-offline-access");
    let all = |revision: Revision, header: &str| good(revision).says(Intent::AuthBare, "", header);
    all(V2025_06_18, "Bearer realm=\"x\"").breaks("auth.challenge.resource-metadata");
    all(V2025_11_25, "Bearer").undescribed().stated().breaks("auth.challenge.resource-metadata-or-well-known");
    all(V2025_11_25, "Bearer resource_metadata=\"/x\"").breaks("auth.challenge.resource-metadata-url");
    all(V2025_11_25, "Bearer resource_metadata=\"http://a.example/x\"").breaks("auth.challenge.resource-metadata-url");
    good(V2025_11_25).status(Intent::AuthMetadata, "challenge", 404).breaks("auth.challenge.resource-metadata-url");
}

#[test]
fn metadata() {
    let new = || good(V2026_07_28);
    new().undescribed().breaks("auth.prm.served");
    new().undescribed().status(Intent::AuthMetadata, "challenge", 401).breaks("auth.prm.public");
    new()
        .change(Intent::AuthMetadata, "path", |said| said.headers[0].1 = "text/html".to_owned())
        .breaks("auth.prm.content-type");
    new().change(Intent::AuthMetadataCors, "", |said| said.headers.truncate(1)).breaks("auth.prm.cors");
    let elsewhere =
        good(V2025_06_18).status(Intent::AuthMetadata, "path", 404).status(Intent::AuthMetadata, "root", 404);
    elsewhere.breaks("auth.prm.at-well-known");
    let other = |said: &mut Said| said.body["authorization_servers"] = json!(["https://b.example"]);
    new().change(Intent::AuthMetadata, "path", other).breaks("auth.prm.consistent");
}

#[test]
fn what_metadata_says() {
    let breaks = |name: &str, value: Value, id: &str| {
        good(V2026_07_28).member(Intent::AuthMetadata, name, value).breaks(&format!("auth.prm.{id}"));
    };
    breaks("resource", json!(["x"]), "resource-present");
    good(V2026_07_28).without(Intent::AuthMetadata, "resource").stated().breaks("auth.prm.resource-present");
    breaks("resource", json!(format!("{ORIGIN}/another")), "resource-matches");
    breaks("resource", json!(format!("{ORIGIN}/mc")), "resource-matches");
    breaks("resource", json!(ORIGIN), "resource-identical");
    for resource in ["/mcp", "http://mcp.example.com/mcp", "http://127.0.0.1:3000/mcp#x"] {
        breaks("resource", json!(resource), "resource-form");
    }
    breaks("resource", json!(format!("{ORIGIN}/mcp/")), "resource-no-trailing-slash");
    breaks("authorization_servers", json!([]), "authorization-servers");
    breaks("authorization_servers", json!("https://a.example"), "authorization-servers");
    for server in ["http://a.example", "https://a.example/?x=1", "https://a.example/.well-known/openid-configuration"] {
        breaks("authorization_servers", json!([server]), "authorization-servers-form");
    }
    breaks("jwks_uri", Value::Null, "no-empty-members");
    breaks("scopes_supported", json!("a b"), "scopes-form");
    breaks("scopes_supported", json!(["a b"]), "scopes-form");
    breaks("scopes_supported", json!(["offline_access"]), "no-offline-access");
    breaks("scopes_supported", json!(["files:*"]), "scopes-minimal");
    breaks("bearer_methods_supported", json!(["header", "query"]), "no-query-method");
}

#[test]
fn behind_a_proxy_the_resource_has_another_name() {
    let public = || good(V2025_11_25).member(Intent::AuthMetadata, "resource", json!("https://mcp.example.com/mcp"));
    assert_eq!(public().script().status_of("auth.prm.resource-matches"), Status::Inconclusive);
    assert_eq!(public().script().fails(), Vec::<&str>::new());
    let stated = |endpoint: &str| {
        public().change(Intent::AuthMetadata, "", |said| {
            said.about["endpoint"] = json!(endpoint);
            said.about["stated"] = json!(true);
        })
    };
    stated("https://other.example.com/mcp").breaks("auth.prm.resource-matches");
    assert_eq!(stated("https://mcp.example.com/mcp").script().status_of("auth.prm.resource-matches"), Status::Pass);
}

#[test]
fn an_empty_list_of_methods_has_a_meaning_and_a_root_document_may_be_anothers() {
    let talk = good(V2025_11_25).member(Intent::AuthMetadata, "bearer_methods_supported", json!([]));
    let talk = talk.change(Intent::AuthMetadata, "root", |said| said.body["resource"] = json!("https://x.example/y"));
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn tokens() {
    let new = || good(V2026_07_28);
    for token in ["random", "truncated", "alg-none", "basic"] {
        new().serves(Intent::AuthToken, token).breaks("auth.token.invalid-401");
        new().status(Intent::AuthToken, token, 403).breaks("auth.token.invalid-401");
    }
    new().serves(Intent::AuthToken, "forged-hs256").breaks("auth.token.forged-401");
    new().status(Intent::AuthToken, "forged-es256", 500).breaks("auth.token.forged-401");
    new().serves(Intent::AuthToken, "foreign-issuer").breaks("auth.token.wrong-issuer");
    new().says(Intent::AuthToken, "random", "Bearer scope=\"a\"").breaks("auth.token.error-code");
    new().serves(Intent::AuthToken, "expired").breaks("auth.token.expired-401");
    new().serves(Intent::AuthToken, "other-audience").breaks("auth.token.wrong-audience");
    new()
        .serves(Intent::AuthToken, "no-audience")
        .serves(Intent::AuthToken, "other-audience")
        .breaks("auth.token.no-audience");
    new().status(Intent::AuthToken, "upper-case-audience", 401).breaks("auth.resource.upper-case-accepted");
    new().status(Intent::AuthToken, "lower-case", 401).breaks("auth.token.scheme-case");
    new().serves(Intent::AuthQuery, "valid").breaks("auth.token.query-string");
    new().serves(Intent::AuthQuery, "random").breaks("auth.token.query-string");
    new().status(Intent::AuthMalformed, "empty", 500).breaks("auth.status.malformed-400");
    new().serves(Intent::AuthMalformed, "twice").breaks("auth.status.malformed-400");
}

#[test]
fn what_a_server_may_do_with_tokens() {
    let talk =
        good(V2025_11_25).serves(Intent::AuthToken, "no-audience").status(Intent::AuthToken, "other-audience", 403);
    let talk = talk.status(Intent::AuthToken, "basic", 400).status(Intent::AuthMalformed, "empty", 401);
    let talk = talk.status(Intent::AuthQuery, "random", 400).status(Intent::AuthMalformed, "twice", 431);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
    assert_eq!(talk.script().status_of("auth.token.no-audience"), Status::Inconclusive);
}

#[test]
fn scope() {
    let new = || good(V2026_07_28);
    new().serves(Intent::AuthScope, "lesser").breaks("auth.scope.status-403");
    new().status(Intent::AuthScope, "lesser", 401).breaks("auth.scope.status-403");
    new().says(Intent::AuthScope, "lesser", "Bearer scope=\"a\"").breaks("auth.scope.insufficient-scope");
    new().says(Intent::AuthScope, "lesser", "Bearer error=\"insufficient_scope\"").breaks("auth.scope.names-scopes");
    new().says(Intent::AuthScope, "lesser", "Bearer scope=\"a\"").breaks("auth.scope.names-metadata");
    let mut round = 0;
    let other = |said: &mut Said| {
        round += 1;
        said.headers[0].1 = format!("Bearer scope=\"a{round}\"");
    };
    new().change(Intent::AuthScope, "lesser", other).breaks("auth.scope.consistent");
    new().status(Intent::AuthScope, "broader", 403).breaks("auth.scope.hierarchy");
    new().status(Intent::AuthScope, "granted", 403).breaks("auth.scope.all-at-once");
    let never = new().status(Intent::AuthScope, "full", 403);
    assert_eq!(never.script().status_of("auth.scope.status-403"), Status::NotObserved);
}

#[test]
fn the_authorization_server_of_the_first_revision() {
    let new = || good(V2025_03_26);
    let gone = |talk: Talk| {
        talk.change(Intent::AuthServer, "", |said| {
            said.status = 404;
            said.body = Value::Null;
        })
    };
    gone(new()).breaks("auth.as.metadata");
    new().without(Intent::AuthServer, "token_endpoint").breaks("auth.as.metadata-required-members");
    new()
        .member(Intent::AuthServer, "issuer", json!(format!("{ORIGIN}/x")))
        .breaks("auth.as.metadata-required-members");
    new().member(Intent::AuthServer, "token_endpoint", json!("http://a.example/token")).breaks("auth.as.https");
    new().without(Intent::AuthServer, "registration_endpoint").breaks("auth.as.dynamic-registration");
    let mut fallback = gone(new()).stated();
    for endpoint in ["authorize", "token"] {
        let about = json!({"endpoint": endpoint});
        fallback.said.push(Said { status: 404, ..fetched(Intent::AuthFallback, about, Value::Null) });
    }
    fallback.breaks("auth.as.fallback-endpoints");
    let there = fallback.clone().status(Intent::AuthFallback, "token", 400);
    assert_eq!(there.script().status_of("auth.as.fallback-endpoints"), Status::Pass);
    let away = |said: &mut Said| {
        said.status = 302;
        said.headers = vec![("location".to_owned(), "https://evil.example/callback?code=x".to_owned())];
    };
    new().change(Intent::AuthRedirect, "", away).breaks("auth.as.redirect-uri-validated");
    new().status(Intent::AuthRegister, "http", 201).breaks("auth.as.redirect-uri-scheme");
    new()
        .change(Intent::AuthPkce, "", |said| {
            said.status = 200;
            said.headers.clear();
        })
        .breaks("auth.as.pkce-required");
}

#[test]
fn a_separate_issuer_and_a_machine_to_machine_server_are_fine() {
    let talk = good(V2025_03_26).member(Intent::AuthServer, "issuer", json!("https://login.example.com/"));
    let talk = talk.member(Intent::AuthServer, "grant_types_supported", json!(["client_credentials"]));
    let talk = talk.without(Intent::AuthServer, "authorization_endpoint");
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn an_authorization_server_that_is_asked() {
    let new = || good(V2025_11_25);
    new().member(Intent::AuthIssuer, "issuer", json!(format!("{ORIGIN}/x"))).breaks("auth.as.discovery");
    new().without(Intent::AuthIssuer, "code_challenge_methods_supported").breaks("auth.as.pkce-advertised");
    let openid =
        |revision| good(revision).change(Intent::AuthIssuer, "oauth", |said| said.about["kind"] = json!("openid"));
    openid(V2025_06_18).breaks("auth.as.discovery");
    assert_eq!(openid(V2025_11_25).script().status_of("auth.as.discovery"), Status::Pass);
}

#[test]
fn servers_without_authorization_and_with_keys_of_their_own_are_no_ones_affair() {
    let open = Script::over(Transport::Http, V2025_11_25, json!({}));
    assert_eq!(open.status_of("auth.challenge.401-without-token"), Status::NotApplicable);
    let keys =
        good(V2025_11_25).undescribed().says(Intent::AuthBare, "", "Bearer").says(Intent::AuthToken, "", "Bearer");
    let keys = keys.says(Intent::AuthQuery, "", "Bearer").says(Intent::AuthInSession, "", "Bearer");
    let mut keys = keys.says(Intent::AuthScope, "", "Bearer").says(Intent::AuthMalformed, "", "Bearer");
    keys.said.retain(|said| said.intent != Intent::AuthOtherUser);
    for rule in super::RULES {
        for id in
            rule.judges.iter().filter(|id| verdict::requirement(id).is_some_and(|found| found.holds_in(V2025_11_25)))
        {
            assert_eq!(keys.script().status_of(id), Status::NotApplicable, "{id}");
        }
    }
    keys.stated().breaks("auth.prm.served");
}
