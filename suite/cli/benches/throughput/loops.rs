//! The least that a driver can do: requests over a pipe, so many in flight, and their answers counted.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

/// Requests in flight.
const AT_ONCE: u32 = 16;

type Anything<T> = Result<T, Box<dyn Error>>;

/// A server, and a session with it.
struct Pipe {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    line: String,
}

impl Pipe {
    fn open(words: &[String]) -> Anything<Self> {
        let (program, args) = words.split_first().ok_or("no program")?;
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let mut pipe = Self { child, stdin, stdout, line: String::new() };
        let client = json!({"name": "throughput", "version": "1"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        pipe.say(&json!({"jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params}).to_string())?;
        pipe.answer("open")?;
        pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
        Ok(pipe)
    }

    fn say(&mut self, text: &str) -> Anything<()> {
        let stdin = self.stdin.as_mut().ok_or("the server is gone")?;
        Ok(stdin.write_all(format!("{text}\n").as_bytes())?)
    }

    fn read(&mut self) -> Anything<()> {
        self.line.clear();
        if self.stdout.read_line(&mut self.line)? == 0 {
            return Err("the server ended".into());
        }
        Ok(())
    }

    /// Reads up to the answer to a request; the server may send other messages before it.
    fn answer(&mut self, id: &str) -> Anything<Value> {
        loop {
            self.read()?;
            let message: Value = serde_json::from_str(&self.line)?;
            if message["id"] == id && message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    fn close(mut self) -> Anything<()> {
        drop(self.stdin.take());
        self.child.wait()?;
        Ok(())
    }
}

/// The names of a server's tools.
pub(crate) fn names(server: &[String]) -> Anything<Vec<String>> {
    let mut pipe = Pipe::open(server)?;
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        pipe.say(&json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": params}).to_string())?;
        let page = pipe.answer("list")?;
        let tools = page["result"]["tools"].as_array().into_iter().flatten();
        names.extend(tools.filter_map(|tool| tool["name"].as_str().map(str::to_owned)));
        match page["result"].get("nextCursor") {
            Some(cursor) if !cursor.is_null() => params = json!({"cursor": cursor}),
            _ => break,
        }
    }
    pipe.close()?;
    Ok(names)
}

/// Pings a second: written, and a line for each awaited; nothing is parsed.
pub(crate) fn pings(server: &[String], count: u32) -> Anything<f64> {
    let mut pipe = Pipe::open(server)?;
    let ping = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let began = Instant::now();
    for id in 0..AT_ONCE.min(count) {
        pipe.say(&ping(id))?;
    }
    for id in AT_ONCE..count + AT_ONCE {
        pipe.read()?;
        if id < count {
            pipe.say(&ping(id))?;
        }
    }
    let elapsed = began.elapsed();
    pipe.close()?;
    Ok(f64::from(count) / elapsed.as_secs_f64())
}
