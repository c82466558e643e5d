//! As much of an authorization server as the first revision with authorization asks for: clients register, and whoever
//! asks for leave is sent back without it, for nobody is here to give it.

use std::sync::{Mutex, PoisonError};

use hyper::{Method, StatusCode};
use serde_json::{Value, json};
use url::Url;
use url::form_urlencoded::parse;

use super::super::answer::{Answer, empty, plain, with};
use crate::deviation::Deviation;
use crate::settings::Settings;

/// More clients than this are not registered.
const MOST: usize = 100;

/// Registered clients: id and redirect URIs.
#[derive(Default)]
pub(super) struct Issuer {
    clients: Mutex<Vec<(String, Vec<String>)>>,
}

impl Issuer {
    /// The answer to a request for one of the endpoints; `None` if the path is none of them.
    pub(super) fn answer(
        &self,
        method: &Method,
        (path, query): (&str, &str),
        body: &[u8],
        settings: &Settings,
    ) -> Option<Answer> {
        if settings.deviates(Deviation::NoAuthorizationServer) {
            return None;
        }
        match (path, method) {
            ("/authorize", &Method::GET) => Some(self.authorize(query, settings)),
            ("/token", &Method::POST) => Some(oauth_error("invalid_grant", "There is no such grant.")),
            ("/register", &Method::POST) => Some(self.register(body, settings)),
            ("/authorize" | "/token" | "/register", _) => {
                Some(plain(StatusCode::METHOD_NOT_ALLOWED, "Not this method."))
            }
            _ => None,
        }
    }

    fn authorize(&self, query: &str, settings: &Settings) -> Answer {
        let given =
            |name: &str| parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        let redirect = given("redirect_uri").unwrap_or_default();
        let client = given("client_id").unwrap_or_default();
        let known = {
            let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
            clients.iter().any(|(id, uris)| *id == client && uris.contains(&redirect))
        };
        if !known && !settings.deviates(Deviation::RedirectUriUnchecked) {
            return oauth_error("invalid_request", "The client or its redirect URI is not registered.");
        }
        let error = match given("code_challenge") {
            None if settings.deviates(Deviation::PkceOptional) => return asks_for_leave(),
            None => "invalid_request",
            Some(_) if settings.deviates(Deviation::PkceOptional) => return asks_for_leave(),
            Some(_) => "access_denied",
        };
        let Ok(mut to) = Url::parse(&redirect) else { return oauth_error("invalid_request", "No redirect URI.") };
        to.query_pairs_mut().append_pair("error", error);
        with(empty(StatusCode::FOUND), "location", to.as_str())
    }

    fn register(&self, body: &[u8], settings: &Settings) -> Answer {
        let request: Value = serde_json::from_slice(body).unwrap_or_default();
        let uris: Vec<String> = request["redirect_uris"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .filter_map(|uri| uri.as_str().map(str::to_owned))
            .collect();
        let safe = settings.deviates(Deviation::HttpRedirectUriAllowed) || uris.iter().all(|uri| is_safe(uri));
        if uris.is_empty() || !safe {
            return oauth_error("invalid_redirect_uri", "Redirect URIs are https, or http on this machine.");
        }
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MOST {
            return oauth_error("invalid_client_metadata", "There are too many clients.");
        }
        let id = format!("client-{}", clients.len() + 1);
        clients.push((id.clone(), uris.clone()));
        let registered = json!({"client_id": id, "redirect_uris": uris, "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code"], "response_types": ["code"]});
        document(StatusCode::CREATED, &registered)
    }
}

fn is_safe(uri: &str) -> bool {
    let Ok(url) = Url::parse(uri) else { return false };
    let here = wire::is_loopback(url.host());
    url.scheme() == "https" || (url.scheme() == "http" && here)
}

/// The page on which a user would be asked.
fn asks_for_leave() -> Answer {
    plain(StatusCode::OK, "May this client use the server?")
}

fn oauth_error(error: &str, description: &str) -> Answer {
    document(StatusCode::BAD_REQUEST, &json!({"error": error, "error_description": description}))
}

fn document(status: StatusCode, value: &Value) -> Answer {
    let answer = with(plain(status, &value.to_string()), "content-type", "application/json");
    with(answer, "cache-control", "no-store")
}
