//! Faults and bugs, found by name.

use std::collections::BTreeSet;

use crate::bugs::{Bugs, bugs};
use crate::core::Interceptor;
use crate::deviation::Deviation;
use crate::faults::{Active, Fault, faults};
use crate::http;
use crate::settings::{Options, UnknownName};

/// Faults and bugs of a server.
pub(super) struct Faults {
    faults: Vec<&'static Fault>,
    bugs: Vec<&'static str>,
}

impl Faults {
    pub(super) fn find(options: &Options) -> Result<Self, UnknownName> {
        let faults = options.faults.iter().map(|name| find_fault(name)).collect::<Result<_, _>>()?;
        let bugs = options.bugs.iter().map(|name| find_bug(name)).collect::<Result<_, _>>()?;
        Ok(Self { faults, bugs })
    }

    /// Whether only a server that asks for authorization can show them.
    pub(super) fn need_auth(&self) -> bool {
        self.faults.iter().any(|fault| fault.needs_auth())
    }

    pub(super) fn deviations(&self) -> BTreeSet<Deviation> {
        self.faults.iter().flat_map(|fault| fault.deviations()).collect()
    }

    pub(super) fn interceptors(&self) -> Vec<Box<dyn Interceptor>> {
        let mut interceptors: Vec<Box<dyn Interceptor>> = Vec::new();
        if !self.faults.is_empty() {
            interceptors.push(Box::new(Active::new(&self.faults)));
        }
        if !self.bugs.is_empty() {
            interceptors.push(Box::new(Bugs::new(self.bugs.clone())));
        }
        interceptors
    }

    pub(super) fn of_http(&self) -> Option<Box<dyn http::Interceptor>> {
        (!self.faults.is_empty()).then(|| Box::new(Active::new(&self.faults)) as Box<dyn http::Interceptor>)
    }
}

fn find_fault(name: &str) -> Result<&'static Fault, UnknownName> {
    let (id, variant) = name.split_once('/').map_or((name, None), |(id, variant)| (id, Some(variant)));
    faults()
        .find(|fault| fault.id == id && fault.variant == variant.unwrap_or_default())
        .or_else(|| faults().find(|fault| fault.id == id && variant.is_none()))
        .ok_or_else(|| UnknownName::new("fault", name, faults().map(Fault::name)))
}

fn find_bug(name: &str) -> Result<&'static str, UnknownName> {
    let found = bugs().iter().find(|bug| bug.name == name).map(|bug| bug.name);
    found.ok_or_else(|| UnknownName::new("bug", name, bugs().iter().map(|bug| bug.name.to_owned())))
}
