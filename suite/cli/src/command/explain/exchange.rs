//! A wrong and a right exchange, made on the spot: the reference server is told to break the requirement, and is asked the
//! same once more as it should be. What is about HTTP is shown over HTTP.

use run::{Choice, Finished, Options, Protocol, Target};
use serde_json::Value;
use verdict::transcript::{Event, Kind};
use verdict::{Requirement, Transport};

use crate::command::run::{configured, embedded};
use crate::command::selftest::host::Host;
use crate::config::Config;
use crate::failure::Failure;

/// Lines for people: what is sent, the wrong answer, the right one.
pub(super) fn lines(requirement: &Requirement) -> Result<Vec<String>, Failure> {
    let Some(fault) = reference::faults().find(|fault| fault.id == requirement.id) else {
        return Ok(vec!["the reference server cannot break it on the wire, so none can be shown".to_owned()]);
    };
    let kinds = [Transport::Stdio, Transport::Http, Transport::Sse];
    let Some(transport) = kinds.into_iter().find(|kind| requirement.binds(*kind)) else { return Ok(Vec::new()) };
    let revision =
        requirement.revisions.iter().rfind(|revision| revision.is_handshake()).or(requirement.revisions.last());
    let protocol = revision.map_or(Protocol::Latest, |revision| Protocol::One(*revision));
    let options = Options { protocol, only: vec![requirement.id.to_owned()], ..Options::default() };
    let broken = drive(transport, &["--fault".to_owned(), fault.name()], fault.needs_auth(), &options)?;
    let entries = broken.records.iter().flat_map(|record| &record.requirements);
    let finding = entries.filter(|entry| entry.id == requirement.id).find_map(|entry| entry.findings.first());
    let Some(finding) = finding else {
        let how = transport.as_str();
        return Ok(vec![format!("it shows in no single exchange of the reference server over {how}")]);
    };
    let mut lines = vec![format!("wrong: {}", finding.message)];
    lines.extend(finding.wire.iter().cloned());
    let asked = finding.wire.iter().find_map(|line| line.strip_prefix("> "));
    // Over HTTP the heads matter, which differ from one conversation to the next: what is right is said in words.
    if transport != Transport::Stdio {
        lines.push(format!("right: {}", finding.expected));
        return Ok(lines);
    }
    let plain = drive(transport, &[], false, &options)?;
    if let Some(answer) = asked.and_then(|asked| plain.transcripts.iter().find_map(|events| answer(events, asked))) {
        lines.push("right:".to_owned());
        lines.extend(answer.map(|line| report::clip(&line, 2_000)));
    }
    Ok(lines)
}

/// A run of the reference server with these flags.
fn drive(transport: Transport, flags: &[String], guarded: bool, options: &Options) -> Result<Finished, Failure> {
    if transport == Transport::Stdio {
        return Ok(run::drive(&embedded(flags)?, options, &|_| {})?);
    }
    let host = Host::start(transport, flags, guarded).map_err(Failure::usage)?;
    let choice = if transport == Transport::Sse { Choice::Sse } else { Choice::Http };
    let mut options = options.clone();
    if let Some(path) = host.configuration() {
        options.credentials = configured(&Config::load(Some(&path))?.auth, false)?;
    }
    Ok(run::drive(&Target::parse(Some(host.url()), &[])?.over(choice)?, &options, &|_| {})?)
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
