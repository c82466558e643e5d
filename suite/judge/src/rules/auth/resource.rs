//! Rules about the protected resource metadata. `docs/probes.md` lists the probes.

use serde_json::Value;
use url::Url;
use verdict::Key;

use super::challenge::is_scope;
use super::metadata::{Found, documents, is_safe, same_origin};
use super::standing::{finding, guarded};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "auth/resource",
    judges: &[
        "auth.prm.resource-present",
        "auth.prm.resource-matches",
        "auth.prm.resource-identical",
        "auth.prm.resource-form",
        "auth.prm.resource-no-trailing-slash",
        "auth.prm.authorization-servers",
        "auth.prm.authorization-servers-form",
        "auth.prm.no-empty-members",
        "auth.prm.scopes-form",
        "auth.prm.no-offline-access",
        "auth.prm.scopes-minimal",
        "auth.prm.no-query-method",
    ],
    judge,
};

/// A list of scopes that is rather all there are than those one needs to begin with.
const MANY: usize = 30;

fn judge(view: &View<'_>, collector: &mut Collector) {
    if guarded(view, collector, RULE.judges).is_none() {
        return;
    }
    for found in documents(view) {
        check_resource(&found, collector);
        check_servers(&found, collector);
        check_members(&found, collector);
        check_scopes(&found, collector);
        check_methods(&found, collector);
    }
}

fn check_resource(found: &Found<'_>, collector: &mut Collector) {
    let named = found.document.get("resource").and_then(Value::as_str);
    collector.check("auth.prm.resource-present", named.is_some(), || {
        let message = "The metadata does not name the resource it describes as a string: clients refuse it, because it could describe any server.";
        let actual = if found.document.get("resource").is_some() { "`resource` is not a string" } else { "no resource" };
        finding(&found.case, message, "`resource` with the URL of this server", actual)
    });
    let Some(named) = named else { return };
    let url = Url::parse(named).ok().filter(|url| url.has_host());
    let good = url.as_ref().is_some_and(|url| is_safe(url) && url.fragment().is_none());
    collector.check("auth.prm.resource-form", good, || {
        let actual = match &url {
            None => "not an absolute URL",
            Some(url) if url.fragment().is_some() => "a URL with a fragment",
            Some(_) => "a URL that is not https",
        };
        let message = "`resource` is not a URL that tokens could be requested for: clients refuse it.";
        finding(&found.case, message, "an absolute https URL (http on loopback) without a fragment", actual)
    });
    if let (Some(url), Some(endpoint)) = (&url, endpoint(found)) {
        compare(found, url, &endpoint, collector);
        let meant = endpoint.path().ends_with('/');
        if url.path() == "/" && named.ends_with('/') {
            collector.note(
                "auth.prm.resource-no-trailing-slash",
                "`resource` is an origin with a trailing slash, as URL libraries write it",
            );
        } else if !meant {
            collector.check("auth.prm.resource-no-trailing-slash", !named.ends_with('/'), || {
                let message = "`resource` ends with a slash that the endpoint does not have: clients that compare strings conclude that it is another server's.";
                finding(&found.case, message, "the exact URL of the endpoint", "the same URL with a trailing slash")
            });
        }
    }
}

fn endpoint(found: &Found<'_>) -> Option<Url> {
    Url::parse(found.case.about_str(Key::Endpoint)?).ok()
}

fn compare(found: &Found<'_>, resource: &Url, endpoint: &Url, collector: &mut Collector) {
    let (matches, identical) = ("auth.prm.resource-matches", "auth.prm.resource-identical");
    if !same_origin(resource, endpoint) {
        if found.case.about(Key::Stated) != Some(&Value::Bool(true)) {
            let reason = "`resource` names an origin other than that of the tested URL, as behind a proxy: [auth] public_url states which is right";
            collector.inconclusive(matches, reason);
            collector.inconclusive(identical, reason);
            return;
        }
        let message =
            "The metadata describes another server: clients refuse it, or get tokens that are not for this one.";
        let expected = "the origin of this server with its path, or with a parent of that path";
        collector.fail(matches, finding(&found.case, message, expected, "another origin"));
        return;
    }
    let parent = resource.path().trim_end_matches('/');
    let own = endpoint.path().trim_end_matches('/');
    let covers = own == parent || own.strip_prefix(parent).is_some_and(|rest| rest.starts_with('/'));
    collector.check(matches, covers, || {
        let message = "The metadata describes another endpoint of this host: clients refuse it, or get tokens that are not for this one.";
        let expected = "the path of this server, or a parent of it";
        finding(&found.case, message, expected, format!("the path {}", resource.path()))
    });
    let wanted = if found.place() == "root" { "" } else { own };
    let same = parent == wanted && resource.query() == endpoint.query().filter(|_| found.place() != "root");
    if covers {
        collector.check(identical, same, || {
            let message = "`resource` is not the identifier that the document was looked up for: strict clients refuse it, because one server could impersonate another.";
            let expected = if found.place() == "root" { "the origin" } else { "the URL of the endpoint" };
            finding(&found.case, message, expected, format!("the path {}", resource.path()))
        });
    }
}

