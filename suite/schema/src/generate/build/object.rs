//! Objects: which members, under which names, and what each is asked.

use serde_json::{Map, Value};

use super::super::fact::{Item, MemberRule, Members};
use super::super::judge::Judge;
use super::super::library::Library;
use super::super::place::Place;
use super::super::shape::Objects;
use super::super::solver::{Solver, Stuck};
use super::super::text::Sampler;

/// Objects with more members than this are not made.
const MOST: u64 = 1_000;
/// Below this depth only what is required is there.
const SHALLOW: usize = 4;
/// Attempts at one more member.
const ATTEMPTS: usize = 24;
const NAMES: [&str; 6] = ["a", "b", "c", "name", "x", "extra"];

impl<'s> MemberRule<'s> {
    fn owner(&self) -> &Place<'s> {
        match self {
            Self::Named { owner, .. }
            | Self::Patterns { owner, .. }
            | Self::Additional { owner, .. }
            | Self::Unevaluated { owner, .. } => owner,
        }
    }

    fn is_odd(&self) -> bool {
        match self {
            Self::Named { .. } => false,
            Self::Patterns { odd, .. } => odd.is_some(),
            Self::Additional { odd, .. } | Self::Unevaluated { odd, .. } => odd.is_some(),
        }
    }
}

fn matches(patterns: Members<'_>, name: &str, judge: &Judge) -> bool {
    patterns.keys().any(|pattern| judge.matches(pattern, name) == Some(true))
}

fn is_additional(named: Option<Members<'_>>, patterns: Option<Members<'_>>, name: &str, judge: &Judge) -> bool {
    !named.is_some_and(|named| named.contains_key(name)) && !patterns.is_some_and(|all| matches(all, name, judge))
}

impl<'s> Objects<'s> {
    /// Demands on a member; `odd_for` is the rule that demands something odd of it.
    pub(super) fn demands(
        &self,
        name: &str,
        odd_for: Option<usize>,
        judge: &Judge,
        library: &'s Library,
    ) -> Vec<Item<'s>> {
        let mut demands = Vec::new();
        for (at, rule) in self.rules.iter().enumerate() {
            let is_odd = odd_for == Some(at);
            demands.extend(self.asked(rule, name, is_odd, judge, library));
        }
        let members = self.members.iter().filter(|(member, _)| *member == name);
        demands.extend(members.flat_map(|(_, items)| items.iter().cloned()));
        demands
    }

    fn asked(
        &self,
        rule: &MemberRule<'s>,
        name: &str,
        is_odd: bool,
        judge: &Judge,
        library: &'s Library,
    ) -> Vec<Item<'s>> {
        let held = |owner: &Place<'s>, schema| Item::Holds(owner.below(schema, library));
        match rule {
            MemberRule::Named { owner, schemas, but } if *but != Some(name) => {
                schemas.get(name).map(|schema| held(owner, schema)).into_iter().collect()
            }
            MemberRule::Patterns { owner, schemas, odd } => {
                let spared = odd.as_ref().filter(|_| is_odd).map(|(pattern, _)| *pattern);
                let fitting = schemas.iter().filter(|(pattern, _)| {
                    Some(pattern.as_str()) != spared && judge.matches(pattern, name) == Some(true)
                });
                let odd = odd.iter().filter(|_| is_odd).flat_map(|(_, items)| items.iter().cloned());
                fitting.map(|(_, schema)| held(owner, schema)).chain(odd).collect()
            }
            MemberRule::Additional { odd: Some(items), .. } | MemberRule::Unevaluated { odd: Some(items), .. }
                if is_odd =>
            {
                items.clone()
            }
            MemberRule::Additional { named, patterns, schema, .. } if is_additional(*named, *patterns, name, judge) => {
                vec![Item::Holds(schema.clone())]
            }
            MemberRule::Unevaluated { owner, schema, .. } if !self.covers(name, owner, judge) => {
                vec![Item::Holds(schema.clone())]
            }
            _ => Vec::new(),
        }
    }

    /// Whether something within an evaluation has looked at the member already.
    fn covers(&self, name: &str, by: &Place<'s>, judge: &Judge) -> bool {
        self.rules.iter().filter(|rule| rule.owner().owner.is_within(&by.owner)).any(|rule| match rule {
            MemberRule::Named { schemas, .. } => schemas.contains_key(name),
            MemberRule::Patterns { schemas, .. } => matches(schemas, name, judge),
            MemberRule::Additional { named, patterns, .. } => is_additional(*named, *patterns, name, judge),
            MemberRule::Unevaluated { owner, .. } => !by.owner.is_within(&owner.owner),
        })
    }

    /// Whether a rule that asks something odd of one member can ask it of this one.
    fn suits(&self, rule: &MemberRule<'s>, name: &str, judge: &Judge) -> bool {
        match rule {
            MemberRule::Named { .. } => false,
            MemberRule::Patterns { odd, .. } => {
                odd.as_ref().is_some_and(|(pattern, _)| judge.matches(pattern, name) == Some(true))
            }
            MemberRule::Additional { named, patterns, .. } => is_additional(*named, *patterns, name, judge),
            MemberRule::Unevaluated { owner, .. } => !self.covers(name, owner, judge),
        }
    }

    fn known_names(&self) -> Vec<&'s str> {
        let mut names: Vec<&'s str> = Vec::new();
        for rule in &self.rules {
            if let MemberRule::Named { schemas, .. } = rule {
                names.extend(schemas.keys().map(String::as_str).filter(|name| !self.absent.contains(name)));
            }
        }
        names.dedup();
        names
    }

    fn patterns(&self) -> Vec<&'s str> {
        let patterns = self.rules.iter().filter_map(|rule| match rule {
            MemberRule::Patterns { schemas, .. } => Some(schemas.keys().map(String::as_str)),
            _ => None,
        });
        patterns.flatten().collect()
    }

    /// Whether the schema says that there may be members it does not name.
    fn invites_others(&self) -> bool {
        let is_open = |schema: &Place<'s>| schema.schema.is_object();
        self.rules.iter().any(|rule| match rule {
            MemberRule::Named { .. } => false,
            MemberRule::Patterns { .. } => true,
            MemberRule::Additional { schema, .. } | MemberRule::Unevaluated { schema, .. } => is_open(schema),
        })
    }
}

