//! A wrong and a right exchange, made on the spot: the reference server is told to break the requirement, and is asked the
//! same once more as it should be.

use run::{Options, Protocol};
use serde_json::Value;
use verdict::transcript::{Event, Kind};
use verdict::{Requirement, Transport};

use crate::command::run::embedded;
use crate::failure::Failure;
use crate::known;

/// Lines for people: what is sent, the wrong answer, the right one.
pub(super) fn lines(requirement: &Requirement) -> Result<Vec<String>, Failure> {
    let Some(fault) = known::faults(requirement.id).into_iter().next() else {
        return Ok(vec!["the reference server cannot break it on the wire, so none can be shown".to_owned()]);
    };
    if !requirement.binds(Transport::Stdio) {
        return Ok(vec!["it is about HTTP: shown here are exchanges over standard input and output only".to_owned()]);
    }
    let revision =
        requirement.revisions.iter().rfind(|revision| revision.is_handshake()).or(requirement.revisions.last());
    let protocol = revision.map_or(Protocol::Latest, |revision| Protocol::One(*revision));
    let options = Options { protocol, only: vec![requirement.id.to_owned()], ..Options::default() };
    let broken = run::drive(&embedded(&["--fault".to_owned(), fault])?, &options, &|_| {})?;
    let entries = broken.records.iter().flat_map(|record| &record.requirements);
    let finding = entries.filter(|entry| entry.id == requirement.id).find_map(|entry| entry.findings.first());
    let Some(finding) = finding else {
        return Ok(vec![
            "it shows in no single exchange of the reference server over standard input and output".to_owned(),
        ]);
    };
    let mut lines = vec![format!("wrong: {}", finding.message)];
    lines.extend(finding.wire.iter().cloned());
    let asked = finding.wire.iter().find_map(|line| line.strip_prefix("> "));
    let plain = run::drive(&embedded(&[])?, &options, &|_| {})?;
    if let Some(answer) = asked.and_then(|asked| plain.transcripts.iter().find_map(|events| answer(events, asked))) {
        lines.push("right:".to_owned());
        lines.extend(answer.map(|line| report::clip(&line, 2_000)));
    }
    Ok(lines)
}

/// The same request in another conversation, and its answer.
fn answer(events: &[Event], asked: &str) -> Option<[String; 2]> {
    let wanted = without_id(asked)?;
    events.iter().enumerate().find_map(|(at, event)| {
        let Kind::Send(send) = &event.kind else { return None };
        let same = without_id(&send.text).filter(|own| own.1 == wanted.1)?;
        let later = events[at..].iter().filter(|later| later.session == event.session);
        let answer = later.filter_map(|later| match &later.kind {
            Kind::Receive(receive) => Some(receive.text.clone()),
            _ => None,
        });
        let own =
            |text: &String| without_id(text).is_some_and(|(id, rest)| id == same.0 && rest.get("method").is_none());
        answer.filter(own).map(|text| [format!("> {}", send.text), format!("< {text}")]).next()
    })
}

/// A request or an answer, its id apart.
fn without_id(text: &str) -> Option<(Value, Value)> {
    let mut message: Value = serde_json::from_str(text).ok()?;
    let id = message.as_object_mut()?.shift_remove("id")?;
    Some((id, message))
}
