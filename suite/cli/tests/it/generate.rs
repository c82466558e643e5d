//! `mcp-conform generate` as a program that examines it would call it.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::environment;

const SCHEMA: &str = r#"{"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}, "required": ["n"]}"#;

fn generate(schema: &str, flags: &[&str]) -> (i32, Vec<Value>, String) {
    let mut command = environment::conform();
    command.args(["generate", "-"]).args(flags).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(schema.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines.lines().map(|line| line.parse().expect("JSON Lines")).collect();
    (output.status.code().expect("no signal"), lines, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn lines_say_what_they_are() {
    let (code, lines, err) = generate(SCHEMA, &["--valid", "20", "--invalid", "20"]);
    assert_eq!((code, lines.len(), err.as_str()), (0, 40, ""));
    let (valid, invalid): (Vec<&Value>, Vec<&Value>) = lines.iter().partition(|line| line["valid"] == true);
    assert_eq!((valid.len(), invalid.len()), (20, 20));
    assert!(valid.iter().all(|line| line["instance"]["n"].as_f64().is_some_and(|n| n <= 9.0)));
    assert!(valid.iter().any(|line| line["instance"]["n"] == 9), "the boundary is there");
    let above = invalid.iter().filter(|line| line["keyword"] == "maximum" && line["at"] == "/properties/n");
    let above: Vec<&Value> = above.map(|line| &line["instance"]["n"]).collect();
    assert!(above.len() >= 4 && above.iter().all(|n| n.as_f64().is_some_and(|n| n > 9.0)), "{above:?}");
}

#[test]
fn the_seed_repeats_and_varies() {
    let made = |seed: &str| generate(SCHEMA, &["--valid", "30", "--seed", seed]).1;
    assert_eq!(made("5"), made("5"));
    assert_ne!(made("5"), made("6"));
}

#[test]
fn what_cannot_be_is_said() {
    let (code, lines, err) = generate(r#"{"type": "integer", "minimum": 2, "maximum": 1}"#, &[]);
    assert_eq!((code, lines.len()), (1, 0));
    assert!(err.contains("contradict"), "{err}");
    let (code, _, err) = generate(r#"{"$ref": "http://127.0.0.1:9/schema"}"#, &["--valid", "1"]);
    assert!(code == 1 && err.contains("cannot be used"), "{err}");
    let (code, lines, err) = generate("{}", &["--invalid", "3"]);
    assert!(code == 1 && lines.is_empty() && err.contains("no invalid instance"), "{err}");
    assert_eq!(generate("{", &[]).0, 2);
}

#[test]
fn formats_are_broken_on_demand() {
    let schema = r#"{"type": "string", "format": "date"}"#;
    let keywords = |flags: &[&str]| -> Vec<Value> {
        generate(schema, flags).1.iter().map(|line| line["keyword"].clone()).collect()
    };
    assert_eq!(keywords(&["--invalid", "2"]), ["type", "type"]);
    assert_eq!(keywords(&["--invalid", "2", "--formats"]), ["type", "format"]);
}
