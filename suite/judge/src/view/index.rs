//! Which exchanges of the judged sessions have a method or an intent: rules ask for hundreds of them, and a long transcript
//! is not to be gone through for each.

use std::collections::HashMap;

use verdict::Intent;

use super::{Case, View};

/// A session of the view, and an exchange of that.
pub(super) type Place = (usize, usize);

/// Places in the order of the transcript.
#[derive(Debug, Default)]
pub(super) struct Index {
    methods: HashMap<String, Vec<Place>>,
    intents: HashMap<Intent, Vec<Place>>,
}

impl Index {
    pub(super) fn of(view: &View<'_>) -> Self {
        let mut index = Self::default();
        for (at, session) in view.sessions.iter().enumerate().filter(|(_, session)| view.judges(session)) {
            for (place, exchange) in session.exchanges.iter().enumerate() {
                let case = Case { view, session, exchange };
                enter(&mut index.methods, case.method(), (at, place));
                if let Some(intent) = case.intent() {
                    index.intents.entry(intent).or_default().push((at, place));
                }
            }
        }
        index
    }

    pub(super) fn calls(&self, method: &str) -> &[Place] {
        self.methods.get(method).map_or(&[], Vec::as_slice)
    }

    pub(super) fn probes(&self, intent: Intent) -> &[Place] {
        self.intents.get(&intent).map_or(&[], Vec::as_slice)
    }
}

fn enter(map: &mut HashMap<String, Vec<Place>>, name: Option<&str>, place: Place) {
    let Some(name) = name else { return };
    match map.get_mut(name) {
        Some(places) => places.push(place),
        None => drop(map.insert(name.to_owned(), vec![place])),
    }
}
