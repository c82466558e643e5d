//! The arguments that one subject is tried with: those that failed before, then boundaries and near misses in turn, then random
//! ones. Deterministic, and made without the server.

use std::collections::HashSet;

use judge::dialects;
use schema::{Boundary, Break, Dialect, Generator, Instances, Readings};
use serde_json::Value;
use verdict::Revision;
use verdict::property::Unreached;

use super::sample::{near, property};
use super::subject::Subject;

/// Of the valid arguments so many in a hundred are boundaries, if there are as many.
const BOUNDARIES: usize = 70;
/// Attempts at arguments that were not there before.
const ATTEMPTS: u64 = 4;
/// Arguments that break one keyword: more of them show nothing new.
const ALIKE: usize = 12;
/// Keywords that were not reached and are told of.
const UNREACHED: usize = 40;
/// Valid arguments for a tool that describes none.
const UNDESCRIBED: usize = 6;
/// Characters of arguments: what is longer tells of memory, not of checks.
const LONGEST: usize = 100_000;

/// What a set of cases is to be made from.
pub(super) struct Order {
    pub(super) subject: Subject,
    pub(super) revision: Revision,
    pub(super) cases: usize,
    pub(super) seed: u64,
    /// Arguments that failed in an earlier run.
    pub(super) first: Vec<Value>,
    /// Arguments that the user vouches for.
    pub(super) sample: Option<Value>,
}

/// Arguments, and how they came about.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) arguments: Value,
    /// Which of the breaks it is; none if the arguments are valid.
    pub(super) broken: Option<usize>,
    /// The keyword at whose boundary valid arguments are.
    pub(super) boundary: Option<String>,
}

/// The arguments for one subject.
#[derive(Debug, Default)]
pub(super) struct Set {
    pub(super) cases: Vec<Made>,
    pub(super) breaks: Vec<Break>,
    pub(super) unreached: Vec<Unreached>,
    /// Valid arguments beside the cases.
    pub(super) beside: Option<Value>,
    /// Why there are none.
    pub(super) declined: Option<String>,
    /// Arguments that the user vouches for, if they are valid.
    sample: Option<Value>,
    generator: Option<Generator>,
    readings: Option<Readings>,
}

impl Set {
    pub(super) fn make(order: &Order) -> Self {
        let declined = |why: String| Self { declined: Some(why), ..Self::default() };
        let Some(schema) = order.subject.schema() else { return declined("it has no inputSchema".to_owned()) };
        let readings = match Readings::new(&schema, dialects(order.revision)) {
            Ok(readings) => readings,
            Err(unusable) => return declined(unusable.to_string()),
        };
        let generator = match Generator::new(&schema, Dialect::Draft202012) {
            Ok(generator) => generator,
            Err(why) => return declined(why.to_string()),
        };
        let mut set = Self { readings: Some(readings), generator: Some(generator.clone()), ..Self::default() };
        let mut broken = generator.breaks();
        broken.found.retain(|one| one.example.is_object() || one.near().iter().any(Value::is_object));
        broken.found.retain(|one| order.subject.may_break(one));
        // The schema of what takes strings alone is ours.
        let own = order.subject.sort().is_none();
        set.unreached = broken.unreached.into_iter().filter(|_| own).take(UNREACHED).map(told).collect();
        set.breaks = broken.found;
        set.sample = order.sample.clone().filter(|sample| set.is_valid(sample));
        set.fill(order, &schema, &generator);
        set
    }

