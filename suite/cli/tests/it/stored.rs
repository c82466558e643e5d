//! Stored reports rendered again by `report`.

use crate::environment;
use crate::support::Bench;

#[test]
fn a_stored_record_is_rendered_as_it_was_after_the_run() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["run", "--quiet", "--only", "tools.call.valid-arguments-accepted", "--cases", "5"]).code, 0);
    for (format, file) in
        [("json", "report.json"), ("junit", "report.xml"), ("markdown", "report.md"), ("html", "report.html")]
    {
        let again = bench.run(&["report", "--format", format, "reports/report.json"]);
        assert_eq!(again.code, 0, "{}", again.err);
        let stored = std::fs::read_to_string(bench.path().join("reports").join(file)).expect(file);
        assert_eq!(again.out.trim_end(), stored.trim_end(), "{format}");
    }
}

#[test]
fn what_is_no_record_is_refused_with_the_reason() {
    let bench = Bench::new();
    bench.file("other.json", "{\"a\": 1}");
    bench.file("half.json", "{\"format\": 1, ");
    for (file, said) in
        [("other.json", "not a report.json"), ("half.json", "EOF"), ("none.json", "cannot read none.json")]
    {
        let outcome = bench.run(&["report", file]);
        assert_eq!(outcome.code, 2);
        assert!(outcome.err.contains(said), "{file}: {}", outcome.err);
    }
}

#[test]
fn what_was_not_observed_is_listed_by_what_would_let_it_be_seen() {
    let bench = Bench::new();
    let args =
        ["run", "--quiet", "--protocol", "2025-11-25", "--only", "sampling.*", "--only", "jsonrpc.schema.*", "--"];
    let run: Vec<&str> = args.into_iter().chain([environment::own(), "serve"]).collect();
    assert_eq!(bench.run(&run).code, 0);
    let listed = bench.run(&["report", "--not-observed"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let (head, rest) = listed.out.split_once("\n\n").expect("a head");
    assert!(head.ends_with("not observed. What would let them be seen, or why nothing does:"), "{head}");
    let (more, never) = rest.split_once("Nothing: it is not on the wire").expect("both groups");
    assert!(more.starts_with("Call more tools: --calls all ("), "{more}");
    assert!(
        more.contains("jsonrpc.schema.default-dialect") && never.contains("jsonrpc.schema.dialects-documented"),
        "{rest}"
    );
    assert_eq!(bench.run(&["report", "--not-observed", "--format", "html"]).code, 2);
}
