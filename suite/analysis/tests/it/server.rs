//! The servers of the table, and records made of what they broke.

use std::collections::BTreeSet;
use std::path::Path;

use analysis::sdks::{attribute, nearest};
use mcp_conform_analysis as analysis;
use serde::Deserialize;
use serde_json::{Value, json};
use verdict::record::{Entry, Origin, Record, Sdk, Summary, Timing};

/// A server of `by-hand.toml`.
#[derive(Debug, Deserialize)]
pub(crate) struct Server {
    pub(crate) id: String,
    /// As REGISTRY:NAME@VERSION, or `none`.
    sdk: String,
    /// The interface of the SDK that it uses.
    style: Option<String>,
    own: BTreeSet<String>,
    sdk_fault: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Table {
    server: Vec<Server>,
}

/// What a server broke, and what of that which SDKs break held: a file in the folder `servers`.
#[derive(Deserialize)]
struct Broke {
    transport: String,
    protocol: String,
    passed: Vec<String>,
    failed: Vec<Value>,
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it"))
}

pub(crate) fn servers() -> Vec<Server> {
    let text = std::fs::read_to_string(folder().join("by-hand.toml")).expect("the table");
    toml::from_str::<Table>(&text).expect("TOML").server
}

impl Server {
    /// Registry, name and version of the SDK.
    fn sdk(&self) -> Option<[&str; 3]> {
        let (registry, package) = self.sdk.split_once(':')?;
        let (name, version) = package.rsplit_once('@')?;
        Some([registry, name, version])
    }

    /// The SDK without its version; `none` if it has none.
    pub(crate) fn package(&self) -> &str {
        self.sdk.rsplit_once('@').map_or(&self.sdk, |(package, _)| package)
    }

    /// Whose it is, as far as the hand is sure.
    pub(crate) fn by_hand(&self, id: &str) -> Option<Origin> {
        match () {
            () if self.own.contains(id) => Some(Origin::Own),
            () if self.sdk_fault.contains(id) => Some(Origin::Sdk),
            () => None,
        }
    }

    /// What it broke, without a word of whose that is.
    pub(crate) fn record(&self) -> Record {
        let path = folder().join("servers").join(format!("{}.json", self.id));
        let text = std::fs::read_to_string(path).expect("what it broke");
        let Broke { transport, protocol, passed, failed } = serde_json::from_str(&text).expect("JSON");
        let entry = |id: &Value, level: &Value, status: &str, findings: &Value| json!({"id": id, "level": level, "status": status, "scenario": null, "findings": findings});
        let held = passed.iter().map(|id| entry(&json!(id), &json!("must"), "pass", &json!([])));
        let broken = failed.iter().map(|one| entry(&one["id"], &one["level"], "fail", &one["findings"]));
        let requirements: Vec<Value> = held.chain(broken).collect();
        let record = json!({
            "format": 1, "tool": {"name": "", "version": ""}, "server": {"name": "", "version": ""},
            "target": {"transport": transport}, "protocol": protocol, "seed": 1, "requirements": requirements,
            "summary": Summary::default(), "timing": Timing::default(),
        });
        let mut record: Record = serde_json::from_value(record).expect("a record");
        record.causes = judge::causes_of(&record);
        record
    }

    fn found(&self) -> Sdk {
        let [registry, name, version] = self.sdk().unwrap_or_default().map(str::to_owned);
        let (how, style) = ("files".to_owned(), self.style.clone());
        Sdk { registry, name, version, profile: None, how, style, on: None, accepted: false }
    }

    /// What it broke, with the word of the program.
    pub(crate) fn attributed(&self) -> Vec<Entry> {
        let mut record = self.record();
        let found = self.sdk().and_then(|[registry, name, version]| nearest(registry, name, version));
        if let Some(found) = found {
            record.sdk = Some(self.found());
            attribute(&mut record, &found, true);
        }
        record.requirements
    }
}