    fn fill(&mut self, order: &Order, schema: &Value, generator: &Generator) {
        let mut fresh = Fresh { seen: HashSet::new(), seed: order.seed };
        let before = order.first.iter().filter_map(|arguments| self.sorted(arguments.clone()));
        let before: Vec<Made> = before.filter(|made| fresh.is_new(&made.arguments)).collect();
        let (cases, invalid) = order.subject.share(order.cases);
        let invalid = if self.breaks.is_empty() { 0 } else { invalid };
        let most = if speaks(schema) { cases - invalid } else { UNDESCRIBED.min(cases) };
        let vouched = self.sample.iter().filter(|sample| fresh.is_new(sample)).take(most).map(valid_one).collect();
        let telling = self.telling(&order.subject, most, &mut fresh);
        let telling = [vouched, telling].concat();
        let further = self.valid(generator, most.saturating_sub(telling.len()), &mut fresh);
        let valid = [telling, further].concat();
        let room = if order.subject.sort().is_none() { cases - valid.len() } else { invalid };
        let invalid = self.invalid(room, &mut fresh);
        self.beside = fresh.draw(&generator.valid()).filter(|arguments| self.is_valid(arguments));
        self.cases = before;
        // In turn: where time is short, neither comes too short.
        let (mut valid, mut invalid) = (valid.into_iter(), invalid.into_iter());
        loop {
            let pair = [valid.next(), invalid.next()];
            if pair.iter().all(Option::is_none) {
                break;
            }
            self.cases.extend(pair.into_iter().flatten());
        }
        self.cases.truncate(cases.max(order.first.len()));
    }

    fn telling(&self, subject: &Subject, most: usize, fresh: &mut Fresh) -> Vec<Made> {
        let all = subject.telling().into_iter().filter(|arguments| self.is_valid(arguments));
        let all = all.filter(|arguments| fresh.is_new(arguments)).take(most);
        all.map(|arguments| valid_one(&arguments)).collect()
    }

    /// Valid arguments like these, as near to the sample as they may be.
    fn nearer(&self, arguments: Value, named: Option<&str>, turn: usize) -> Value {
        let near =
            self.sample.as_ref().and_then(|sample| near(sample, &arguments, (named, turn), |made| self.is_valid(made)));
        near.unwrap_or(arguments)
    }

    /// Arguments broken in the same way, as near to the sample as they may be.
    fn nearly(&self, arguments: Value, one: &Break) -> Value {
        let named = one.place(&arguments).and_then(|at| property(&at));
        let is_like = |made: &Value| one.instances.contains(made) && self.is_broken(made, one);
        let near = self.sample.as_ref().and_then(|sample| near(sample, &arguments, (named.as_deref(), 0), is_like));
        near.unwrap_or(arguments)
    }

    /// Sorts arguments of an earlier run into valid and invalid ones by today's schema; `None` if they are neither.
    fn sorted(&self, arguments: Value) -> Option<Made> {
        let broken = self.breaks.iter().position(|one| one.instances.contains(&arguments));
        (broken.is_some() || self.is_valid(&arguments)).then_some(Made { arguments, broken, boundary: None })
    }

    fn valid(&self, generator: &Generator, count: usize, fresh: &mut Fresh) -> Vec<Made> {
        let mut edges = generator.boundaries();
        // What a value may be comes before which properties there are.
        edges.sort_by_key(|edge| edge.keyword == "properties");
        let room = count * BOUNDARIES / 100;
        let stride = edges.len().div_ceil(room.max(1)).max(1);
        let first: Vec<_> = if edges.len() <= room { edges } else { spread(edges, stride, room) };
        let wide = first.iter().filter(|edge| edge.keyword == "maxLength").flat_map(wide).collect::<Vec<_>>();
        let mut made: Vec<Made> = first
            .into_iter()
            .chain(wide)
            .map(|edge| {
                let named = property(&edge.at);
                Boundary { instance: self.nearer(edge.instance.clone(), named.as_deref(), 0), ..edge }
            })
            .filter(|edge| self.is_valid(&edge.instance) && fresh.is_new(&edge.instance))
            .map(|edge| Made { arguments: edge.instance, broken: None, boundary: Some(edge.keyword) })
            .collect();
        let kinds = [generator.valid(), generator.awkward()];
        for at in 0..count.saturating_sub(made.len()) {
            let drawn = fresh.draw(&kinds[at % 2]).filter(|arguments| self.is_valid(arguments));
            made.extend(drawn.map(|arguments| valid_one(&self.nearer(arguments, None, at))));
        }
        made
    }

