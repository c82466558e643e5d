//! Checks that the shipped JSON Schema and the parser accept and reject the same files.

use schema::{Dialect, Validator};
use serde_json::Value;

use super::auth::TOKENS;
use super::{Config, KEYS, TRIGGERS};

const SCHEMA: &str = include_str!("../../../../schema/mcp-conform.schema.json");

fn shipped_schema() -> Value {
    serde_json::from_str(SCHEMA).expect("JSON")
}

/// Whether the parser and the schema accept a file.
fn accepted(text: &str) -> (bool, bool) {
    let validator = Validator::new(&shipped_schema(), Dialect::Draft7).expect("a good schema");
    let value: Value = toml::from_str(text).expect("TOML");
    (Config::parse(text).is_ok(), validator.accepts(&value))
}

const GOOD: [&str; 19] = [
    "",
    "sdk = 'npm:@modelcontextprotocol/sdk@1.32.2'\naccept_sdk = true",
    "hosts = 'all'",
    "hosts = ['claude-code', 'vscode']",
    "target = 'http://127.0.0.1:3000/mcp'",
    "target = ['node', 's.js', '']",
    "calls = 'none'\ntools = []\nnever = ['x']\ntimeout = 10",
    "timeout = 0.25",
    "key_variable = 'API_KEY'",
    "env = { A = 'b' }\nheaders_env = { X-Key = 'KEY' }",
    "[auth]\ntoken = { env = 'T' }\nexpired = { file = 'x' }\noauth = true\nregister = false\npublic_url = 'https://x'",
    "[auth]\nstep_up = { call = 'reset', arguments = { n = 1 } }",
    "[triggers]\nslow = { call = 'wait' }\nresource_updated = { call = 'a', arguments = {} }\ntimes_out = { call = 'b' }",
    "[handles]\ncreate = { call = 'a' }\nuse = { call = 'b', arguments = {} }\nfield = '/id'\nargument = 'id'",
    "[states]\nonce = { call = 'book' }\nexpiring = { call = 'hold' }\nlifetime = 2",
    "[auth]\nprivate = ['memory://diary']\ngranted = { env = 'G' }\n[triggers]\nends_subscriptions = { call = 'x' }",
    "[arguments.search]\nquery = 'x'\ndeep = [1.5, { a = true }]",
    "[prompts.card]\ncity = 'Bern'",
    "[[level]]\nrequirement = 'practice.*'\nlevel = 'must'\nreason = 'house rules'",
];

const BAD: [&str; 31] = [
    "sdk = 3",
    "accept_sdk = 'yes'",
    "hosts = 3",
    "nothing = 1",
    "target = 3",
    "target = ''",
    "target = []",
    "target = ['']",
    "calls = 'some'",
    "tools = 'x'",
    "never = [3]",
    "timeout = 0",
    "timeout = -1",
    "timeout = 100000",
    "timeout = '5'",
    "key_variable = ''",
    "key_variable = 'A=b'",
    "env = { A = 1 }",
    "headers_env = ['a']",
    "[auth]\ntoken = 's3cret'",
    "[auth]\ntoken = { env = 'a', file = 'b' }",
    "[auth]\ntokn = { env = 'a' }",
    "[auth]\noauth = 'yes'",
    "[triggers]\nslow = { arguments = {} }",
    "[handles]\ncreate = { call = 'a' }\nfield = '/id'",
    "[states]\nlifetime = 0",
    "[schemas]\necho = 3",
    "[auth]\nprivate = 'x'",
    "[arguments]\nsearch = 3",
    "[[level]]\nrequirement = 'practice.*'\nlevel = 'must'",
    "[[level]]\nrequirement = 'practice.*'\nlevel = 'grave'\nreason = 'x'",
];

#[test]
fn the_schema_accepts_what_the_parser_accepts() {
    for text in GOOD {
        assert_eq!(accepted(text), (true, true), "{text}");
    }
    for text in BAD {
        assert_eq!(accepted(text), (false, false), "{text}");
    }
}

#[test]
fn the_schema_knows_every_key() {
    let keys = |pointer: &str| {
        let schema = shipped_schema();
        let members = schema.pointer(pointer).and_then(Value::as_object).expect("an object");
        members.keys().cloned().collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(keys("/properties"), KEYS.map(str::to_owned).into());
    assert_eq!(keys("/properties/triggers/properties"), TRIGGERS.map(str::to_owned).into());
    let auth = keys("/properties/auth/properties");
    assert!(TOKENS.iter().all(|token| auth.contains(*token)));
}

/// Checks that the parser and the schema accept the example in the documentation.
#[test]
fn the_example_of_the_contract_is_a_good_file() {
    let contract = include_str!("../../../../docs/contract.md");
    let section = contract.split("## mcp-conform.toml").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("it");
    let lines = section.lines().filter_map(|line| line.strip_prefix("    "));
    // Explanations stand in a column of their own.
    let text: Vec<&str> = lines.map(|line| line.split("  ").next().unwrap_or(line)).collect();
    let text = text.join("\n");
    assert!(text.contains("[auth]"), "{text}");
    assert_eq!(accepted(&text), (true, true), "{text}");
}
