//! `mcp-conform diff`: what changed between two reports, and what of it breaks clients.

use serde_json::{Value, json};

use crate::support::Bench;

/// A report with these tools, and one requirement that is as it is said.
fn report(bench: &Bench, name: &str, tools: &Value, findings: &Value) {
    let status = if findings.as_array().is_some_and(Vec::is_empty) { "pass" } else { "fail" };
    let entry = json!({"id": "tools.call.unknown-tool", "level": "must", "status": status, "scenario": null, "findings": findings});
    let record = json!({
        "format": 1, "tool": {"name": "mcp-conform", "version": "0"}, "target": {"transport": "stdio"},
        "server": {"name": "s", "version": "1"}, "protocol": "2025-11-25", "seed": 1,
        "summary": {"pass": 1, "fail": 0, "not_observed": 0, "not_applicable": 0, "skipped": 0, "inconclusive": 0,
            "fail_by_level": {"must": 0, "should": 0, "advice": 0}},
        "requirements": [entry], "tools": tools, "timing": {"wall_ms": 1, "requests": 1, "spawns": 1},
    });
    bench.file(name, &record.to_string());
}

fn tools(limit: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"n": limit}, "required": ["n"]});
    json!([{"name": "count", "inputSchema": schema}, {"name": "echo", "inputSchema": {"type": "object"}}])
}

#[test]
fn what_breaks_clients_is_shown_and_can_fail() {
    let bench = Bench::new();
    let finding = json!({"message": "It is wrong.", "expected": "right", "actual": "wrong"});
    report(&bench, "old.json", &tools(&json!({"type": "integer"})), &json!([finding]));
    report(&bench, "new.json", &json!([tools(&json!({"type": "integer", "maximum": 9}))[0]]), &json!([]));
    let human = bench.run(&["diff", "old.json", "new.json"]);
    assert_eq!(human.code, 0, "{}", human.err);
    insta::assert_snapshot!(human.out);
    assert_eq!(bench.run(&["diff", "--fail-on-breaking", "old.json", "new.json"]).code, 1);
    let back = bench.run(&["diff", "--fail-on-breaking", "--format", "json", "new.json", "old.json"]);
    let back: Value = serde_json::from_str(&back.out).expect("JSON");
    assert_eq!((&back["breaking"], &back["tools"]["added"]), (&json!(0), &json!(["echo"])));
    assert_eq!(back["findings"][0]["new"][0]["requirement"], "tools.call.unknown-tool");
    insta::assert_snapshot!(bench.run(&["diff", "--format", "markdown", "old.json", "new.json"]).out);
    assert!(bench.run(&["diff", "old.json", "old.json"]).out.contains("no differences"));
}

#[test]
fn snapshots_are_compared_too() {
    let bench = Bench::new();
    let head = "# mcp-conform snapshot\nserver    s 1\nprotocol  2025-11-25\ntransport stdio\n\n";
    let broken = "tools.call.unknown-tool  fail (must)\n  echo: It is wrong.\n    expected right\n    actual   wrong\n";
    bench.file("old.snap", &format!("{head}{broken}ping.answered  pass\n"));
    bench.file("new.snap", &format!("{head}tools.call.unknown-tool  not_observed\nping.answered  not_observed\n"));
    let out = bench.run(&["diff", "old.snap", "new.snap"]);
    insta::assert_snapshot!(out.out);
    assert_eq!(bench.run(&["diff", "--fail-on-breaking", "old.snap", "new.snap"]).code, 0);
    bench.file("odd.txt", "hello");
    assert_eq!(bench.run(&["diff", "odd.txt", "new.snap"]).code, 2);
}

#[test]
fn reports_without_a_common_revision_do_not_pass_the_gate() {
    let bench = Bench::new();
    let head =
        |revision: &str| format!("# mcp-conform snapshot\nserver    s 1\nprotocol  {revision}\ntransport stdio\n\n");
    bench.file("old.snap", &format!("{}ping.answered  pass\n", head("2025-06-18")));
    bench.file("new.snap", &format!("{}ping.answered  pass\n", head("2025-11-25")));
    let out = bench.run(&["diff", "--fail-on-breaking", "old.snap", "new.snap"]);
    assert_eq!(out.code, 2);
    assert!(out.out.contains("nothing was compared") && !out.out.contains("no differences"), "{}", out.out);
    assert!(out.err.contains("no judged revision in common") && out.err.contains("--protocol all"), "{}", out.err);
    assert_eq!(bench.run(&["diff", "old.snap", "new.snap"]).code, 0, "to look at, it is no error");
}

