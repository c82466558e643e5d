//! Kinds and defects of messages, one line each.

use super::*;
use Defect::*;
use serde_json::json;

#[track_caller]
fn check(value: Value, kind: Kind, defects: &[Defect]) {
    let message = Message::from_value(value);
    assert_eq!((message.kind, &message.defects[..]), (kind, defects), "{}", message.but_for_id());
}

#[test]
fn sound_messages_have_their_kind_and_no_defects() {
    check(json!({"jsonrpc": "2.0", "id": 1, "method": "m"}), Kind::Request, &[]);
    check(json!({"jsonrpc": "2.0", "id": "", "method": "m", "params": {}, "more": 1}), Kind::Request, &[]);
    check(json!({"jsonrpc": "2.0", "method": "m"}), Kind::Notification, &[]);
    check(json!({"jsonrpc": "2.0", "id": 0, "result": {}}), Kind::Response, &[]);
    check(json!({"jsonrpc": "2.0", "id": -1, "error": {"code": 1, "message": ""}}), Kind::Error, &[]);
    check(json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32600.0, "message": ""}}), Kind::Error, &[]);
}

#[test]
fn an_answer_lacks_its_outcome_only_if_it_has_an_id_and_no_method() {
    let lacks = |value: Value| Message::from_value(value).lacks_outcome();
    assert!(lacks(json!({"jsonrpc": "2.0", "id": 1})));
    for value in [json!({"jsonrpc": "2.0"}), json!({"id": 1, "result": null}), json!({"id": 1, "method": "m"})] {
        assert!(!lacks(value.clone()), "{value}");
    }
}

#[test]
fn the_kind_depends_on_the_presence_of_members_alone() {
    check(json!({"jsonrpc": "2.0", "id": null, "method": 1}), Kind::Request, &[MethodNotString, IdNull]);
    check(json!({"jsonrpc": "2.0", "id": 1, "result": null}), Kind::Response, &[ResultNotObject]);
    check(json!({"jsonrpc": "2.0", "id": 1, "error": null}), Kind::Error, &[ErrorNotObject]);
    check(
        json!({"jsonrpc": "2.0", "id": 1, "result": {}, "error": null}),
        Kind::Response,
        &[ResultAndError, ErrorNotObject],
    );
    check(json!({"jsonrpc": "2.0", "id": 1, "method": "m", "result": {}}), Kind::Invalid, &[MethodAndOutcome]);
    check(json!({"jsonrpc": "2.0", "id": 1}), Kind::Invalid, &[NoKind]);
    for value in [json!(null), json!(1), json!("jsonrpc"), json!([]), json!([{"method": "m"}])] {
        check(value, Kind::Invalid, &[NotAnObject]);
    }
}

#[test]
fn each_defect_is_seen() {
    check(json!({"id": 1, "result": {}}), Kind::Response, &[VersionMissing]);
    check(json!({"jsonrpc": 2.0, "id": 1, "result": {}}), Kind::Response, &[VersionWrong("2.0".into())]);
    check(json!({"jsonrpc": "1.0", "method": "m"}), Kind::Notification, &[VersionWrong("\"1.0\"".into())]);
    check(json!({"jsonrpc": "2.0", "method": "m", "params": []}), Kind::Notification, &[ParamsNotObject]);
    check(json!({"jsonrpc": "2.0", "method": "m", "params": null}), Kind::Notification, &[ParamsNotObject]);
    check(json!({"jsonrpc": "2.0", "id": 1.5, "result": {}}), Kind::Response, &[IdFractional]);
    check(json!({"jsonrpc": "2.0", "id": true, "result": {}}), Kind::Response, &[IdWrongType]);
    check(json!({"jsonrpc": "2.0", "id": [1], "method": "m"}), Kind::Request, &[IdWrongType]);
    check(json!({"jsonrpc": "2.0", "result": {}}), Kind::Response, &[IdMissing]);
    check(json!({"jsonrpc": "2.0", "error": {"code": 1, "message": ""}}), Kind::Error, &[IdMissing]);
    check(json!({"jsonrpc": "2.0", "id": 1, "error": {}}), Kind::Error, &[ErrorCodeMissing, ErrorMessageMissing]);
    let wrong = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": 1}});
    check(wrong, Kind::Error, &[ErrorCodeNotInteger, ErrorMessageNotString]);
    check(
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1.5, "message": ""}}),
        Kind::Error,
        &[ErrorCodeNotInteger],
    );
}

#[test]
fn a_long_version_is_shortened_in_its_defect() {
    let message = Message::from_value(json!({"jsonrpc": "x".repeat(1_000), "method": "m"}));
    assert!(matches!(&message.defects[..], [VersionWrong(text)] if text.len() == 40));
}

#[test]
fn parts_are_given_only_when_they_are_what_they_should_be() {
    let error = Message::from_value(json!({"id": 1, "error": {"code": -32601, "message": "m", "data": [1]}}));
    assert_eq!(
        (error.error_code(), error.error_message(), error.error_data()),
        (Some(-32601), Some("m"), Some(&json!([1])))
    );
    assert!(error.is_answer() && error.has(&VersionMissing));
    let codes = [json!(-32600.0), json!(1.5), json!("1"), json!(u64::MAX), json!(1e300)];
    let read = codes.map(|code| Message::from_value(json!({"error": {"code": code}})).error_code());
    assert_eq!(read, [Some(-32600), None, None, None, None]);
    let request = Message::from_value(json!({"id": 1, "method": 1, "params": null}));
    assert_eq!((request.method(), request.params()), (None, Some(&Value::Null)));
    assert_eq!(Message::from_value(json!([1])).result(), None);
}

#[test]
fn every_defect_reads_as_a_phrase() {
    let all = [VersionWrong("1".into()), NotAnObject, IdNull, NoKind];
    let phrases: Vec<_> = all.iter().map(ToString::to_string).collect();
    assert_eq!(phrases[0], "\"jsonrpc\" is 1, not \"2.0\"");
    assert_eq!(phrases[3], "none of \"method\", \"result\" and \"error\" is present");
}
