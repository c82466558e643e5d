//! The sans-io core: bytes of a payload in, outputs out. It knows no sockets, no threads and no clock.

mod call;
mod client_tasks;
mod connection;
mod dispatch;
mod emit;
mod era;
mod incoming;
mod interceptor;
mod log;
mod notify;
mod outbox;
mod output;
mod page;
mod requests;
mod schedule;
mod server;
mod service;
mod task_deviations;
mod tasks;
mod toolbox;

pub(crate) use call::{Call, Reply, failure};
pub use connection::Connection;
pub(crate) use connection::{Listen, SUBSCRIPTION_ID, Session};
pub(crate) use emit::{About, Kind};
pub(crate) use era::{VERSION, looks_modern};
pub(crate) use incoming::Unusual;
pub(crate) use interceptor::{Edits, Ended, Interceptor, Line, Made, Payload};
pub(crate) use log::LEVELS;
pub use output::{Action, Output, Stream};
pub(crate) use page::{Page, cursor, offset, page};
pub(crate) use schedule::What;
pub use server::{Server, Transport};
pub(crate) use service::Service;
pub(crate) use tasks::{RELATED, capability as tasks_capability, has_tasks};
pub(crate) use toolbox::{EXTRA, Entry, TOGGLE, TOGGLES, Toolbox};
