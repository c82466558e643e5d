//! Draws instances as other generators do in `benches/compare`: JSON Lines of `{"schema": .., "dialect": .., "each": N}` on
//! standard input; for each a line `{"instances": [..]}` on standard output.
#![expect(clippy::print_stdout, reason = "a filter")]

use std::io::BufRead;

use mcp_conform_schema::{Dialect, Generator};
use serde_json::{Value, json};

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(asked) = line.parse::<Value>() else { continue };
        let dialect = asked["dialect"].as_str().and_then(Dialect::named).unwrap_or(Dialect::Draft202012);
        let each = asked["each"].as_u64().unwrap_or(50);
        let instances: Vec<Value> = Generator::new(&asked["schema"], dialect).map_or_else(
            |_| Vec::new(),
            |generator| (0..each).filter_map(|seed| generator.valid().draw(seed).ok()).collect(),
        );
        println!("{}", json!({"instances": instances}));
    }
}