/// Members in the order in which the schema names them, the others after them.
fn in_order(mut members: Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let known = names.iter().filter_map(|name| members.shift_remove_entry(*name));
    let mut ordered: Map<String, Value> = known.collect();
    ordered.extend(members);
    ordered
}

impl<'s> Solver<'s> {
    pub(super) fn object(&mut self, asked: &Objects<'s>) -> Result<Value, Stuck> {
        if asked.least > MOST {
            return Err(Stuck::Contradiction);
        }
        let mut members = Map::new();
        for name in &asked.present {
            if !self.may_be_named(asked, name)? {
                return Err(Stuck::Contradiction);
            }
            let value = self.member(asked, name, None)?;
            members.insert((*name).to_owned(), value);
        }
        self.odd_members(asked, &mut members)?;
        self.optional(asked, &mut members)?;
        self.fill(asked, &mut members)?;
        Ok(Value::Object(in_order(members, &asked.known_names())))
    }

    fn member(&mut self, asked: &Objects<'s>, name: &str, odd_for: Option<usize>) -> Result<Value, Stuck> {
        let demands = asked.demands(name, odd_for, self.judge, self.library);
        self.solve_below(demands)
    }

    /// One member for each rule that asks something odd of one, and one for each odd name.
    fn odd_members(&mut self, asked: &Objects<'s>, members: &mut Map<String, Value>) -> Result<(), Stuck> {
        let odd = asked.rules.iter().enumerate().filter(|(_, rule)| rule.is_odd());
        for (at, rule) in odd {
            let name = self.odd_name(asked, rule, members)?;
            let value = self.member(asked, &name, Some(at))?;
            members.insert(name, value);
        }
        for demands in &asked.odd_names {
            let mut demands = demands.clone();
            demands.push(Item::kinds(super::Kinds::STRING));
            let Value::String(name) = self.solve_below(demands)? else { return Err(Stuck::Contradiction) };
            let value = self.member(asked, &name, None)?;
            members.insert(name, value);
        }
        Ok(())
    }

