//! A build without faults and bugs: it knows none by name, and its server has none.

use std::collections::BTreeSet;

use crate::core::Interceptor;
use crate::deviation::Deviation;
use crate::http;
use crate::settings::{Options, UnknownName};

/// Nothing that a server could do wrong.
pub(super) struct Faults;

impl Faults {
    pub(super) fn find(options: &Options) -> Result<Self, UnknownName> {
        for (kind, names) in [("fault", &options.faults), ("bug", &options.bugs)] {
            if let Some(name) = names.first() {
                return Err(UnknownName::new(kind, name, std::iter::empty()));
            }
        }
        Ok(Self)
    }

    pub(super) fn need_auth(&self) -> bool {
        false
    }

    pub(super) fn deviations(&self) -> BTreeSet<Deviation> {
        BTreeSet::new()
    }

    pub(super) fn interceptors(&self) -> Vec<Box<dyn Interceptor>> {
        Vec::new()
    }

    pub(super) fn of_http(&self) -> Option<Box<dyn http::Interceptor>> {
        None
    }
}
