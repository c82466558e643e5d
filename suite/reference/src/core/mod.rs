//! The sans-io core: bytes of a payload in, outputs out. It knows no sockets, no threads and no clock.

mod call;
mod connection;
mod dispatch;
mod emit;
mod era;
mod errands;
mod incoming;
mod output;
mod server;
mod tasks;

pub(crate) use call::{Call, Reply};
pub use connection::Connection;
pub(crate) use connection::{Asked, Listen, Session, What};
pub(crate) use emit::{About, Kind};
pub(crate) use era::{VERSION, looks_modern};
pub(crate) use incoming::Unusual;
pub use output::{Action, Output, Stream};
pub use server::{Server, Transport};
pub(crate) use tasks::{RELATED, Task, has_tasks};
