use verdict::{Finding, Level};

use super::{Broken, causes};

/// A requirement with one finding.
struct Case(&'static str, Finding);

fn case(id: &'static str, message: &str, expected: &str, actual: &str, wire: &[&str]) -> Case {
    let wire = wire.iter().map(|line| (*line).to_owned()).collect();
    Case(id, Finding::new(message, expected, actual, wire))
}

fn of_tool(mut case: Case, tool: &str) -> Case {
    case.1.tool = Some(tool.to_owned());
    case
}

/// The requirements of each cause.
fn grouped(cases: &[Case]) -> Vec<Vec<String>> {
    let broken = cases.iter().map(|Case(id, finding)| Broken {
        id,
        level: Level::Must,
        findings: std::slice::from_ref(finding),
    });
    causes(&broken.collect::<Vec<_>>()).into_iter().map(|cause| cause.requirements).collect()
}

fn assert_apart(cases: &[Case]) {
    assert_eq!(grouped(cases).len(), cases.len(), "{:?}", grouped(cases));
}

fn assert_one(cases: &[Case]) {
    assert_eq!(grouped(cases).len(), 1, "{:?}", grouped(cases));
}

const CALL: &str = r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}"#;

#[test]
fn two_defects_in_one_answer_stay_apart() {
    let answer = r#"< {"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"a":1}}}"#;
    let wire = &[CALL, answer];
    assert_apart(&[
        of_tool(case("tools.structured.text-twin", "No text has the same JSON.", "a text", "none", wire), "echo"),
        of_tool(case("tools.structured.conforms", "It violates the outputSchema.", "a string", "1", wire), "echo"),
    ]);
}

#[test]
fn a_defect_of_a_tool_is_none_of_the_server() {
    let end = "no answer: the server exited with status 1";
    let call = of_tool(case("tools.call.survives", "A call ends it.", "an answer", end, &[CALL]), "echo");
    let stray = case("jsonrpc.parse-error.survives", "A stray line ends it.", "an answer", end, &["> x"]);
    let unread = case(
        "jsonrpc.method-not-found.code",
        "An unknown method ends it.",
        "error -32601",
        end,
        &[r#"> {"jsonrpc":"2.0","id":1,"method":"no/such","params":{}}"#],
    );
    assert_apart(&[call, case("x", "A stray line ends it.", "an answer", end, &["> x"])]);
    assert_one(&[stray, unread]);
}

#[test]
fn a_call_that_ends_the_server_counts_before_stray_lines_that_do() {
    let end = "no answer: the server exited with status 1";
    let Case(_, stray) = case("x", "A stray line ends it.", "an answer", end, &["> x"]);
    let Case(_, call) = of_tool(case("x", "A call ends it.", "an answer", end, &[CALL]), "echo");
    let both = [stray.clone(), stray.clone(), call];
    let broken =
        [("x", &both[..]), ("y", &both[..1])].map(|(id, findings)| Broken { id, level: Level::Must, findings });
    let titles: Vec<String> = causes(&broken).into_iter().map(|cause| cause.title).collect();
    assert_eq!(titles, ["A call ends it.", "A stray line ends it."]);
}

#[test]
fn signals_tell_crashes_apart_by_what_was_asked() {
    let end = "no answer: the server ended by signal 11";
    assert_apart(&[
        case("a", "An unknown method ends it.", "an error", end, &[r#"> {"jsonrpc":"2.0","id":1,"method":"x/y"}"#]),
        case("b", "A stray line ends it.", "an answer", end, &["> x"]),
    ]);
}

fn refused(id: &'static str, request: &str, code: i64, message: &str) -> Case {
    let request = format!(r#"> {{"jsonrpc":"2.0","id":1,{request}}}"#);
    let answer = format!(r#"< {{"jsonrpc":"2.0","id":1,"error":{{"code":{code},"message":"{message}"}}}}"#);
    case(id, "The wrong code.", "error -32602 (invalid params)", &format!("error {code}"), &[&request, &answer])
}

const NO_NAME: &str = r#""method":"tools/call","params":{}"#;
const NO_URI: &str = r#""method":"resources/read","params":{}"#;
const NO_PROMPT: &str = r#""method":"prompts/get","params":{"name":"none"}"#;
const NO_RESOURCE: &str = r#""method":"resources/read","params":{"uri":"x://none"}"#;

#[test]
fn parameters_are_refused_in_one_place() {
    assert_one(&[refused("a", NO_NAME, -32603, "name is missing"), refused("b", NO_URI, -32603, "uri: required")]);
    assert_apart(&[refused("a", NO_NAME, -32603, "missing"), refused("b", NO_URI, -32601, "missing")]);
}

#[test]
fn handlers_are_told_apart_by_their_words() {
    let no_prompt = |id| refused(id, NO_PROMPT, -32603, "Prompt 'none' is unknown");
    assert_one(&[no_prompt("a"), no_prompt("b")]);
    assert_apart(&[no_prompt("a"), refused("b", NO_RESOURCE, -32603, "Cannot open file x://none")]);
    // Words that any handler might use tell nothing, so what was asked decides.
    assert_apart(&[
        refused("a", NO_PROMPT, -32603, "Internal error"),
        refused("b", NO_RESOURCE, -32603, "Internal error"),
    ]);
}

#[test]
fn a_code_that_no_handler_chooses_has_one_origin() {
    assert_one(&[refused("a", NO_PROMPT, 0, "Unknown prompt"), refused("b", NO_RESOURCE, 0, "No such file")]);
}

#[test]
fn a_general_requirement_is_folded_beneath_the_particular_one() {
    let list = r#"< {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a b","inputSchema":{}}]}}"#;
    let spaces = || of_tool(case("tools.name.no-spaces-or-commas", "A space.", "none", "a b", &[list]), "a b");
    let letters = |tool: &str| of_tool(case("tools.name.charset", "Not allowed.", "A-Z", "a b", &[list]), tool);
    assert_eq!(grouped(&[letters("a b"), spaces()]), [["tools.name.no-spaces-or-commas", "tools.name.charset"]]);
    // Another tool breaks it in another way.
    let other = of_tool(case("tools.name.charset", "Not allowed.", "A-Z", "ä", &["< {}"]), "ä");
    assert_apart(&[other, spaces()]);
}

#[test]
fn what_is_dropped_is_told_by_what_was_asked() {
    let silent = "no answer, though a later request was answered";
    let dropped = |id, sent: &str| case(id, "No answer.", "an answer", silent, &[sent]);
    let line = || dropped("jsonrpc.parse-error.answered-on-stdio", "> no json");
    assert_one(&[line(), dropped("b", r#"> {"jsonrpc":"1.0","id":1,"method":"ping"}"#)]);
    assert_apart(&[line(), dropped("b", CALL)]);
    // A tool that never answers is not the server that does not.
    let unknown = CALL.replace("echo", "no_such_tool");
    assert_apart(&[of_tool(dropped("a", CALL), "echo"), dropped("b", &unknown)]);
}

#[test]
fn what_a_tool_fails_with_is_its_own() {
    let call = r#""method":"tools/call","params":{"name":"echo","arguments":{}}"#;
    let failed = |id| refused(id, call, -32603, "Internal error");
    assert_one(&[of_tool(failed("a"), "echo"), of_tool(failed("b"), "echo")]);
    assert_apart(&[of_tool(failed("a"), "echo"), of_tool(failed("b"), "add"), failed("c")]);
}
