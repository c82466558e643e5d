//! What felled the server, once more in a session that is judged; the arguments of a call as simple as they get before.

use judge::LARGE;
use serde_json::{Map, Value, json};
use verdict::{Intent, Purpose};

use super::replay::Replay;
use super::{NAME, Search, Sent};
use crate::opening::Opening;
use crate::scenario::property::simplest;
use crate::{Session, Tool};

/// Lengths of text that are tried in place of longer ones.
const LENGTHS: [usize; 4] = [100, 1_000, 8_000, 60_000];

impl Search<'_> {
    pub(super) async fn show(&self, culprits: Vec<Sent>, replay: &Replay<'_>) {
        let (culprits, keyword) = match culprits.as_slice() {
            // To see that a simpler one silences it takes long.
            [one] if replay.ended => self.simplified(one, replay).await.unwrap_or((culprits, None)),
            _ => (culprits, None),
        };
        if culprits.iter().any(|sent| sent.text.len() > LARGE) {
            // That a server runs out of memory is another matter.
            return;
        }
        let mut opening = Opening::new(Purpose::Careful, self.cx.profile.revision).confirm();
        opening.profile = replay.profile();
        let Ok(session) = self.cx.opener.ready(opening, self.cx.profile.revision).await else { return };
        session.mirror(&self.cx.profile.tools);
        if culprits.is_empty() {
            session.record_probe(NAME, Intent::Reproduced, json!({"of": "nothing"}));
        }
        for (at, culprit) in culprits.iter().enumerate() {
            let about = about(culprit, at + 1 == culprits.len(), keyword.as_deref());
            session.raw(culprit.text.clone()).probe(NAME, Intent::Reproduced, about).begin();
        }
        self.watch(&session, replay, &culprits).await;
        session.kill().await;
    }

    /// Until it falls. One that seems to have fallen silent may only be slow: what it was sent is given more than its time before
    /// a sign of life is, too.
    async fn watch(&self, session: &Session, replay: &Replay<'_>, sent: &[Sent]) {
        let patience = if replay.ended { replay.patience(sent) } else { session.limit() / 2 };
        if !replay.ended {
            session.ends_within(patience).await;
        }
        let alive = session.is_answering(session.limit()).await;
        if alive && replay.ended {
            session.falls_within(patience).await;
        }
    }

    /// A simpler call of the same tool that fells the server, too, and the keyword of its schema that it violates.
    async fn simplified(&self, sent: &Sent, replay: &Replay<'_>) -> Option<(Vec<Sent>, Option<String>)> {
        let mut message: Value = serde_json::from_str(&sent.text).ok()?;
        let tool: &Tool = self.cx.profile.tools.iter().find(|tool| Some(&tool.name) == sent.tool.as_ref())?;
        let arguments = message["params"]["arguments"].clone();
        let with = |message: &mut Value, arguments: &Value| {
            message["params"]["arguments"] = arguments.clone();
            Sent { text: message.to_string(), ..sent.clone() }
        };
        let fells = async |arguments: &Value| {
            let simpler = with(&mut message.clone(), arguments);
            replay.falls(&[simpler]).await
        };
        let arguments = shortened(arguments, &fells).await;
        let (best, keyword) = simplest(self.cx, tool, arguments, self.deadline, fells).await?;
        Some((vec![with(&mut message, &best)], keyword))
    }
}

/// The same with all text cut, as short as does it: what is very long is no start for anything simpler.
async fn shortened(arguments: Value, fells: &impl AsyncFn(&Value) -> bool) -> Value {
    if arguments.to_string().len() <= LENGTHS[0] {
        return arguments;
    }
    for length in LENGTHS {
        let cut = cut(&arguments, length);
        if cut != arguments && fells(&cut).await {
            return cut;
        }
    }
    arguments
}

fn cut(value: &Value, length: usize) -> Value {
    match value {
        Value::String(text) => text.chars().take(length).collect::<String>().into(),
        Value::Array(items) => items.iter().map(|item| cut(item, length)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), cut(member, length))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

fn about(sent: &Sent, last: bool, keyword: Option<&str>) -> Value {
    let scenario = sent.probe.as_ref().map_or("nothing", |probe| probe.scenario.as_str());
    let requirement = sent.probe.as_ref().and_then(|probe| probe.about.get("of")).and_then(Value::as_str);
    let of = requirement.map_or(scenario.to_owned(), |requirement| format!("{scenario},{requirement}"));
    let mut about = Map::from_iter([("of".to_owned(), json!(of))]);
    about.extend(sent.tool.iter().map(|name| ("tool".to_owned(), json!(name))));
    about.extend(last.then(|| ("minimal".to_owned(), json!(true))));
    about.extend(keyword.map(|keyword| ("keyword".to_owned(), json!(keyword))));
    Value::Object(about)
}
