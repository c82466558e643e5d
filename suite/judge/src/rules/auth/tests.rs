//! A protected server as outsiders see it, good in everything; and each requirement broken by one change.

use serde_json::{Value, json};
use verdict::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
use verdict::{Revision, Status, Transport};

use crate::testing::Script;

const ORIGIN: &str = "http://127.0.0.1:3000";

/// One exchange with the server.
#[derive(Clone, Debug)]
struct Said {
    intent: &'static str,
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
    meant: Vec<&'static str>,
}

fn challenge(rest: &str) -> Vec<(String, String)> {
    let value = format!(
        "Bearer {rest}scope=\"mcp:use\", resource_metadata=\"{ORIGIN}/.well-known/oauth-protected-resource/mcp\""
    );
    vec![("www-authenticate".to_owned(), value)]
}

fn refused(intent: &'static str, about: Value, rest: &str) -> Said {
    Said { intent, about, http: "POST", method: "initialize", status: 401, headers: challenge(rest), body: Value::Null }
}

fn served(intent: &'static str, about: Value) -> Said {
    let body = json!({"result": {"resultType": "complete"}});
    Said { intent, about, http: "POST", method: "tools/list", status: 200, headers: vec![], body }
}

fn fetched(intent: &'static str, about: Value, body: Value) -> Said {
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
    let bare = |request: &str| refused("auth-bare", json!({"request": request}), "");
    let token = |token: &str| refused("auth-token", json!({"token": token}), "error=\"invalid_token\", ");
    let mut said = vec![bare("opening"), bare("tools/list"), bare("unknown-method"), bare("unknown-tool")];
    if revision.is_handshake() {
        said.extend(["GET", "DELETE"].map(|http| Said { http, ..bare(http) }));
        said.push(bare("invalid-opening"));
        let inside = |request: &'static str| refused("auth-in-session", json!({"request": request}), "");
        said.extend([inside("tools/list"), inside("unknown-method"), Said { http: "GET", ..inside("GET") }]);
        said.push(Said { status: 404, ..refused("auth-other-user", Value::Null, "") });
    }
    for kind in ["random", "truncated", "alg-none", "forged-hs256", "forged-es256", "forged-rs256", "foreign-issuer"] {
        said.push(token(kind));
    }
    said.extend(["expired", "other-audience", "no-audience"].map(token));
    said.push(refused("auth-token", json!({"token": "basic"}), ""));
    said.extend(
        ["valid", "lower-case", "upper-case-audience"].map(|kind| served("auth-token", json!({"token": kind}))),
    );
    said.extend(
        ["empty", "twice"].map(|kind| Said { status: 400, ..refused("auth-malformed", json!({"kind": kind}), "") }),
    );
    said.extend(["random", "valid"].map(|kind| refused("auth-query", json!({"token": kind}), "")));
    let about = |place: &str| json!({"place": place, "endpoint": format!("{ORIGIN}/mcp"), "stated": false});
    said.push(fetched("auth-metadata", about("challenge"), resource("/mcp")));
    said.push(fetched("auth-metadata", about("path"), resource("/mcp")));
    said.push(fetched("auth-metadata-cors", about("path"), resource("/mcp")));
    said.push(fetched("auth-metadata", about("root"), resource("")));
    scopes(&mut said);
    if revision == V2025_03_26 {
        said.push(fetched("auth-server", json!({"endpoint": format!("{ORIGIN}/mcp")}), issuer()));
        said.push(Said { status: 400, ..fetched("auth-redirect", Value::Null, Value::Null) });
        said.push(Said { status: 400, ..fetched("auth-register", json!({"kind": "http"}), Value::Null) });
        let headers = vec![("location".to_owned(), "http://127.0.0.1:1/cb?error=invalid_request".to_owned())];
        said.push(Said { status: 302, headers, ..fetched("auth-pkce", Value::Null, Value::Null) });
    } else {
        said.push(fetched("auth-issuer", json!({"issuer": ORIGIN, "kind": "oauth"}), issuer()));
    }
    Talk { revision, said, meant: vec!["auth-given"] }
}

fn scopes(said: &mut Vec<Said>) {
    let about = |token: &str, round: u32| json!({"token": token, "round": round});
    said.push(served("auth-scope", about("full", 0)));
    for round in 0..2 {
        let lesser = refused("auth-scope", about("lesser", round), "error=\"insufficient_scope\", ");
        said.push(Said { status: 403, ..lesser });
    }
    said.push(served("auth-scope", about("granted", 0)));
    said.push(served("auth-scope", about("broader", 0)));
}

