//! The authorization server, as far as it is this server's own or on this machine.

use serde_json::{Value, json};
use url::Url;
use verdict::AuthorizationDiscovery;
use verdict::Intent;

use super::forged::{Claims, random};
use super::metadata::{fetch, get, is_document};
use super::{NAME, Probing, path_of};

const OAUTH: &str = "/.well-known/oauth-authorization-server";
const OPENID: &str = "/.well-known/openid-configuration";
/// Where no client is to be sent.
const EVIL: &str = "https://evil.example/callback";
/// Where a client on this machine listens.
const HERE: &str = "http://127.0.0.1:49152/callback";

pub(super) async fn look(probing: &Probing, known: &Claims) {
    let discovery = probing.cx.profile.revision.traits().authorization;
    if discovery == AuthorizationDiscovery::OwnServer {
        probe_own_host(probing).await;
    } else if discovery > AuthorizationDiscovery::OwnServer {
        probe_named_issuer(probing, &known.issuer).await;
    }
}

/// 2025-03-26: at the root of the host, whatever the endpoint's path.
async fn probe_own_host(probing: &Probing) {
    let about = json!({"endpoint": probing.endpoint});
    let reply = get(&probing.outsider, OAUTH, Intent::AuthServer, about, None).await;
    let document: Value = serde_json::from_str(&reply.body).unwrap_or_default();
    if !is_document(&reply) && probing.cx.options.credentials.oauth {
        let authorize = json!({"endpoint": "authorize"});
        probing
            .outsider
            .http("GET")
            .bare_headers()
            .at("/authorize")
            .probe(NAME, Intent::AuthFallback, authorize)
            .send()
            .await;
        let token = json!({"endpoint": "token"});
        let post = probing.outsider.http("POST").bare_headers().at("/token").probe(NAME, Intent::AuthFallback, token);
        post.header("Content-Type", Some("application/x-www-form-urlencoded")).send().await;
    }
    if !probing.cx.profile.may_disrupt {
        return;
    }
    let endpoint = |name: &str, fallback: &str| {
        let named = document.get(name).and_then(Value::as_str).and_then(|text| Url::parse(text).ok());
        let guessed = (!is_document(&reply)).then(|| probing.url.join(fallback).ok()).flatten();
        named.or(guessed).filter(|url| url.origin() == probing.url.origin())
    };
    if let Some(authorize) = endpoint("authorization_endpoint", "/authorize") {
        ask_for_leave(probing, &authorize, Intent::AuthRedirect, ("mcp-conform-unknown", EVIL), true).await;
        if let Some(register) = endpoint("registration_endpoint", "/register") {
            register_and_ask(probing, &register, &authorize).await;
        }
    }
}

/// Only where the user has said that clients may be registered.
async fn register_and_ask(probing: &Probing, register: &Url, authorize: &Url) {
    if !probing.cx.options.credentials.register {
        return;
    }
    self::register(probing, register, "http", "http://evil.example/callback").await;
    let Some(client) = self::register(probing, register, "good", HERE).await else { return };
    ask_for_leave(probing, authorize, Intent::AuthPkce, (&client, HERE), false).await;
}

async fn register(probing: &Probing, url: &Url, kind: &str, redirect: &str) -> Option<String> {
    let body = json!({"client_name": "mcp-conform", "redirect_uris": [redirect], "grant_types": ["authorization_code"],
        "response_types": ["code"], "token_endpoint_auth_method": "none"});
    let post = probing.outsider.http("POST").bare_headers().at(&path_of(url)).body(body.to_string());
    let post = post.header("Accept", Some("application/json")).probe(NAME, Intent::AuthRegister, json!({"kind": kind}));
    let reply = post.send().await;
    let registered: Value = serde_json::from_str(&reply.body).ok().filter(|_| reply.is_success())?;
    registered.get("client_id").and_then(Value::as_str).map(str::to_owned)
}

async fn ask_for_leave(
    probing: &Probing,
    url: &Url,
    intent: Intent,
    (client, redirect): (&str, &str),
    challenge: bool,
) {
    let mut url = url.clone();
    let mut query = url.query_pairs_mut();
    query.append_pair("response_type", "code").append_pair("client_id", client).append_pair("redirect_uri", redirect);
    query.append_pair("state", "mcp-conform");
    if challenge {
        query.append_pair("code_challenge", &random(32)).append_pair("code_challenge_method", "S256");
    }
    drop(query);
    let get = probing.outsider.http("GET").bare_headers().at(&path_of(&url)).header("Accept", Some("text/html, */*"));
    get.probe(NAME, intent, Value::Null).send().await;
}

/// Later: the one that the metadata names, at the places and in the order in which clients look.
async fn probe_named_issuer(probing: &Probing, issuer: &str) {
    let Ok(url) = Url::parse(issuer) else { return };
    if url.origin() != probing.url.origin() && !wire::is_loopback(url.host()) {
        probing.outsider.record_probe(NAME, Intent::AuthElsewhere, json!({"what": Intent::AuthIssuer}));
        return;
    }
    let path = url.path().trim_end_matches('/').to_owned();
    let mut places = vec![("oauth", format!("{OAUTH}{path}")), ("openid", format!("{OPENID}{path}"))];
    if !path.is_empty() {
        places.push(("openid", format!("{path}{OPENID}")));
    }
    for (kind, place) in places {
        let mut at = url.clone();
        at.set_path(&place);
        at.set_query(None);
        let about = json!({"issuer": issuer, "kind": kind});
        let document = fetch(probing, &at, Intent::AuthIssuer, about).await;
        if document.is_some_and(|document| document.get("issuer").is_some_and(|named| named == issuer)) {
            return;
        }
    }
}
