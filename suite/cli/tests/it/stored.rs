//! Stored reports rendered again by `report`.

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
