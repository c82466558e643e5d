//! What the tester had to assume to understand a server, in words.

use serde_json::Value;
use verdict::probes::KeyValue;
use verdict::probes::values::Reading;
use verdict::transcript::{Event, Kind, Probe};
use verdict::{Intent, Key};

/// Each assumption once, in the order in which they were made.
pub(super) fn assumed(events: &[Event]) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for event in events {
        let Kind::Probe(probe) = &event.kind else { continue };
        if let Some(text) = words(probe).filter(|text| !told.contains(text)) {
            told.push(text);
        }
    }
    told
}

fn words(probe: &Probe) -> Option<String> {
    let text = |key: Key| probe.get(key).and_then(Value::as_str);
    match probe.intent {
        Intent::Negotiated if probe.get(Key::Assumed) == Some(&Value::Bool(true)) => {
            Some(format!("revision {}, since the server named none that is known", text(Key::Revision)?))
        }
        Intent::Assumed => match Reading::from_name(text(Key::Reading)?)? {
            Reading::TextIds => Some("that \"7\" answers request 7, since the server returns ids as strings".to_owned()),
            Reading::Objects => Some(
                "that every JSON object on standard output is a message, since messages do not stand on lines of their own"
                    .to_owned(),
            ),
            Reading::Capabilities => {
                let declared = probe.get(Key::Declared)?.as_object()?.keys().cloned().collect::<Vec<_>>();
                let declared = if declared.is_empty() { "none".to_owned() } else { declared.join(", ") };
                Some(format!("these capabilities: {declared}, by what the server serves, since it declared none"))
            }
            Reading::Errors => Some("that an error without the id of a request answers the only request under way".to_owned()),
            Reading::Modern => Some(
                "revision 2026-07-28, since lists are answered as in it, although server/discover is not".to_owned(),
            ),
            Reading::Origin => Some(
                "that messages are posted to the host that was given, since the endpoint event names another".to_owned(),
            ),
            Reading::Losses => {
                Some("nothing of requests without an answer, since the server loses answers now and then".to_owned())
            }
            Reading::NoErrors => {
                Some("nothing of requests without an answer, since the server answers none with an error".to_owned())
            }
            Reading::Order => {
                Some("that answers come in the order of the requests, over HTTP each on the connection of its own, since they do not bear their ids".to_owned())
            }
        },
        _ => None,
    }
}
