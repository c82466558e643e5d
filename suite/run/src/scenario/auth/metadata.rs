//! Fetching the protected resource metadata, as clients do: where the challenge says, then at the well-known URLs.

use serde_json::{Value, json};
use url::Url;
use verdict::{Intent, Purpose};

use super::forged::Claims;
use super::{NAME, Probing, path_of};
use crate::session::Reply;
use crate::{Opening, Session};

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// The page of a client that runs in a browser.
const PAGE: &str = "https://client.mcp-conform.example";

/// Fetches what there is and says what a token would have to look like.
pub(super) async fn look(probing: &Probing, challenge: &[(String, String)]) -> Claims {
    let named = challenge.iter().find(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"));
    let named = named.and_then(|(_, value)| parameter(value, "resource_metadata"));
    let mut documents = Vec::new();
    if let Some(url) = named.as_deref().and_then(|text| Url::parse(text).ok()) {
        documents.extend(fetch(probing, &url, Intent::AuthMetadata, about(probing, "challenge")).await);
    }
    let path = probing.url.path().trim_end_matches('/');
    let mut places = vec![("root", WELL_KNOWN.to_owned())];
    if !path.is_empty() {
        places.insert(0, ("path", format!("{WELL_KNOWN}{path}")));
    }
    let mut read = false;
    for (place, path) in places {
        let reply = get(&probing.outsider, &path, Intent::AuthMetadata, about(probing, place), None).await;
        let found = document(&reply);
        if found.is_some() && !read {
            read = true;
            get(&probing.outsider, &path, Intent::AuthMetadataCors, about(probing, place), Some(PAGE)).await;
        }
        documents.extend(found);
    }
    claims(probing, challenge, &documents)
}

fn about(probing: &Probing, place: &str) -> Value {
    let stated = probing.cx.options.credentials.public_url.is_some();
    json!({"place": place, "endpoint": probing.endpoint, "stated": stated})
}

/// GET of a document, without credentials.
pub(super) async fn get(session: &Session, path: &str, intent: Intent, about: Value, origin: Option<&str>) -> Reply {
    let get = session.http("GET").bare_headers().at(path).header("Accept", Some("application/json"));
    get.header("Origin", origin).probe(NAME, intent, about).send().await
}

/// A document of this server, or of another on this machine. Others are not asked, and that is said.
pub(super) async fn fetch(probing: &Probing, url: &Url, intent: Intent, about: Value) -> Option<Value> {
    if url.origin() == probing.url.origin() {
        return document(&get(&probing.outsider, &path_of(url), intent, about, None).await);
    }
    if !wire::is_loopback(url.host()) || !wire::is_loopback(probing.url.host()) {
        probing.outsider.record_probe(NAME, Intent::AuthElsewhere, json!({"what": intent}));
        return None;
    }
    let opening = Opening::new(Purpose::Elsewhere, probing.cx.profile.revision).elsewhere(url.clone());
    let session = probing.cx.open(opening).await.ok()?;
    let reply = get(&session, &path_of(url), intent, about, None).await;
    session.kill().await;
    document(&reply)
}

fn document(reply: &Reply) -> Option<Value> {
    let value = (reply.status == Some(200)).then(|| serde_json::from_str::<Value>(&reply.body).ok()).flatten();
    value.filter(Value::is_object)
}

fn claims(probing: &Probing, challenge: &[(String, String)], documents: &[Value]) -> Claims {
    let member = |name: &str| documents.iter().find_map(|document| document.get(name));
    let issuer = member("authorization_servers").and_then(|servers| servers.get(0)).and_then(Value::as_str);
    let resource = member("resource").and_then(Value::as_str);
    let supported = member("scopes_supported").and_then(Value::as_array);
    let supported = supported.map(|scopes| scopes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "));
    let asked = challenge.iter().find_map(|(_, value)| parameter(value, "scope"));
    Claims {
        issuer: issuer.map_or_else(|| probing.url.origin().ascii_serialization(), str::to_owned),
        resource: resource.map_or_else(|| probing.endpoint.clone(), str::to_owned),
        scope: supported.or(asked).unwrap_or_default(),
    }
}

/// A parameter of a challenge. Rules read challenges properly; this only finds where to look.
fn parameter(header: &str, name: &str) -> Option<String> {
    let at = header.to_ascii_lowercase().find(&format!("{name}="))? + name.len() + 1;
    let rest = &header[at..];
    let value = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split([',', ' ']).next()?,
    };
    Some(value.to_owned())
}

/// Issuers that the documents name.
pub(super) fn is_document(reply: &Reply) -> bool {
    document(reply).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_found_in_a_challenge() {
        let header = r#"Bearer realm="x", resource_metadata="https://a/b", scope="c d""#;
        assert_eq!(parameter(header, "resource_metadata").as_deref(), Some("https://a/b"));
        assert_eq!(parameter(header, "scope").as_deref(), Some("c d"));
        assert_eq!(parameter("Bearer", "scope"), None);
    }
}
