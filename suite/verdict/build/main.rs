//! Turns the catalogue (`requirements/*.toml`), the fixes for SDKs (`sdks/fixes.toml`) and the list of probes (`probes/*.toml`) into
//! static tables and enums, so that running costs no parsing, and a mistake in them stops the build.

#![allow(clippy::print_stdout, reason = "Cargo reads the standard output of a build script")]

mod catalogue;
mod probes;
mod sdks;
mod tables;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let write = |name: &str, code: String| fs::write(out.join(name), code).expect("OUT_DIR is writable");
    write("catalogue.rs", catalogue::generate(&tables::files("requirements")));
    write("sdks.rs", sdks::generate(std::path::Path::new("sdks/fixes.toml")));
    let probes = probes::generate(&tables::files("probes"));
    write("probes.rs", probes.tables);
    write("values.rs", probes.values);
}
