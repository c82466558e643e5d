//! Writes the generated seeds of the fuzz targets: `cargo run -p mcp-conform-fuzz --example seeds -- corpus`. Those written
//! by hand stay; a seed that is there under another name is not written again.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mcp_conform_fuzz::{Harness, conversations, dictionary, edges, messages, opening};
use reference::fuzzing::Conversation;
use serde_json::{Value, json};
use verdict::Revision;

fn main() -> io::Result<()> {
    let corpus = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "corpus".to_owned()));
    all_messages(&mut Folder::open(&corpus, "jsonrpc_message")?)?;
    for target in ["reference_server", "judge_transcript"] {
        all_conversations(&mut Folder::open(&corpus, target)?, target == "judge_transcript")?;
    }
    schemas(&mut Folder::open(&corpus, "schema_strategy")?)?;
    responses(&mut Folder::open(&corpus, "http_message")?)?;
    let mut streams = Folder::open(&corpus, "sse_differential")?;
    for entry in fs::read_dir(corpus.join("sse_events"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        streams.put(&name, &fs::read(&path)?)?;
    }
    fs::write(corpus.join("../fuzz/mcp.dict"), dictionary())
}

/// A folder of seeds.
struct Folder {
    path: PathBuf,
    known: BTreeSet<Vec<u8>>,
}

impl Folder {
    fn open(corpus: &Path, target: &str) -> io::Result<Self> {
        let path = corpus.join(target);
        fs::create_dir_all(&path)?;
        let read = |entry: io::Result<fs::DirEntry>| fs::read(entry?.path());
        let known = fs::read_dir(&path)?.map(read).collect::<io::Result<_>>()?;
        Ok(Self { path, known })
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if !self.known.insert(bytes.to_vec()) {
            return Ok(());
        }
        fs::write(self.path.join(name), bytes)
    }
}

/// Every method of every revision, every code of an error, every edge of the grammar.
fn all_messages(folder: &mut Folder) -> io::Result<()> {
    for revision in Revision::ALL {
        for line in opening(revision).into_iter().chain(messages(revision)) {
            let value: Value = serde_json::from_str(&line)?;
            let code = value.pointer("/error/code").map(|code| format!("error{code}"));
            let what = value["method"]
                .as_str()
                .map_or(code.unwrap_or_else(|| "answer".to_owned()), |name| name.replace('/', "-"));
            let id = value["id"].to_string().replace(['"', '/'], "");
            folder.put(&format!("{revision}-{what}-{id}"), line.as_bytes())?;
        }
    }
    edges().into_iter().try_for_each(|(name, line)| folder.put(&format!("edge-{name}"), &line))
}

/// Whole conversations: what the server is told, or what is recorded of it.
fn all_conversations(folder: &mut Folder, recorded: bool) -> io::Result<()> {
    for revision in Revision::ALL {
        let all = conversations(revision);
        // Those with one edge each are alike in all revisions.
        let some = all
            .iter()
            .enumerate()
            .filter(|(at, lines)| revision == Revision::LATEST_HANDSHAKE || lines.len() > 2 || at % 9 == 0);
        for (at, lines) in some {
            let opening = opening(revision).into_iter().map(String::into_bytes);
            let input = opening.chain(lines.iter().cloned()).collect::<Vec<_>>().join(&b'\n');
            let bytes = if recorded { transcript(revision, &input)? } else { input };
            if bytes.len() < 32 << 10 {
                folder.put(&format!("{revision}-{at}"), &bytes)?;
            }
        }
    }
    Ok(())
}

fn transcript(revision: Revision, input: &[u8]) -> io::Result<Vec<u8>> {
    let mut server = Conversation::default();
    let report = Harness::new(revision).converse(&mut |line| server.say(line), input);
    let mut text = Vec::new();
    for event in &report.events {
        serde_json::to_writer(&mut text, event)?;
        text.push(b'\n');
    }
    Ok(text)
}