    fn odd_name(
        &mut self,
        asked: &Objects<'s>,
        rule: &MemberRule<'s>,
        members: &Map<String, Value>,
    ) -> Result<String, Stuck> {
        for attempt in 0..ATTEMPTS {
            let name = match rule {
                MemberRule::Patterns { odd: Some((pattern, _)), .. } => {
                    Sampler::new(pattern).sample(2, attempt, &mut self.chance)
                }
                _ => self.name(asked, attempt)?,
            };
            let is_free = !members.contains_key(&name) && !asked.absent.contains(&name.as_str());
            if is_free && asked.suits(rule, &name, self.judge) && self.may_be_named(asked, &name)? {
                return Ok(name);
            }
        }
        Err(Stuck::Contradiction)
    }

    /// A name that nobody may have thought of.
    fn name(&mut self, asked: &Objects<'s>, attempt: usize) -> Result<String, Stuck> {
        if !asked.names.is_empty() && attempt.is_multiple_of(2) {
            let mut demands: Vec<_> = asked.names.iter().cloned().map(Item::Holds).collect();
            demands.push(Item::kinds(super::Kinds::STRING));
            if let Value::String(name) = self.solve_below(demands)? {
                return Ok(name);
            }
        }
        let patterns = asked.patterns();
        if attempt % 3 == 1 && !patterns.is_empty() {
            let pattern = self.chance.pick(&patterns).copied().unwrap_or_default();
            return Ok(Sampler::new(pattern).sample(2, attempt, &mut self.chance));
        }
        let base = NAMES[self.chance.below(NAMES.len())];
        Ok(if attempt < 6 { base.to_owned() } else { format!("{base}{}", self.chance.below(1000)) })
    }

    fn optional(&mut self, asked: &Objects<'s>, members: &mut Map<String, Value>) -> Result<(), Stuck> {
        if self.depth > SHALLOW {
            return Ok(());
        }
        // All, none, or some: what goes wrong only together or only alone comes up soon.
        let share = self.chance.below(4);
        for name in asked.known_names() {
            let is_full = asked.most.is_some_and(|most| members.len() as u64 >= most);
            let is_wanted = share == 3 || (share > 0 && self.chance.one_in(2));
            if is_full || !is_wanted || members.contains_key(name) {
                continue;
            }
            self.try_member(asked, name, members)?;
        }
        if asked.invites_others() && self.chance.one_in(2) {
            let more = 1 + self.chance.below(2);
            for attempt in 0..more {
                let is_full = asked.most.is_some_and(|most| members.len() as u64 >= most);
                let name = self.name(asked, attempt)?;
                if !is_full && !members.contains_key(&name) {
                    self.try_member(asked, &name, members)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a member if there is a value for it.
    fn try_member(&mut self, asked: &Objects<'s>, name: &str, members: &mut Map<String, Value>) -> Result<(), Stuck> {
        if asked.absent.contains(&name) || self.would_be_odd(asked, name) {
            return Ok(());
        }
        let named = self.may_be_named(asked, name)?;
        match self.member(asked, name, None) {
            Ok(value) if named => {
                members.insert(name.to_owned(), value);
                Ok(())
            }
            Err(Stuck::Spent) => Err(Stuck::Spent),
            _ => Ok(()),
        }
    }

    /// One odd member is enough.
    fn would_be_odd(&self, asked: &Objects<'s>, name: &str) -> bool {
        asked.rules.iter().any(|rule| rule.is_odd() && asked.suits(rule, name, self.judge))
    }

    /// More members until there are enough.
    fn fill(&mut self, asked: &Objects<'s>, members: &mut Map<String, Value>) -> Result<(), Stuck> {
        for name in asked.known_names() {
            if members.len() as u64 >= asked.least {
                return Ok(());
            }
            if !members.contains_key(name) {
                self.try_member(asked, name, members)?;
            }
        }
        let attempts = usize::try_from(asked.least).unwrap_or(0) + ATTEMPTS;
        for attempt in 0..attempts {
            if members.len() as u64 >= asked.least {
                return Ok(());
            }
            let name = self.name(asked, attempt)?;
            if !members.contains_key(&name) {
                self.try_member(asked, &name, members)?;
            }
        }
        if members.len() as u64 >= asked.least { Ok(()) } else { Err(Stuck::Contradiction) }
    }
}
