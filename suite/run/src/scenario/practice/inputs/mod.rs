//! Arguments that nobody sends in good faith, to tools that may be called again and again, on sessions of their own. What
//! brings no answer is sent once more in a fresh session.

mod made;

use serde_json::{Value, json};
use tokio::time::Instant;
use verdict::transcript::{Event, Kind};
use verdict::{Intent, Purpose, Transport};

use super::{allowed, open_for_purpose, repeatable};
use crate::scenario::{Cx, Scenario, Stage};
use crate::{Opening, Session};

const NAME: &str = "practice/inputs";
const INTENT: Intent = Intent::PracticeInput;
/// Falls after which it is known that a server falls.
const FALLS: usize = 4;

const IDS: [&str; 9] = [
    "practice.input.path-traversal",
    "practice.input.command-injection",
    "practice.input.url-validated",
    "practice.input.id-validated",
    "practice.input.oversized",
    "practice.input.ranges",
    "practice.input.deep-nesting",
    "practice.input.unicode",
    "practice.input.prototype-keys",
];

pub(super) const SCENARIO: Scenario =
    Scenario { name: NAME, provokes: &IDS, stage: Stage::Last, applies: allowed, run: |cx| Box::pin(run(cx)) };

/// One call.
struct Input {
    of: &'static str,
    tool: String,
    kind: &'static str,
    /// Text that the answer must not contain.
    token: &'static str,
    arguments: Value,
    /// JSON text in place of a string in the arguments that cannot be written as a value.
    escape: Option<(&'static str, &'static str)>,
}

impl Input {
    fn about(&self) -> Value {
        json!({"of": self.of, "tool": self.tool, "kind": self.kind, "token": self.token})
    }

    /// The least number of bytes that the message has.
    fn length(&self) -> usize {
        self.arguments.to_string().len()
    }

    /// Whether there was an answer, or, where its id may be lost, one to the request behind it.
    async fn send(&self, session: &Session) -> bool {
        self.send_as(session, session.fresh_id()).await
    }

    async fn send_as(&self, session: &Session, id: i64) -> bool {
        let mut params = json!({"name": self.tool, "arguments": self.arguments});
        let Some((place, escape)) = self.escape else {
            let ask = session.ask("tools/call", params).id(id.to_string()).probe(NAME, INTENT, self.about());
            return ask.send().await.is_sign_of_life();
        };
        if session.era() == verdict::Era::Stateless {
            params["_meta"] = session.meta();
        }
        let id = id.to_string();
        let text = wire::write::request(wire::write::IdText::raw(&id), "tools/call", Some(&params));
        session.raw(text.replace(place, escape)).probe(NAME, INTENT, self.about()).answered().await;
        session.is_alive().await
    }
}

async fn run(cx: Cx) {
    let tools = repeatable(&cx);
    let groups: Vec<Vec<Input>> = made::groups(&tools).into_iter().filter(|group| cx.wants(group[0].of)).collect();
    // A process that is started for this may answer calls where the one before does not any more.
    let mute = cx.profile.transport != Transport::Stdio && cx.opener.learned().is_mute();
    if groups.is_empty() || mute {
        return;
    }
    let (mut session, mut falls) = (None, 0);
    for group in groups {
        for (at, input) in group.iter().enumerate() {
            let own = match session.take() {
                Some(own) => own,
                None => match open_for_purpose(&cx, Purpose::Robust).await {
                    Some(own) => own,
                    None => return,
                },
            };
            let answered = input.send(&own).await;
            if answered && !own.is_down() {
                session = Some(own);
                continue;
            }
            own.kill().await;
            // A tool that answers nobody has no answer for this either.
            if at == 0 && input.kind == "control" {
                break;
            }
            // Nor does one that leaves wrong requests without an answer say more by leaving this one.
            if own.loses(input.length()) || own.gives_no_errors() {
                continue;
            }
            provoke_again(&cx, &group[0], input).await;
            falls += 1;
            if falls == FALLS {
                return;
            }
        }
    }
    if let Some(session) = session {
        session.give_back().await;
    }
}

/// Once more, where nothing but an innocent call came before.
async fn provoke_again(cx: &Cx, control: &Input, input: &Input) {
    let Ok(session) = cx.open_ready(Opening::new(Purpose::Robust, cx.profile.revision)).await else { return };
    session.mirror(&cx.profile.tools);
    let control_settled = control.kind != "control" || control.send(&session).await;
    let (from, id, began) = (session.mark(), session.fresh_id(), Instant::now());
    let fell = control_settled && !input.send_as(&session, id).await && !is_late(&session, from, id).await;
    // A busy machine takes long over a large argument.
    let idled = fell && session.ended_properly() && cx.ends_idle(began.elapsed()).await;
    if fell && !idled {
        session.record_probe(NAME, Intent::PracticeFell, input.about());
    }
    session.kill().await;
}

/// Whether an answer comes after all: where the machine is busy, a large argument takes longer than the limit.
async fn is_late(session: &Session, from: usize, id: i64) -> bool {
    let own = |text: &str| {
        let parsed = wire::parse(text.as_bytes(), &wire::Limits::default());
        let answers = |message: &wire::Message| message.is_answer() && message.member("id") == Some(&json!(id));
        parsed.messages().iter().any(answers)
    };
    let says = |event: &Event| {
        event.session == session.id()
            && match &event.kind {
                Kind::Receive(receive) => own(&receive.text),
                // That a request is accepted is no answer to it.
                Kind::Status { status, .. } => *status >= 300,
                _ => false,
            }
    };
    !session.is_down() && session.until_late(from, session.limit() * 2, |events| events.iter().any(says)).await
}
