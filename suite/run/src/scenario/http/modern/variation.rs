//! A request with one header otherwise, and the same request as it should be.

use serde_json::{Value, json};
use verdict::Intent;
use verdict::probes::values::Expect;

use crate::scenario::Cx;
use crate::scenario::jsonrpc::all;

/// A request with what is varied in it.
#[derive(Clone, Debug)]
pub(super) struct Variation {
    method: String,
    params: Value,
    about: Value,
    headers: Vec<(String, Option<String>)>,
    also: Vec<(String, String)>,
    verbatim: bool,
}

impl Variation {
    /// The request as it should be.
    pub(super) fn control(key: &str, method: &str, params: &Value) -> Self {
        Self {
            method: method.to_owned(),
            params: params.clone(),
            about: json!({"control": key}),
            headers: Vec::new(),
            also: Vec::new(),
            verbatim: false,
        }
    }

    /// Returns a copy that tests a requirement and expects this outcome: `Refused` is status 400 and -32020, `Served` a
    /// result, and `NoMismatch` anything but -32020. The request itself is not varied yet.
    pub(super) fn claim(&self, id: &str, expect: Expect) -> Self {
        let mut own = self.clone();
        own.about["claim"] = json!(id);
        own.about["expect"] = json!(expect);
        own
    }

    /// A header that is set differently, or left out.
    pub(super) fn header(mut self, name: &str, value: Option<&str>) -> Self {
        self.headers.push((name.to_owned(), value.map(str::to_owned)));
        self
    }

    /// One more header of that name.
    pub(super) fn also(mut self, name: &str, value: &str) -> Self {
        self.also.push((name.to_owned(), value.to_owned()));
        self.verbatim()
    }

    /// Written byte for byte.
    pub(super) fn verbatim(mut self) -> Self {
        self.verbatim = true;
        self
    }

    /// Bytes that an HTTP stack may refuse by itself.
    pub(super) fn raw(mut self) -> Self {
        self.about["raw"] = json!(true);
        self.verbatim()
    }

    /// Something else that the rule is to know.
    pub(super) fn with(mut self, name: &str, value: Value) -> Self {
        self.about[name] = value;
        self
    }

    /// Other params.
    pub(super) fn params(mut self, params: Value) -> Self {
        self.params = params;
        self
    }

    async fn send(self, cx: &Cx, scenario: &str) {
        let mut ask = cx.session.ask(&self.method, self.params);
        for (name, value) in &self.headers {
            ask = ask.header(name, value.as_deref());
        }
        for (name, value) in &self.also {
            ask = ask.also(name, value);
        }
        if self.verbatim {
            ask = ask.verbatim();
        }
        let intent = if self.about.get("claim").is_some() { Intent::Mirror } else { Intent::MirrorControl };
        ask.probe(scenario, intent, self.about).send().await;
    }
}

/// At once, a few at a time: each on a connection.
pub(super) async fn send(cx: &Cx, scenario: &str, variations: Vec<Variation>) {
    const AT_ONCE: usize = 16;
    for few in variations.chunks(AT_ONCE) {
        all(few.iter().map(|variation| variation.clone().send(cx, scenario))).await;
    }
}
