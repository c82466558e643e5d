//! What anybody may read: the metadata of the protected resource and of the authorization server.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::super::answer::{Answer, plain, with};
use super::tokens::{USE, WRITE};
use super::{Guard, METADATA};
use crate::http::PATH;
use crate::settings::Settings;

/// Where authorization servers describe themselves: RFC 8414, and OpenID Connect discovery.
const SERVERS: [&str; 2] = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

impl Guard {
    /// The answer to a GET of a metadata document; `None` if there is none at this path.
    pub(super) fn document(&self, method: &Method, path: &str, settings: &Settings) -> Option<Answer> {
        let document = if SERVERS.contains(&path) {
            self.server(path, settings)
        } else {
            let place = self.resource_of(path, settings)?;
            self.resource(place, settings)
        }?;
        if !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Some(plain(StatusCode::METHOD_NOT_ALLOWED, "This can only be read."));
        }
        let answer = plain(StatusCode::OK, &document.to_string());
        let wrong = settings.faulty("auth.prm.content-type") && path.contains(METADATA);
        let kind = if wrong { "text/html; charset=utf-8" } else { "application/json" };
        let answer = with(answer, "content-type", kind);
        if settings.faulty("auth.prm.cors") {
            return Some(answer);
        }
        Some(with(answer, "access-control-allow-origin", "*"))
    }

    /// The resource whose document stands at a path.
    fn resource_of(&self, path: &str, settings: &Settings) -> Option<String> {
        let appended = settings.faulty("auth.prm.at-well-known");
        let place = path.strip_prefix(if appended { "/mcp/.well-known/oauth-protected-resource" } else { METADATA })?;
        match place {
            "" if appended => Some(format!("{}{PATH}", self.origin)),
            "" => Some(self.origin.clone()),
            PATH if !appended => Some(format!("{}{PATH}", self.origin)),
            _ => None,
        }
    }

    fn resource(&self, resource: String, settings: &Settings) -> Option<Value> {
        let missing = ["auth.prm.served", "auth.challenge.resource-metadata-or-well-known"];
        if missing.iter().any(|id| settings.faulty(id)) {
            return None;
        }
        let mut document = json!({
            "resource": resource,
            "authorization_servers": [self.origin],
            "scopes_supported": [USE, WRITE],
            "bearer_methods_supported": ["header"],
            "resource_name": "The reference server",
        });
        self.spoil(&mut document, settings);
        Some(document)
    }

    /// What faults make of the document.
    fn spoil(&self, document: &mut Value, settings: &Settings) {
        let origin = &self.origin;
        for fault in settings.faults() {
            let (member, value) = match (fault.id, fault.variant) {
                ("auth.prm.resource-present", "array") => ("resource", json!([document["resource"]])),
                ("auth.prm.resource-present", _) => ("resource", Value::Null),
                ("auth.prm.resource-matches", _) => ("resource", json!(format!("{origin}/another"))),
                ("auth.prm.resource-identical", _) => ("resource", json!(origin)),
                ("auth.prm.resource-form", "fragment") => ("resource", json!(format!("{origin}{PATH}#main"))),
                ("auth.prm.resource-form", "http") => ("resource", json!("http://mcp.example.com/mcp")),
                ("auth.prm.resource-form", _) => ("resource", json!(PATH)),
                ("auth.prm.resource-no-trailing-slash", _) => ("resource", json!(format!("{origin}{PATH}/"))),
                ("auth.prm.authorization-servers", "empty") => ("authorization_servers", json!([])),
                ("auth.prm.authorization-servers", _) => ("authorization_servers", Value::Null),
                ("auth.prm.authorization-servers-form", "well-known") => {
                    ("authorization_servers", json!([format!("{origin}{}", SERVERS[0])]))
                }
                ("auth.prm.authorization-servers-form", _) => {
                    ("authorization_servers", json!(["http://issuer.example.com/?tenant=1"]))
                }
                ("auth.prm.no-empty-members", "null") => ("jwks_uri", json!("null")),
                ("auth.prm.no-empty-members", _) => ("resource_signing_alg_values_supported", json!([])),
                ("auth.prm.scopes-form", _) => ("scopes_supported", json!(format!("{USE} {WRITE}"))),
                ("auth.prm.no-offline-access", _) => ("scopes_supported", json!([USE, "offline_access"])),
                ("auth.prm.scopes-minimal", _) => ("scopes_supported", json!(["*"])),
                ("auth.prm.no-query-method", _) => ("bearer_methods_supported", json!(["query"])),
                _ => continue,
            };
            document[member] = value;
            if document[member].is_null() {
                let members = document.as_object_mut();
                members.and_then(|members| members.shift_remove(member));
            } else if document[member] == "null" {
                document[member] = Value::Null;
            }
        }
    }

    fn server(&self, path: &str, settings: &Settings) -> Option<Value> {
        let missing = ["auth.as.metadata", "auth.as.fallback-endpoints"];
        if missing.iter().any(|id| settings.faulty(id)) || settings.faulty_as("auth.as.discovery", "") {
            return None;
        }
        let origin = &self.origin;
        let mut document = json!({
            "issuer": origin,
            "authorization_endpoint": format!("{origin}/authorize"),
            "token_endpoint": format!("{origin}/token"),
            "registration_endpoint": format!("{origin}/register"),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "scopes_supported": [USE, WRITE],
        });
        let foreign = settings.faulty_as("auth.as.metadata-required-members", "issuer")
            || settings.faulty_as("auth.as.discovery", "issuer");
        if foreign {
            document["issuer"] = json!(format!("{origin}/tenant"));
        }
        if settings.faulty("auth.as.https") {
            document["token_endpoint"] = json!("http://issuer.example.com/token");
        }
        let without = [
            ("auth.as.metadata-required-members", "", "token_endpoint"),
            ("auth.as.dynamic-registration", "", "registration_endpoint"),
            ("auth.as.pkce-advertised", "", "code_challenge_methods_supported"),
        ];
        for (id, variant, member) in without {
            if settings.faulty_as(id, variant) {
                document.as_object_mut().and_then(|members| members.shift_remove(member));
            }
        }
        if path == SERVERS[1] {
            document["subject_types_supported"] = json!(["public"]);
            document["id_token_signing_alg_values_supported"] = json!(["ES256"]);
            document["jwks_uri"] = json!(format!("{origin}/jwks"));
        }
        Some(document)
    }
}
