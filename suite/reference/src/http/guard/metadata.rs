//! Public documents: the metadata of the protected resource and of the authorization server.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::super::answer::{Answer, plain, with};
use super::tokens::{USE, WRITE};
use super::{Guard, METADATA};
use crate::deviation::Deviation;
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
        let wrong = settings.deviates(Deviation::MetadataIsHtml) && path.contains(METADATA);
        let kind = if wrong { "text/html; charset=utf-8" } else { "application/json" };
        let answer = with(answer, "content-type", kind);
        if settings.deviates(Deviation::MetadataWithoutCors) {
            return Some(answer);
        }
        Some(with(answer, "access-control-allow-origin", "*"))
    }

    /// The resource whose document stands at a path.
    fn resource_of(&self, path: &str, settings: &Settings) -> Option<String> {
        let appended = settings.deviates(Deviation::WellKnownAppended);
        let place = path.strip_prefix(if appended { "/mcp/.well-known/oauth-protected-resource" } else { METADATA })?;
        match place {
            "" if appended => Some(format!("{}{PATH}", self.origin)),
            "" => Some(self.origin.clone()),
            PATH if !appended => Some(format!("{}{PATH}", self.origin)),
            _ => None,
        }
    }

    fn resource(&self, resource: String, settings: &Settings) -> Option<Value> {
        let missing = [Deviation::MetadataNotServed, Deviation::MetadataNeitherNamedNorServed];
        if missing.iter().any(|deviation| settings.deviates(*deviation)) {
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

    /// Changes the document as deviations have it.
    fn spoil(&self, document: &mut Value, settings: &Settings) {
        let origin = &self.origin;
        let changes = [
            (Deviation::ResourceIsArray, "resource", json!([document["resource"]])),
            (Deviation::ResourceMissing, "resource", Value::Null),
            (Deviation::ResourceIsOtherEndpoint, "resource", json!(format!("{origin}/another"))),
            (Deviation::ResourceIsOrigin, "resource", json!(origin)),
            (Deviation::ResourceHasFragment, "resource", json!(format!("{origin}{PATH}#main"))),
            (Deviation::ResourceIsHttp, "resource", json!("http://mcp.example.com/mcp")),
            (Deviation::ResourceIsPath, "resource", json!(PATH)),
            (Deviation::ResourceHasTrailingSlash, "resource", json!(format!("{origin}{PATH}/"))),
            (Deviation::AuthorizationServersEmpty, "authorization_servers", json!([])),
            (Deviation::AuthorizationServersMissing, "authorization_servers", Value::Null),
            (
                Deviation::AuthorizationServerIsMetadataUrl,
                "authorization_servers",
                json!([format!("{origin}{}", SERVERS[0])]),
            ),
            (
                Deviation::AuthorizationServerIsHttp,
                "authorization_servers",
                json!(["http://issuer.example.com/?tenant=1"]),
            ),
            (Deviation::MetadataHasEmptyList, "resource_signing_alg_values_supported", json!([])),
            (Deviation::ScopesAreString, "scopes_supported", json!(format!("{USE} {WRITE}"))),
            (Deviation::ScopesHaveOfflineAccess, "scopes_supported", json!([USE, "offline_access"])),
            (Deviation::ScopesHaveWildcard, "scopes_supported", json!(["*"])),
            (Deviation::BearerInQueryAdvertised, "bearer_methods_supported", json!(["query"])),
        ];
        for (_, member, value) in changes.into_iter().filter(|(deviation, ..)| settings.deviates(*deviation)) {
            document[member] = value;
            if document[member].is_null() {
                document.as_object_mut().and_then(|members| members.shift_remove(member));
            }
        }
        if settings.deviates(Deviation::MetadataHasNull) {
            document["jwks_uri"] = Value::Null;
        }
    }

    fn server(&self, path: &str, settings: &Settings) -> Option<Value> {
        let missing = [Deviation::NoServerMetadata, Deviation::NoAuthorizationServer];
        if missing.iter().any(|deviation| settings.deviates(*deviation)) {
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
        if settings.deviates(Deviation::ForeignIssuer) {
            document["issuer"] = json!(format!("{origin}/tenant"));
        }
        if settings.deviates(Deviation::TokenEndpointIsHttp) {
            document["token_endpoint"] = json!("http://issuer.example.com/token");
        }
        let without = [
            (Deviation::TokenEndpointMissing, "token_endpoint"),
            (Deviation::RegistrationEndpointMissing, "registration_endpoint"),
            (Deviation::PkceNotAdvertised, "code_challenge_methods_supported"),
        ];
        for (deviation, member) in without {
            if settings.deviates(deviation) {
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
