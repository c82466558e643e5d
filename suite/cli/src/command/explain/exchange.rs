//! A wrong and a right exchange, produced live: the reference server runs once with a fault that breaks the requirement, and
//! once without. Requirements about HTTP are shown over HTTP.

use run::{Choice, Finished, Options, Protocol, Target};
use serde_json::Value;
use verdict::transcript::{Event, Kind};
use verdict::{Requirement, Transport};

use crate::config::Config;
use crate::failure::Failure;
use crate::reference_server::{HttpServer, stdio_target};

/// Returns lines for people: the request, the wrong answer, the right answer.
pub(super) fn lines(requirement: &Requirement) -> Result<Vec<String>, Failure> {
    let Some(fault) = reference::faults().find(|fault| fault.id == requirement.id) else {
        return Ok(vec!["no exchange to show: the reference server has no fault for this requirement".to_owned()]);
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
        return Ok(vec![format!("no single exchange with the reference server over {how} shows it")]);
    };
    let mut lines = vec![format!("wrong: {}", finding.message)];
    lines.extend(finding.wire.iter().cloned());
    let asked = finding.wire.iter().find_map(|line| line.strip_prefix("> "));
    // Over HTTP the headers matter, and they differ between conversations: the right answer is described in words.
    if transport != Transport::Stdio {
        lines.push(format!("right: {}", finding.expected));
        return Ok(lines);
    }
    let plain = drive(transport, &[], false, &options)?;
    if let Some(answer) = asked.and_then(|asked| plain.transcripts.iter().find_map(|events| find_answer(events, asked)))
    {
        lines.push("right:".to_owned());
        lines.extend(answer.map(|line| report::clip(&line, 2_000)));
    }
    Ok(lines)
}

/// Drives the reference server with these flags.
fn drive(transport: Transport, flags: &[String], authorization: bool, options: &Options) -> Result<Finished, Failure> {
    if transport == Transport::Stdio {
        return Ok(run::drive(&stdio_target(flags)?, options, &|_| {})?);
    }
    let server = HttpServer::start(transport, flags, authorization).map_err(Failure::usage)?;
    let choice = if transport == Transport::Sse { Choice::Sse } else { Choice::Http };
    let mut options = options.clone();
    if let Some(path) = server.configuration() {
        options.credentials = Config::load(Some(&path))?.auth.credentials(false)?;
    }
    Ok(run::drive(&Target::parse(Some(server.url()), &[])?.over(choice)?, &options, &|_| {})?)
}

/// Finds the request in another conversation, and its answer.
fn find_answer(events: &[Event], asked: &str) -> Option<[String; 2]> {
    let wanted = without_id(asked)?;
    events.iter().enumerate().find_map(|(at, event)| {
        let Kind::Send(send) = &event.kind else { return None };
        let same = without_id(&send.text).filter(|request| request.1 == wanted.1)?;
        let later = events[at..].iter().filter(|later| later.session == event.session);
        let answer = later.filter_map(|later| match &later.kind {
            Kind::Receive(receive) => Some(receive.text.clone()),
            _ => None,
        });
        let matches =
            |text: &String| without_id(text).is_some_and(|(id, rest)| id == same.0 && rest.get("method").is_none());
        answer.filter(matches).map(|text| [format!("> {}", send.text), format!("< {text}")]).next()
    })
}

/// Splits a message into its id and the rest.
fn without_id(text: &str) -> Option<(Value, Value)> {
    let mut message: Value = serde_json::from_str(text).ok()?;
    let id = message.as_object_mut()?.shift_remove("id")?;
    Some((id, message))
}
