//! The integration tests of the command, in one binary: linking is what a test binary costs.

#[cfg(unix)]
mod bad_programs;
mod bad_urls;
mod bad_usage;
mod baseline;
mod beginnings;
mod changes;
mod commands;
mod connections;
mod credentials;
mod docs;
mod environment;
mod fails_closed;
mod fetching;
mod generate;
mod harmless;
mod hosts;
mod http_recordings;
#[cfg(unix)]
mod interrupted;
mod links;
#[cfg(target_os = "linux")]
mod memory;
mod modules;
mod packaging;
mod readme;
mod recordings;
mod reports_folder;
mod run;
mod seen;
mod selftest;
mod shrunk;
mod sources;
mod stored;
mod stream_urls;
mod support;
mod whose;
