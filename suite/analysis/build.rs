//! Packs the profiles of SDKs (`sdks/REGISTRY/NAME/VERSION.toml`), which are much alike: as text they would be half a megabyte; and the table of
//! hosts (`hosts/*.toml`), which it reads: a wrong or unknown word there ends the build.

#![allow(clippy::print_stdout, reason = "Cargo reads the standard output of a build script")]

#[path = "src/hosts/table.rs"]
#[expect(dead_code, unreachable_pub, reason = "the build reads the table with these types, and asks them nothing")]
mod table;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() {
    profiles();
    hosts();
}

fn profiles() {
    println!("cargo::rerun-if-changed=sdks");
    let root = fs::canonicalize("sdks").expect("the folder of profiles is there");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut code = String::from("const KEPT: &[Kept] = &[\n");
    let (mut texts, mut from) = (DeflateEncoder::new(Vec::new(), Compression::best()), 0);
    for file in files {
        let place = file.strip_prefix(&root).expect("it lies there").with_extension("");
        // The version has dots too.
        let place = format!("{}", place.display()).replace('\\', "/");
        let (registry, rest) = place.split_once('/').expect("REGISTRY/NAME/VERSION.toml");
        let (name, version) = rest.rsplit_once('/').expect("REGISTRY/NAME/VERSION.toml");
        let text = fs::read(&file).expect("it is there");
        texts.write_all(&text).expect("a vector grows");
        let to = from + text.len();
        let names = format!("registry: {registry:?}, name: {name:?}, version: {version:?}");
        writeln!(code, "    Kept {{ {names}, text: ({from}, {to}) }},").expect("a string grows");
        from = to;
    }
    code.push_str("];\nconst TEXTS: &[u8] = include_bytes!(concat!(env!(\"OUT_DIR\"), \"/profiles.deflate\"));\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("profiles.rs"), code).expect("OUT_DIR is writable");
    fs::write(out.join("profiles.deflate"), texts.finish().expect("a vector grows")).expect("OUT_DIR is writable");
}

fn hosts() {
    println!("cargo::rerun-if-changed=hosts");
    println!("cargo::rerun-if-changed=src/hosts/table.rs");
    let mut files = Vec::new();
    collect(&fs::canonicalize("hosts").expect("the folder of hosts is there"), &mut files);
    files.sort();
    let mut all = table::Table::default();
    for file in files {
        let text = fs::read_to_string(&file).expect("it is there");
        let part: table::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        all.host.extend(part.host);
        all.fact.extend(part.fact);
    }
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    serde_json::to_writer(&mut packed, &all).expect("a vector grows");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("hosts.deflate"), packed.finish().expect("a vector grows")).expect("OUT_DIR is writable");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
}