fn check_servers(found: &Found<'_>, collector: &mut Collector) {
    let listed = found.document.get("authorization_servers").and_then(Value::as_array);
    let some = listed.is_some_and(|servers| !servers.is_empty());
    collector.check("auth.prm.authorization-servers", some, || {
        let message = "The metadata names no authorization server: clients do not know where to get a token.";
        let actual = match found.document.get("authorization_servers") {
            None => "no authorization_servers",
            Some(Value::Array(_)) => "an empty list",
            Some(_) => "no list",
        };
        finding(&found.case, message, "authorization_servers with at least one URL", actual)
    });
    for entry in listed.into_iter().flatten() {
        let wrong = entry.as_str().map_or(Some("an entry that is not a string"), wrong_issuer);
        collector.check("auth.prm.authorization-servers-form", wrong.is_none(), || {
            let message = "An entry of authorization_servers is not an issuer URL: clients look for its metadata where there is none, or over an unprotected connection.";
            let expected = "an https URL (http on loopback) without query, fragment or well-known part";
            finding(&found.case, message, expected, wrong.unwrap_or_default())
        });
    }
}

fn wrong_issuer(text: &str) -> Option<&'static str> {
    let Some(url) = Url::parse(text).ok().filter(Url::has_host) else {
        return Some("an entry that is not an absolute URL");
    };
    if !is_safe(&url) {
        Some("a URL that is not https")
    } else if url.query().is_some() || url.fragment().is_some() {
        Some("a URL with a query or a fragment")
    } else if url.path().contains("/.well-known/") {
        Some("the URL of a metadata document")
    } else {
        None
    }
}

fn check_members(found: &Found<'_>, collector: &mut Collector) {
    let Some(members) = found.document.as_object() else { return };
    let empty = |(name, value): &(&String, &Value)| {
        value.is_null() || (value.as_array().is_some_and(Vec::is_empty) && *name != "bearer_methods_supported")
    };
    // That there must be an authorization server is another requirement's affair.
    let judged = |(name, _): &(&String, &Value)| *name != "authorization_servers";
    let names: Vec<&str> = members.iter().filter(judged).filter(empty).map(|(name, _)| name.as_str()).collect();
    collector.check("auth.prm.no-empty-members", names.is_empty(), || {
        let message = "A member of the metadata is null or an empty list: members without a value are to be omitted, and strict clients refuse the metadata.";
        finding(&found.case, message, "members with a value", names.join(", "))
    });
}

fn check_scopes(found: &Found<'_>, collector: &mut Collector) {
    let Some(supported) = found.document.get("scopes_supported").filter(|scopes| !scopes.is_null()) else { return };
    let list: Option<Vec<&str>> = supported.as_array().and_then(|list| list.iter().map(Value::as_str).collect());
    let good = list.as_ref().is_some_and(|list| list.iter().all(|scope| is_scope(scope)));
    collector.check("auth.prm.scopes-form", good, || {
        let message = "scopes_supported is not a list of scopes: clients cannot request any of them.";
        let actual = if list.is_some() { "an entry that cannot be a scope" } else { "not a list of strings" };
        finding(&found.case, message, "a list of strings, one scope each", actual)
    });
    let Some(list) = list else { return };
    collector.check("auth.prm.no-offline-access", !list.contains(&"offline_access"), || {
        let message = "scopes_supported contains offline_access: refresh tokens are up to the client, and no resource needs them.";
        finding(&found.case, message, "only scopes of the resource", "offline_access among the scopes")
    });
    let wild = list.iter().any(|scope| *scope == "*" || scope.ends_with(":*") || scope.ends_with("/*"));
    collector.check("auth.prm.scopes-minimal", !wild && list.len() <= MANY, || {
        let message =
            "scopes_supported lists more than basic use requires: clients without a better hint request all of it.";
        let actual = if wild { "a wildcard".to_owned() } else { format!("{} scopes", list.len()) };
        finding(&found.case, message, "the scopes that basic use requires", actual)
    });
}

fn check_methods(found: &Found<'_>, collector: &mut Collector) {
    let Some(methods) = found.document.get("bearer_methods_supported").and_then(Value::as_array) else { return };
    let has = |name: &str| methods.iter().any(|method| method == name);
    // An empty list has a meaning of its own.
    let good = (has("header") || methods.is_empty()) && !has("query");
    collector.check("auth.prm.no-query-method", good, || {
        let message = "bearer_methods_supported names methods other than the Authorization header: MCP clients use no other, and a token in a URL ends up in every log.";
        let actual = if has("query") { "query" } else { "no header" };
        finding(&found.case, message, "header, but not query", actual)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_needs_no_https() {
        let url = |text: &str| Url::parse(text).expect("a URL");
        assert!(is_safe(&url("http://127.0.0.1:3000/mcp")) && wire::is_loopback(url("http://[::1]/").host()));
        assert!(!is_safe(&url("http://mcp.example.com/mcp")) && is_safe(&url("https://mcp.example.com/mcp")));
        assert!(same_origin(&url("http://localhost:3000/mcp"), &url("http://127.0.0.1:3000/")));
        assert!(wrong_issuer("https://a.example/tenant").is_none());
    }
}