fn schemas(folder: &mut Folder) -> io::Result<()> {
    let all = [
        ("anything", json!({})),
        ("nothing", json!(false)),
        ("integer", json!({"type": "integer", "minimum": 3, "exclusiveMaximum": 7, "multipleOf": 2})),
        ("number", json!({"type": "number", "minimum": -0.5, "maximum": 1e300})),
        ("contradiction", json!({"type": "integer", "minimum": 3, "maximum": 2})),
        ("string", json!({"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-f]+$"})),
        ("pattern", json!({"pattern": "(?:a|b){2,5}\\d\\w*$", "type": "string"})),
        ("format", json!({"type": "string", "format": "date-time"})),
        ("enum", json!({"enum": [1, "a", null, {"x": [1]}]})),
        ("const", json!({"const": {"a": 1.0}})),
        (
            "object",
            json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a", "b"], "additionalProperties": false}),
        ),
        (
            "members",
            json!({"type": "object", "minProperties": 2, "maxProperties": 3, "propertyNames": {"maxLength": 3}, "patternProperties": {"^x": {"type": "null"}}}),
        ),
        (
            "array",
            json!({"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 2, "maxItems": 3, "uniqueItems": true}),
        ),
        ("tuple", json!({"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false})),
        ("contains", json!({"type": "array", "contains": {"const": 7}, "minContains": 2, "maxContains": 3})),
        ("choice", json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}], "not": {"const": 6}})),
        (
            "all",
            json!({"allOf": [{"required": ["a"]}, {"properties": {"a": {"minLength": 1}}}], "anyOf": [{"type": "object"}, {"type": "null"}]}),
        ),
        (
            "condition",
            json!({"if": {"properties": {"k": {"const": 1}}}, "then": {"required": ["v"]}, "else": {"maxProperties": 1}}),
        ),
        (
            "reference",
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "v": {"type": "integer"}}, "required": ["v"]}}}),
        ),
        ("endless", json!({"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#"}}})),
        (
            "dynamic",
            json!({"$dynamicAnchor": "n", "type": "object", "properties": {"c": {"$dynamicRef": "#n"}}, "unevaluatedProperties": false}),
        ),
        (
            "dependent",
            json!({"type": "object", "dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"minProperties": 3}}}),
        ),
        (
            "draft-04",
            json!({"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer", "minimum": 1, "exclusiveMinimum": true}),
        ),
        (
            "draft-07",
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}], "additionalItems": false, "type": "array"}),
        ),
        ("unknown-dialect", json!({"$schema": "https://example.com/x", "type": "object"})),
        ("many", json!({"type": ["string", "null", "integer", "array"], "maxLength": 3, "maxItems": 1, "maximum": 2})),
    ];
    all.into_iter().try_for_each(|(name, schema)| folder.put(name, schema.to_string().as_bytes()))
}

fn responses(folder: &mut Folder) -> io::Result<()> {
    let body = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let event = "event: message\r\nid: 7\r\nretry: 10\r\ndata: {\"jsonrpc\":\"2.0\"}\r\n\r\n";
    let head = |rest: &str| format!("HTTP/1.1 200 OK\r\n{rest}\r\n");
    let json = "Content-Type: application/json\r\n";
    let stream = "Content-Type: text/event-stream; charset=utf-8\r\n";
    let chunk = |text: &str| format!("{:x}\r\n{text}\r\n", text.len());
    let all = [
        ("plain", format!("{}{body}", head(&format!("{json}Content-Length: {}\r\n", body.len())))),
        ("until-the-end", format!("{}{body}", head(json))),
        ("chunked", format!("{}{}{}0\r\n\r\n", head(&format!("{json}Transfer-Encoding: chunked\r\n")), chunk(&body[..9]), chunk(&body[9..]))),
        ("trailers", format!("{}{}0\r\nX-A: b\r\n\r\n", head(&format!("{json}Transfer-Encoding: chunked\r\n")), chunk(body))),
        ("events", format!("{}{event}{event}", head(stream))),
        ("events-chunked", format!("{}{}{}0\r\n\r\n", head(&format!("{stream}Transfer-Encoding: chunked\r\n")), chunk(&event[..30]), chunk(&event[30..]))),
        ("events-cut", format!("{}data: x", head(stream))),
        ("accepted", "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned()),
        ("no-content", "HTTP/1.1 204 No Content\r\n\r\n".to_owned()),
        ("not-found", "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!".to_owned()),
        ("unauthorized", "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\", resource_metadata=\"http://localhost/x\"\r\nContent-Length: 0\r\n\r\n".to_owned()),
        ("redirect", "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://localhost/\r\nContent-Length: 0\r\n\r\n".to_owned()),
        ("session", head("Mcp-Session-Id: a\r\nMCP-Session-ID: b\r\nContent-Length: 0\r\n")),
        ("early-hints", format!("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n{}{body}", head(json))),
        ("continue", format!("HTTP/1.1 100 Continue\r\n\r\n{}{body}", head(json))),
        ("upgrade", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc".to_owned()),
        ("old", "HTTP/1.0 200 OK\r\n\r\nx".to_owned()),
        ("too-short", format!("{}{body}", head(&format!("{json}Content-Length: 999\r\n")))),
        ("too-long", format!("{}{body}", head(&format!("{json}Content-Length: 3\r\n")))),
        ("two-lengths", head("Content-Length: 3\r\nContent-Length: 4\r\n") + "abcd"),
        ("bad-chunk", format!("{}zz\r\nabc\r\n", head("Transfer-Encoding: chunked\r\n"))),
        ("no-status", "hello\r\n\r\n".to_owned()),
        ("bad-header", "HTTP/1.1 200 OK\r\nBad Header: x\r\n: y\r\n\r\n".to_owned()),
        ("nothing", String::new()),
    ];
    all.into_iter().try_for_each(|(name, text)| folder.put(name, text.as_bytes()))
}