    /// Every keyword in turn: its near misses, and between them whatever breaks it. A format once.
    fn invalid(&self, count: usize, fresh: &mut Fresh) -> Vec<Made> {
        let mut near: Vec<_> = self.breaks.iter().map(|one| one.near().into_iter()).collect();
        let mut made: Vec<Made> = Vec::new();
        let rounds = if self.breaks.is_empty() { 0 } else { ALIKE.min(count.div_ceil(self.breaks.len()) + 4) };
        for round in 0..rounds {
            for (at, one) in self.breaks.iter().enumerate() {
                if made.len() >= count || (one.keyword == "format" && round > 0) {
                    continue;
                }
                let next = if round % 3 == 2 { None } else { near[at].find(|missed| fresh.is_new(missed)) };
                let drawn = next.or_else(|| fresh.draw(&one.instances));
                let drawn = drawn.filter(|arguments| arguments.is_object() && self.is_broken(arguments, one));
                let drawn = drawn.map(|arguments| self.nearly(arguments, one));
                made.extend(drawn.map(|arguments| Made { arguments, broken: Some(at), boundary: None }));
            }
        }
        made
    }

    /// Whether arguments satisfy the schema in whatever dialect it may be meant, by those who take `format` for more than
    /// an annotation too.
    pub(super) fn is_valid(&self, arguments: &Value) -> bool {
        let bearable = arguments.to_string().len() <= LONGEST;
        let formless = |one: &Break| one.keyword == "format" && one.instances.contains(arguments);
        bearable
            && arguments.is_object()
            && self.readings.as_ref().is_some_and(|readings| readings.accept(arguments))
            && !self.breaks.iter().any(formless)
    }

    fn is_broken(&self, arguments: &Value, one: &Break) -> bool {
        one.keyword == "format" || self.readings.as_ref().is_some_and(|readings| readings.refuse(arguments).is_some())
    }

    /// Whether arguments are of the same kind as a case: valid, or broken in the same way.
    pub(super) fn is_like(&self, made: &Made, arguments: &Value) -> bool {
        arguments.is_object()
            && match made.broken.map(|at| &self.breaks[at]) {
                Some(one) => self.is_broken(arguments, one),
                None => self.is_valid(arguments),
            }
    }

    /// Everything of the kind of a case.
    pub(super) fn kind(&self, made: &Made) -> Option<Instances> {
        match made.broken {
            Some(at) => Some(self.breaks[at].instances.clone()),
            None => self.generator.as_ref().map(Generator::valid),
        }
    }
}

fn valid_one(arguments: &Value) -> Made {
    Made { arguments: arguments.clone(), broken: None, boundary: None }
}

/// Whether a schema says anything about properties: all arguments that satisfy another are alike.
fn speaks(schema: &Value) -> bool {
    let is_annotation =
        |name: &str| matches!(name, "$schema" | "type" | "title" | "description" | "required" | "$id" | "$comment");
    let is_empty = |value: &Value| value.as_object().is_some_and(serde_json::Map::is_empty) || value.is_boolean();
    schema
        .as_object()
        .is_some_and(|members| members.iter().any(|(name, value)| !is_annotation(name) && !is_empty(value)))
}

/// The longest texts in letters that are more than one byte, or more than one UTF-16 unit, where the bound itself stands.
fn wide(edge: &Boundary) -> Vec<Boundary> {
    let mut found = Vec::new();
    let is_bounded = |name: &str| edge.at == format!("/properties/{}", name.replace('~', "~0").replace('/', "~1"));
    let bounded = edge.instance.as_object().into_iter().flatten().filter(|(name, _)| is_bounded(name));
    for (name, value) in bounded {
        let Some(text) = value.as_str().filter(|text| (2..=200).contains(&text.len())) else { continue };
        for letter in ["\u{e9}", "\u{1f600}"] {
            let mut instance = edge.instance.clone();
            instance[name] = Value::String(letter.repeat(text.chars().count()));
            found.push(Boundary { instance, ..edge.clone() });
        }
    }
    found
}

/// A stride through many, so that none of the places is left out altogether.
fn spread<T>(all: Vec<T>, stride: usize, room: usize) -> Vec<T> {
    all.into_iter().step_by(stride).take(room).collect()
}

fn told(unreached: schema::Unreached) -> Unreached {
    Unreached { keyword: unreached.keyword, schema: unreached.at, reason: unreached.reason.to_string() }
}

