//! Content that must not come back, compared with the answer to an innocent input of equal form.

use verdict::Key;
use wire::mcp::code;

use super::super::sheet::Sheet;
use crate::rules::wording::failure_text;
use crate::{Case, Collector};

/// Words of databases about a query that broke.
const SQL: [&str; 8] = [
    "SQLSTATE",
    "SQLITE_ERROR",
    "sqlite3.OperationalError",
    "syntax error at or near",
    "unterminated quoted string",
    "error in your SQL syntax",
    "Unclosed quotation mark",
    "\": syntax error",
];

pub(super) fn judge(id: &'static str, cases: &[Case<'_>], sheet: &mut Sheet, collector: &mut Collector) {
    let kind = |case: &Case<'_>, wanted: &str| case.about_str(Key::Kind) == Some(wanted);
    for case in cases.iter().filter(|case| !kind(case, "control")) {
        let same = |other: &&Case<'_>| other.about_str(Key::Tool) == case.about_str(Key::Tool);
        let control = cases.iter().filter(same).find(|other| kind(other, "control"));
        let bad = match id {
            "practice.input.path-traversal" if control.is_some_and(gives_token) => {
                collector.not_observed(id, "the tools that take a path read any file they are asked for");
                false
            }
            "practice.input.path-traversal" => control.is_some() && gives_token(case),
            "practice.input.command-injection" | "practice.input.url-validated" => gives_token(case),
            "practice.input.id-validated" => {
                let quoted = case.about_str(Key::Kind).is_some_and(|kind| kind.starts_with("quotes"));
                speaks_sql(case) || (quoted && control.is_some_and(is_refused) && is_success(case))
            }
            "practice.input.ranges" => control.is_some_and(|control| !is_internal(control)) && is_internal(case),
            "practice.input.prototype-keys" if kind(case, "after") => {
                let fails = case.is_decided() && !is_success(case);
                gives_token(case) || fails && control.is_some_and(is_success)
            }
            _ => continue,
        };
        if bad {
            sheet.note(id, case, false);
        }
    }
}

fn gives_token(case: &Case<'_>) -> bool {
    let token = case.about_str(Key::Token).filter(|token| token.len() >= 5);
    token.is_some_and(|token| case.answers().any(|answer| answer.receive.text.contains(token)))
}

fn is_refused(case: &Case<'_>) -> bool {
    case.error().is_some() || case.is_tool_error()
}

fn is_success(case: &Case<'_>) -> bool {
    case.result().is_some() && !case.is_tool_error()
}

fn speaks_sql(case: &Case<'_>) -> bool {
    failure_text(case).is_some_and(|text| SQL.iter().any(|words| text.contains(words)))
}

/// The server did not expect it.
fn is_internal(case: &Case<'_>) -> bool {
    let text = failure_text(case).unwrap_or_default().to_lowercase();
    let words =
        ["internal error", "internal server error", "traceback (most recent", "panicked at", "unhandled exception"];
    case.error_code() == Some(code::INTERNAL_ERROR)
        || case.status() == Some(500)
        || words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tests::{input, refusal, script, text};

    const CANARY: &str = "It says mcpconform7319.";

    #[test]
    fn a_detour_counts_where_the_straight_way_is_closed() {
        const ID: &str = "practice.input.path-traversal";
        let closed = input(script(), ID, "control", refusal("Outside."));
        assert_eq!(input(closed, ID, "dots", text(CANARY)).status_of(ID), Status::Fail);
        // It is for the whole file system.
        let open = input(script(), ID, "control", text(CANARY));
        assert_ne!(input(open, ID, "dots", text(CANARY)).status_of(ID), Status::Fail);
    }

    #[test]
    fn what_a_shell_prints_or_a_file_holds_must_not_come_back() {
        for id in ["practice.input.command-injection", "practice.input.url-validated"] {
            assert_eq!(input(script(), id, "other", text(CANARY)).status_of(id), Status::Fail);
            assert_eq!(input(script(), id, "other", text("mcpconform%s 7319")).status_of(id), Status::Pass);
        }
    }

    #[test]
    fn quotes_must_not_find_more_than_an_unknown_id() {
        const ID: &str = "practice.input.id-validated";
        let unknown = || input(script(), ID, "control", refusal("Not found."));
        assert_eq!(input(unknown(), ID, "quotes", text("Ann, Bob")).status_of(ID), Status::Fail);
        assert_eq!(input(unknown(), ID, "empty", text("Nothing.")).status_of(ID), Status::Pass);
        let tolerant = input(script(), ID, "control", text("Not found."));
        assert_eq!(input(tolerant, ID, "quotes", text("Not found.")).status_of(ID), Status::Pass);
        let sql = refusal("SQLSTATE[42601]: unterminated quoted string");
        assert_eq!(input(unknown(), ID, "quotes", sql).status_of(ID), Status::Fail);
    }

    #[test]
    fn an_internal_error_is_no_refusal() {
        const ID: &str = "practice.input.ranges";
        let fine = || input(script(), ID, "control", text("Done."));
        let internal = json!({"error": {"code": -32603, "message": "Internal error"}});
        assert_eq!(input(fine(), ID, "-1", internal.clone()).status_of(ID), Status::Fail);
        assert_eq!(input(fine(), ID, "-1", refusal("limit must be 1 to 50")).status_of(ID), Status::Pass);
        let always = input(script(), ID, "control", internal.clone());
        assert_eq!(input(always, ID, "-1", internal).status_of(ID), Status::Pass);
    }

    #[test]
    fn what_was_sent_must_not_stay() {
        const ID: &str = "practice.input.prototype-keys";
        let fine = || input(script(), ID, "control", text("Done."));
        assert_eq!(input(fine(), ID, "after", text(CANARY)).status_of(ID), Status::Fail);
        assert_eq!(input(fine(), ID, "after", refusal("Unknown key.")).status_of(ID), Status::Fail);
        // To give back what was sent is no harm.
        let echo = input(fine(), ID, "keys", text(CANARY));
        assert_eq!(input(echo, ID, "after", text("Done.")).status_of(ID), Status::Pass);
    }
}
