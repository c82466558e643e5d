//! `compare-crates noson|json_schema_fuzz`: JSON Lines of `{"schema": .., "each": N}` on standard input; for each a line
//! `{"instances": [..]}` on standard output.

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

const TIME: Duration = Duration::from_secs(5);

fn main() {
    let which = std::env::args().nth(1).expect("noson or json_schema_fuzz");
    std::panic::set_hook(Box::new(|_| {}));
    for line in std::io::stdin().lock().lines() {
        let asked = line.expect("UTF-8").parse::<Value>().expect("JSON");
        let (which, each) = (which.clone(), asked["each"].as_u64().unwrap_or(50) as usize);
        let worker = std::thread::Builder::new().stack_size(64 << 20);
        let drawn = worker.spawn(move || draw(&which, &asked["schema"], each)).expect("a thread").join();
        let instances = drawn.unwrap_or_default();
        println!("{}", json!({"instances": instances}));
        std::io::stdout().flush().expect("a reader");
    }
}

fn draw(which: &str, schema: &Value, each: usize) -> Vec<Value> {
    let (mut rng, began, mut found) = (StdRng::seed_from_u64(1), Instant::now(), Vec::new());
    let document = json_schema_ast::SchemaDocument::from_json(schema).ok();
    for _ in 0..each {
        let drawn = match which {
            "noson" => noson::generate(schema, &mut rng).ok(),
            _ => document.as_ref().and_then(|document| {
                let config = json_schema_fuzz::GenerationConfig::default();
                json_schema_fuzz::ValueGenerator::generate(document, config, &mut rng).ok()
            }),
        };
        found.extend(drawn);
        if found.is_empty() || began.elapsed() > TIME {
            break;
        }
    }
    found
}