/// Draws arguments that were not there before.
struct Fresh {
    seen: HashSet<String>,
    seed: u64,
}

impl Fresh {
    fn is_new(&mut self, arguments: &Value) -> bool {
        self.seen.insert(arguments.to_string())
    }

    fn draw(&mut self, instances: &Instances) -> Option<Value> {
        for _ in 0..ATTEMPTS {
            self.seed = self.seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let drawn = instances.draw(self.seed).ok().filter(|drawn| drawn.to_string().len() <= LONGEST);
            if let Some(arguments) = drawn.filter(|arguments| self.is_new(arguments)) {
                return Some(arguments);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Options, Tool};

    fn tool(schema: &Value) -> Subject {
        let definition = json!({"name": "t", "inputSchema": schema});
        Subject::tool(&Tool { name: "t".to_owned(), definition, callable: true })
    }

    fn of(subject: Subject, seed: u64) -> Set {
        Set::make(&Order {
            subject,
            revision: Revision::V2025_11_25,
            cases: 100,
            seed,
            first: Vec::new(),
            sample: None,
        })
    }

    fn set(schema: Value, seed: u64) -> Set {
        of(tool(&schema), seed)
    }

    fn schema() -> Value {
        json!({"type": "object", "required": ["n"], "additionalProperties": false, "properties": {
            "n": {"type": "integer", "minimum": 1, "maximum": 9}, "s": {"type": "string", "maxLength": 3},
            "e": {"enum": ["low", "high"]}}})
    }

    #[test]
    fn the_same_seed_makes_the_same_cases_and_another_others() {
        let texts = |seed| set(schema(), seed).cases.iter().map(|made| made.arguments.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    #[test]
    fn bounds_are_met_and_missed_by_one() {
        let set = set(schema(), 1);
        let has = |valid: bool, wanted: &dyn Fn(&Value) -> bool| {
            set.cases.iter().any(|made| made.broken.is_none() == valid && wanted(&made.arguments))
        };
        for (valid, number) in [(true, 1), (true, 9), (false, 0), (false, 10)] {
            assert!(has(valid, &|arguments| arguments["n"] == json!(number)), "{number}");
        }
        let is_wide = |arguments: &Value| arguments["s"] == "\u{1f600}\u{1f600}\u{1f600}";
        assert!(has(true, &is_wide), "counted in code points");
        assert!(has(false, &|arguments| arguments["s"] == "aaaa") && has(false, &|arguments| arguments["e"] == "LOW"));
        assert!(has(false, &|arguments| arguments["n"].as_str().is_some_and(|n| n.parse::<i64>().is_ok())));
        assert!(has(false, &|arguments| arguments.get("n").is_none()));
        assert!(set.cases.len() > 90 && set.cases.len() <= 100, "{}", set.cases.len());
    }

    #[test]
    fn what_counts_as_valid_keeps_its_formats() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 12}, "day": {"type": "string", "format": "date", "maxLength": 10},
        }});
        let set = set(schema, 1);
        let is_date = |text: &str| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let days: Vec<_> = set.cases.iter().filter(|made| made.broken.is_none()).collect();
        assert!(days.iter().filter(|made| made.arguments.get("day").is_some()).count() > 10);
        for made in days {
            assert!(made.arguments["day"].as_str().is_none_or(is_date), "{}", made.arguments);
        }
        assert!(!set.is_valid(&json!({"day": "soon"})) && set.is_valid(&json!({"day": "2026-01-31"})));
    }

    #[test]
    fn arguments_of_an_earlier_run_come_first() {
        let first = vec![json!({"n": 12}), json!({"n": 5}), json!({"n": "x", "e": 3})];
        let order = Order {
            subject: tool(&schema()),
            revision: Revision::V2025_11_25,
            cases: 10,
            seed: 1,
            first,
            sample: None,
        };
        let set = Set::make(&order);
        assert_eq!(set.cases[0].arguments, json!({"n": 12}));
        assert_eq!(set.breaks[set.cases[0].broken.expect("invalid")].keyword, "maximum");
        assert_eq!((set.cases[1].arguments.clone(), set.cases[1].broken), (json!({"n": 5}), None));
    }

    #[test]
    fn tools_that_describe_no_parameters_are_called_a_few_times() {
        for schema in [
            json!({"type": "object"}),
            json!({"type": "object", "properties": {}, "$schema": "https://json-schema.org/draft/2020-12/schema"}),
        ] {
            let set = set(schema.clone(), 1);
            assert!((1..=UNDESCRIBED).contains(&set.cases.len()), "{schema}: {}", set.cases.len());
        }
    }

    #[test]
    fn what_cannot_be_met_is_said() {
        assert!(set(json!({"type": "object", "required": ["a"], "properties": {"a": false}}), 1).declined.is_some());
        assert!(set(json!({"$ref": "https://example.com/x"}), 1).declined.is_some());
    }

    #[test]
    fn a_prompt_gets_strings_and_lacks_only_what_it_requires() {
        let definition = json!({"name": "p", "arguments": [{"name": "a", "required": true}, {"name": "b"}]});
        let set = of(Subject::prompt(&definition, &Options::default()).expect("it takes arguments"), 1);
        assert!(set.breaks.iter().all(|one| one.keyword == "required") && set.unreached.is_empty());
        let of_strings = |made: &Made| made.arguments.as_object().into_iter().flatten().all(|(_, one)| one.is_string());
        assert!(set.cases.iter().all(of_strings) && (20..=30).contains(&set.cases.len()), "{}", set.cases.len());
        let lacking: Vec<&Made> = set.cases.iter().filter(|made| made.broken.is_some()).collect();
        assert!((1..=6).contains(&lacking.len()) && lacking.iter().all(|made| made.arguments.get("a").is_none()));
        for text in ["", "\"", "\u{1f600}", "%"] {
            let has = |made: &&Made| ["a", "b"].iter().any(|name| made.arguments[*name] == text);
            assert!(set.cases.iter().any(|made| has(&made)), "{text}");
        }
    }

    #[test]
    fn the_variables_of_a_template_are_neither_empty_nor_dots() {
        let set = of(Subject::template(&json!({"uriTemplate": "a://{b}/{c}"})).expect("simple"), 1);
        assert!(set.breaks.is_empty() && (20..=30).contains(&set.cases.len()), "{}", set.cases.len());
        let values = set.cases.iter().flat_map(|made| [&made.arguments["b"], &made.arguments["c"]]);
        assert!(values.filter_map(Value::as_str).all(|text| !text.trim_matches('.').is_empty()));
        assert!(!set.is_valid(&json!({"b": "..", "c": "x"})));
    }

    #[test]
    fn what_the_user_vouches_for_stands_beside_a_telling_string() {
        let definition = json!({"name": "p", "arguments": [{"name": "a", "required": true}, {"name": "b"}]});
        let mut options = Options::default();
        options.prompts.insert("p".to_owned(), json!({"a": "known"}));
        let telling = Subject::prompt(&definition, &options).expect("it takes arguments").telling();
        assert!(telling.contains(&json!({"a": "known", "b": ""})), "{telling:?}");
    }

    #[test]
    fn arguments_stay_near_the_sample() {
        let schema = json!({"type": "object", "required": ["path"], "properties": {
            "path": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}}});
        let sample = json!({"path": "/srv/known"});
        let order = Order {
            subject: tool(&schema),
            revision: Revision::V2025_11_25,
            cases: 60,
            seed: 1,
            first: Vec::new(),
            sample: Some(sample.clone()),
        };
        let set = Set::make(&order);
        assert_eq!(set.cases[0].arguments, sample);
        let known = |made: &&Made| made.arguments["path"] == "/srv/known";
        let (valid, invalid): (Vec<&Made>, Vec<&Made>) = set.cases.iter().partition(|made| made.broken.is_none());
        assert!(valid.iter().copied().filter(known).count() > 3, "{valid:?}");
        assert!(valid.iter().any(|made| made.arguments["path"] != "/srv/known"), "{valid:?}");
        assert!(invalid.iter().copied().filter(known).count() > 3, "{invalid:?}");
    }
}