impl Talk {
    fn script(&self) -> Script {
        let mut script = Script::over(Transport::Http, self.revision, json!({"tools": {}})).outsider();
        for intent in &self.meant {
            script = script.means(intent, Value::Null);
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
    fn change(mut self, intent: &str, word: &str, mut change: impl FnMut(&mut Said)) -> Self {
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

    fn status(self, intent: &str, word: &str, status: u16) -> Self {
        self.change(intent, word, |said| said.status = status)
    }

    fn serves(self, intent: &str, word: &str) -> Self {
        self.change(intent, word, |said| {
            said.status = 200;
            said.body = json!({"result": {"resultType": "complete"}});
        })
    }

    fn says(self, intent: &str, word: &str, header: &str) -> Self {
        self.change(intent, word, |said| said.headers = vec![("www-authenticate".to_owned(), header.to_owned())])
    }

    fn member(self, intent: &str, name: &str, value: Value) -> Self {
        self.change(intent, "", |said| said.body[name] = value.clone())
    }

    fn without(self, intent: &str, name: &str) -> Self {
        self.change(intent, "", |said| {
            said.body.as_object_mut().map(|members| members.shift_remove(name));
        })
    }

    /// All metadata is gone.
    fn undescribed(self) -> Self {
        self.change("auth-metadata", "", |said| {
            said.status = 404;
            said.body = Value::Null;
        })
    }

    fn stated(mut self) -> Self {
        self.meant.push("auth-stated");
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
        new().status("auth-bare", "opening", status).breaks("auth.challenge.401-without-token");
    }
    let error = |said: &mut Said| {
        said.status = 200;
        said.body = json!({"error": {"code": -32001, "message": "Unauthorized"}});
    };
    new().change("auth-bare", "opening", error).breaks("auth.challenge.401-without-token");
    let stream = |kind: &'static str| {
        new().change("auth-in-session", "GET", |said| {
            said.status = 200;
            said.headers = vec![("content-type".to_owned(), kind.to_owned())];
        })
    };
    stream("text/event-stream").breaks("auth.challenge.401-on-get-and-delete");
    assert_eq!(stream("text/html").script().fails(), Vec::<&str>::new());
    new().status("auth-bare", "DELETE", 204).breaks("auth.challenge.401-on-get-and-delete");
    let known = |said: &mut Said| {
        said.status = 404;
        said.body = json!({"error": {"code": -32601, "message": "no"}});
    };
    new().change("auth-bare", "unknown-method", known).breaks("auth.token.before-processing");
    new().serves("auth-bare", "tools/list").breaks("auth.token.before-processing");
    let inside = new().serves("auth-in-session", "tools/list");
    inside.breaks("auth.token.every-request");
    inside.breaks("security.session.not-authentication");
    new().serves("auth-other-user", "").breaks("security.session.bound-to-user");
}

#[test]
fn a_server_may_protect_a_part_of_what_it_offers() {
    let talk = good(V2025_11_25).change("auth-bare", "opening", |said| said.about["request"] = json!("listing"));
    let script = talk.script();
    assert_eq!(script.status_of("auth.challenge.401-without-token"), Status::Pass);
    assert_eq!(script.fails(), Vec::<&str>::new());
    talk.status("auth-bare", "listing", 403).breaks("auth.challenge.401-without-token");
}

#[test]
fn the_order_of_checks_is_free() {
    let talk = good(V2025_11_25).status("auth-bare", "GET", 400).status("auth-bare", "unknown-method", 400);
    let talk = talk.status("auth-in-session", "tools/list", 404);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
    let talk = good(V2025_11_25).status("auth-bare", "GET", 405).status("auth-bare", "DELETE", 405);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn challenges() {
    let new = || good(V2026_07_28);
    let all = |header: &str| {
        let talk = new().says("auth-bare", "", header).says("auth-token", "random", header);
        talk.says("auth-query", "", header)
    };
    new()
        .change("auth-bare", "tools/list", |said| said.headers.clear())
        .breaks("auth.challenge.www-authenticate-present");
    all("OAuth realm=\"x\"").breaks("auth.challenge.bearer-scheme");
    all("Bearer error=\"invalid_token\"").breaks("auth.challenge.no-error-without-token");
    all("Bearer realm=\"x\"").breaks("auth.challenge.scope");
    for scope in ["a, b", "[\\\"a\\\"]", ""] {
        all(&format!("Bearer scope=\"{scope}\"")).breaks("auth.challenge.scope-syntax");
    }
    all("Bearer scope=\"a\", scope=\"b\"").breaks("auth.challenge.scope-syntax");
    all("Bearer scope=\"a offline_access\"").breaks("auth.challenge.no-offline-access");
    let all = |revision: Revision, header: &str| good(revision).says("auth-bare", "", header);
    all(V2025_06_18, "Bearer realm=\"x\"").breaks("auth.challenge.resource-metadata");
    all(V2025_11_25, "Bearer").undescribed().stated().breaks("auth.challenge.resource-metadata-or-well-known");
    all(V2025_11_25, "Bearer resource_metadata=\"/x\"").breaks("auth.challenge.resource-metadata-url");
    all(V2025_11_25, "Bearer resource_metadata=\"http://a.example/x\"").breaks("auth.challenge.resource-metadata-url");
    good(V2025_11_25).status("auth-metadata", "challenge", 404).breaks("auth.challenge.resource-metadata-url");
}

#[test]
fn metadata() {
    let new = || good(V2026_07_28);
    new().undescribed().breaks("auth.prm.served");
    new().undescribed().status("auth-metadata", "challenge", 401).breaks("auth.prm.public");
    new()
        .change("auth-metadata", "path", |said| said.headers[0].1 = "text/html".to_owned())
        .breaks("auth.prm.content-type");
    new().change("auth-metadata-cors", "", |said| said.headers.truncate(1)).breaks("auth.prm.cors");
    let elsewhere = good(V2025_06_18).status("auth-metadata", "path", 404).status("auth-metadata", "root", 404);
    elsewhere.breaks("auth.prm.at-well-known");
    let other = |said: &mut Said| said.body["authorization_servers"] = json!(["https://b.example"]);
    new().change("auth-metadata", "path", other).breaks("auth.prm.consistent");
}

#[test]
fn what_metadata_says() {
    let breaks = |name: &str, value: Value, id: &str| {
        good(V2026_07_28).member("auth-metadata", name, value).breaks(&format!("auth.prm.{id}"));
    };
    breaks("resource", json!(["x"]), "resource-present");
    good(V2026_07_28).without("auth-metadata", "resource").stated().breaks("auth.prm.resource-present");
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
    let public = || good(V2025_11_25).member("auth-metadata", "resource", json!("https://mcp.example.com/mcp"));
    assert_eq!(public().script().status_of("auth.prm.resource-matches"), Status::Inconclusive);
    assert_eq!(public().script().fails(), Vec::<&str>::new());
    let stated = |endpoint: &str| {
        public().change("auth-metadata", "", |said| {
            said.about["endpoint"] = json!(endpoint);
            said.about["stated"] = json!(true);
        })
    };
    stated("https://other.example.com/mcp").breaks("auth.prm.resource-matches");
    assert_eq!(stated("https://mcp.example.com/mcp").script().status_of("auth.prm.resource-matches"), Status::Pass);
}

#[test]
fn an_empty_list_of_methods_has_a_meaning_and_a_root_document_may_be_anothers() {
    let talk = good(V2025_11_25).member("auth-metadata", "bearer_methods_supported", json!([]));
    let talk = talk.change("auth-metadata", "root", |said| said.body["resource"] = json!("https://x.example/y"));
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn tokens() {
    let new = || good(V2026_07_28);
    for token in ["random", "truncated", "alg-none", "basic"] {
        new().serves("auth-token", token).breaks("auth.token.invalid-401");
        new().status("auth-token", token, 403).breaks("auth.token.invalid-401");
    }
    new().serves("auth-token", "forged-hs256").breaks("auth.token.forged-401");
    new().status("auth-token", "forged-es256", 500).breaks("auth.token.forged-401");
    new().serves("auth-token", "foreign-issuer").breaks("auth.token.wrong-issuer");
    new().says("auth-token", "random", "Bearer scope=\"a\"").breaks("auth.token.error-code");
    new().serves("auth-token", "expired").breaks("auth.token.expired-401");
    new().serves("auth-token", "other-audience").breaks("auth.token.wrong-audience");
    new().serves("auth-token", "no-audience").serves("auth-token", "other-audience").breaks("auth.token.no-audience");
    new().status("auth-token", "upper-case-audience", 401).breaks("auth.resource.upper-case-accepted");
    new().status("auth-token", "lower-case", 401).breaks("auth.token.scheme-case");
    new().serves("auth-query", "valid").breaks("auth.token.query-string");
    new().serves("auth-query", "random").breaks("auth.token.query-string");
    new().status("auth-malformed", "empty", 500).breaks("auth.status.malformed-400");
    new().serves("auth-malformed", "twice").breaks("auth.status.malformed-400");
}

#[test]
fn what_a_server_may_do_with_tokens() {
    let talk = good(V2025_11_25).serves("auth-token", "no-audience").status("auth-token", "other-audience", 403);
    let talk = talk.status("auth-token", "basic", 400).status("auth-malformed", "empty", 401);
    let talk = talk.status("auth-query", "random", 400).status("auth-malformed", "twice", 431);
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
    assert_eq!(talk.script().status_of("auth.token.no-audience"), Status::Inconclusive);
}

#[test]
fn scope() {
    let new = || good(V2026_07_28);
    new().serves("auth-scope", "lesser").breaks("auth.scope.status-403");
    new().status("auth-scope", "lesser", 401).breaks("auth.scope.status-403");
    new().says("auth-scope", "lesser", "Bearer scope=\"a\"").breaks("auth.scope.insufficient-scope");
    new().says("auth-scope", "lesser", "Bearer error=\"insufficient_scope\"").breaks("auth.scope.names-scopes");
    new().says("auth-scope", "lesser", "Bearer scope=\"a\"").breaks("auth.scope.names-metadata");
    let mut round = 0;
    let other = |said: &mut Said| {
        round += 1;
        said.headers[0].1 = format!("Bearer scope=\"a{round}\"");
    };
    new().change("auth-scope", "lesser", other).breaks("auth.scope.consistent");
    new().status("auth-scope", "broader", 403).breaks("auth.scope.hierarchy");
    new().status("auth-scope", "granted", 403).breaks("auth.scope.all-at-once");
    let never = new().status("auth-scope", "full", 403);
    assert_eq!(never.script().status_of("auth.scope.status-403"), Status::NotObserved);
}

#[test]
fn the_authorization_server_of_the_first_revision() {
    let new = || good(V2025_03_26);
    let gone = |talk: Talk| {
        talk.change("auth-server", "", |said| {
            said.status = 404;
            said.body = Value::Null;
        })
    };
    gone(new()).breaks("auth.as.metadata");
    new().without("auth-server", "token_endpoint").breaks("auth.as.metadata-required-members");
    new().member("auth-server", "issuer", json!(format!("{ORIGIN}/x"))).breaks("auth.as.metadata-required-members");
    new().member("auth-server", "token_endpoint", json!("http://a.example/token")).breaks("auth.as.https");
    new().without("auth-server", "registration_endpoint").breaks("auth.as.dynamic-registration");
    let mut fallback = gone(new()).stated();
    for endpoint in ["authorize", "token"] {
        let about = json!({"endpoint": endpoint});
        fallback.said.push(Said { status: 404, ..fetched("auth-fallback", about, Value::Null) });
    }
    fallback.breaks("auth.as.fallback-endpoints");
    let there = fallback.clone().status("auth-fallback", "token", 400);
    assert_eq!(there.script().status_of("auth.as.fallback-endpoints"), Status::Pass);
    let away = |said: &mut Said| {
        said.status = 302;
        said.headers = vec![("location".to_owned(), "https://evil.example/callback?code=x".to_owned())];
    };
    new().change("auth-redirect", "", away).breaks("auth.as.redirect-uri-validated");
    new().status("auth-register", "http", 201).breaks("auth.as.redirect-uri-scheme");
    new()
        .change("auth-pkce", "", |said| {
            said.status = 200;
            said.headers.clear();
        })
        .breaks("auth.as.pkce-required");
}

#[test]
fn a_separate_issuer_and_a_machine_to_machine_server_are_fine() {
    let talk = good(V2025_03_26).member("auth-server", "issuer", json!("https://login.example.com/"));
    let talk = talk.member("auth-server", "grant_types_supported", json!(["client_credentials"]));
    let talk = talk.without("auth-server", "authorization_endpoint");
    assert_eq!(talk.script().fails(), Vec::<&str>::new());
}

#[test]
fn an_authorization_server_that_is_asked() {
    let new = || good(V2025_11_25);
    new().member("auth-issuer", "issuer", json!(format!("{ORIGIN}/x"))).breaks("auth.as.discovery");
    new().without("auth-issuer", "code_challenge_methods_supported").breaks("auth.as.pkce-advertised");
    let openid = |revision| good(revision).change("auth-issuer", "oauth", |said| said.about["kind"] = json!("openid"));
    openid(V2025_06_18).breaks("auth.as.discovery");
    assert_eq!(openid(V2025_11_25).script().status_of("auth.as.discovery"), Status::Pass);
}

#[test]
fn servers_without_authorization_and_with_keys_of_their_own_are_no_ones_affair() {
    let open = Script::over(Transport::Http, V2025_11_25, json!({}));
    assert_eq!(open.status_of("auth.challenge.401-without-token"), Status::NotApplicable);
    let keys = good(V2025_11_25).undescribed().says("auth-bare", "", "Bearer").says("auth-token", "", "Bearer");
    let keys = keys.says("auth-query", "", "Bearer").says("auth-in-session", "", "Bearer");
    let mut keys = keys.says("auth-scope", "", "Bearer").says("auth-malformed", "", "Bearer");
    keys.said.retain(|said| said.intent != "auth-other-user");
    for rule in super::RULES {
        for id in
            rule.judges.iter().filter(|id| verdict::requirement(id).is_some_and(|found| found.holds_in(V2025_11_25)))
        {
            assert_eq!(keys.script().status_of(id), Status::NotApplicable, "{id}");
        }
    }
    keys.stated().breaks("auth.prm.served");
}