#[test]
fn a_snapshot_is_held_against_what_a_snapshot_of_the_report_would_say() {
    let bench = Bench::new();
    let finding = json!({"message": "It is wrong.", "expected": "right", "actual": "wrong"});
    let snapshot = |name: &str, line: &str| {
        let head = "# mcp-conform snapshot\nserver    s 1\nprotocol  2025-11-25\ntransport stdio\n\n";
        bench.file(name, &format!("{head}{line}\n"));
    };
    for (id, told, other) in [
        ("practice.errors.helpful", "fail (must)", Some("pass")),
        ("cancellation.race-graceful", "by chance", None),
        (
            "tools.call.unknown-tool",
            "fail (must)\n  It is wrong.\n    expected right\n    actual   wrong",
            Some("pass"),
        ),
    ] {
        report(&bench, "any.json", &json!([]), &json!([finding]));
        let text = std::fs::read_to_string(bench.path().join("any.json")).expect("our file");
        bench.file("own.json", &text.replace("tools.call.unknown-tool", id));
        snapshot("own.snap", &format!("{id}  {told}"));
        let same = bench.run(&["diff", "own.snap", "own.json"]);
        assert_eq!(same.code, 0, "{}", same.err);
        assert!(!same.out.contains(id), "{}", same.out);
        if let Some(other) = other {
            snapshot("other.snap", &format!("{id}  {other}"));
            let differs = bench.run(&["diff", "other.snap", "own.json"]).out;
            assert!(differs.contains(id), "{differs}");
        }
    }
}

/// A report in which these requirements are broken, and this is said of their causes.
fn broken(bench: &Bench, name: &str, broken: &[&str], causes: &[(&str, &[&str])]) {
    let finding = json!({"message": "It is wrong.", "expected": "right", "actual": "wrong"});
    report(bench, name, &json!([]), &json!([finding]));
    let text = std::fs::read_to_string(bench.path().join(name)).expect("our file");
    let mut record: Value = serde_json::from_str(&text).expect("JSON");
    let ids = ["tools.call.unknown-tool", "prompts.get.unknown", "resources.read.unknown", "completion.unknown-ref"];
    let entry = |id: &&str| {
        let mut entry = record["requirements"][0].clone();
        entry["id"] = json!(id);
        if !broken.contains(id) {
            (entry["status"], entry["findings"]) = (json!("pass"), json!([]));
        }
        entry
    };
    record["requirements"] = ids.iter().map(entry).collect();
    let cause = |(id, requirements): &(&str, &[&str])| {
        json!({"id": id, "title": format!("This is {id}."), "level": "must", "origin": "unknown",
               "requirements": requirements, "mend": "", "upstream": null})
    };
    record["causes"] = causes.iter().map(cause).collect();
    bench.file(name, &record.to_string());
}

#[test]
fn causes_are_mended_or_new_and_the_same_one_under_another_name_is_neither() {
    let bench = Bench::new();
    let [tool, prompt, resource, completion] =
        ["tools.call.unknown-tool", "prompts.get.unknown", "resources.read.unknown", "completion.unknown-ref"];
    broken(&bench, "old.json", &[tool, prompt, resource], &[("throws", &[tool, prompt]), ("says-so", &[resource])]);
    broken(&bench, "new.json", &[resource, completion], &[("says-it-so", &[resource]), ("is-silent", &[completion])]);
    insta::assert_snapshot!(bench.run(&["diff", "old.json", "new.json"]).out);
    insta::assert_snapshot!(bench.run(&["diff", "--format", "markdown", "old.json", "new.json"]).out);
    let json: Value =
        serde_json::from_str(&bench.run(&["diff", "--format", "json", "old.json", "new.json"]).out).expect("JSON");
    let ids = |of: &str| -> Vec<&Value> {
        json["causes"][0][of].as_array().into_iter().flatten().map(|one| &one["id"]).collect()
    };
    assert_eq!((ids("mended"), ids("new")), (vec![&json!("throws")], vec![&json!("is-silent")]));
}
