//! Properties that hold for any schema: generation ends within its bounds, valid instances are valid, broken ones are broken.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Dialect, Generator, Validator};

/// Panics when it does not hold for the bytes.
pub type Property = fn(&[u8]);

/// Each fuzz target with its property; the name is also that of its folder in the corpus.
pub const TARGETS: &[(&str, Property)] = &[("schema_strategy", strategy)];

/// Bytes of a schema that is taken; a greater one only takes longer.
const LARGEST: usize = 8 << 10;
/// How long everything may take, with room for a busy machine and a build that watches everything.
const PATIENCE: Duration = Duration::from_secs(20);
/// Instances of each kind.
const EACH: u64 = 3;
/// Bytes of an instance.
const LONGEST: usize = 4 << 20;

/// The text is a schema. Whatever instances are made of it, an independent validator agrees, in every dialect that the
/// bytes choose; and all of it ends.
pub fn strategy(bytes: &[u8]) {
    let Some(schema) = schema(bytes) else { return };
    let began = Instant::now();
    let dialects = [Dialect::Draft202012, Dialect::Draft7, Dialect::Draft4, Dialect::Draft6, Dialect::Draft201909];
    let dialect = dialects[bytes.len() % dialects.len()];
    let made = Generator::new(&schema, dialect);
    if let (Ok(generator), Ok(validator)) = (&made, Validator::new(&schema, dialect)) {
        agrees(generator, &validator);
    }
    assert!(began.elapsed() < PATIENCE, "it took {:?}", began.elapsed());
}

fn schema(bytes: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LARGEST)?;
    serde_json::from_str(text).ok().filter(|value: &Value| value.is_object() || value.is_boolean())
}

fn agrees(generator: &Generator, validator: &Validator) {
    for kind in [generator.valid(), generator.awkward()] {
        for seed in 0..EACH {
            let Ok(instance) = kind.draw(seed) else { continue };
            assert!(!validator.refuses(&instance), "{instance} is called valid");
            assert!(instance.to_string().len() < LONGEST);
            assert_eq!(kind.draw(seed).ok(), Some(instance), "the same seed makes another instance");
        }
    }
    for boundary in generator.boundaries() {
        assert!(!validator.refuses(&boundary.instance), "{} is called valid", boundary.instance);
    }
    // `format` is an annotation to the validator, and broken all the same for those who ask for it.
    for broken in generator.breaks().found.into_iter().filter(|broken| broken.keyword != "format") {
        let wrong = |instance: &Value| {
            assert!(!validator.accepts(instance), "{instance} breaks nothing ({} at {})", broken.keyword, broken.at)
        };
        wrong(&broken.example);
        (0..EACH).filter_map(|seed| broken.instances.draw(seed).ok()).for_each(|instance| wrong(&instance));
    }
}
