//! Whose the findings of real servers are, against a table made by hand from the sources of the servers and their SDKs
//! (`by-hand.toml`; what each server broke is in the folder `servers`).

mod scoreboard;
mod server;

use analysis::sdks::by_wire;
use mcp_conform_analysis as analysis;
use server::{Server, servers};
use verdict::record::Origin;

/// How many of a hundred requirements the table and the program must agree on.
const AGREED: usize = 95;

/// SDKs without a profile: of what is built with them nothing can be said.
const UNKNOWN: [&str; 2] = ["golang:github.com/modelcontextprotocol/go-sdk", "none"];

/// What the hand and the program say of each failed requirement of which the hand is sure.
fn pairs() -> Vec<(String, Origin, Origin)> {
    let of_server = |server: &Server| {
        let sure = server.attributed().into_iter().filter_map(|entry| {
            let hand = server.by_hand(&entry.id)?;
            Some((format!("{} {}", server.id, entry.id), hand, entry.origin.unwrap_or_default()))
        });
        sure.collect::<Vec<_>>()
    };
    servers().iter().filter(|server| !UNKNOWN.contains(&server.package())).flat_map(of_server).collect()
}

#[test]
fn the_program_agrees_with_the_hand() {
    let pairs = pairs();
    let apart: Vec<_> = pairs.iter().filter(|(_, hand, program)| hand != program).collect();
    let agreed = pairs.len() - apart.len();
    assert!(agreed * 100 >= pairs.len() * AGREED, "{agreed} of {}: {apart:#?}", pairs.len());
}

#[test]
fn nothing_of_an_author_is_called_the_sdks() {
    let wrong: Vec<String> = pairs()
        .into_iter()
        .filter(|(_, hand, program)| (*hand, *program) == (Origin::Own, Origin::Sdk))
        .map(|(name, ..)| name)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_sdk_is_taken_for_another_by_what_it_breaks() {
    let named = |server: &Server| by_wire(&server.record()).map(|sdk| format!("{}:{}", sdk.registry, sdk.name));
    let all = servers();
    let wrong = |server: &&Server| named(server).is_some_and(|name| name != server.package());
    let wrong: Vec<&Server> = all.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let recognized = all.iter().filter(|server| named(server).is_some()).count();
    assert!(recognized >= 8, "only {recognized}");
}
