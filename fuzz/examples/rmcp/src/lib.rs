//! A small server, and a conversation with it in process: a line in, what it answers out.

use std::time::Duration;

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ServerCapabilities, ServerInfo};
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Runtime;

/// What `add` takes.
#[derive(Deserialize, JsonSchema)]
pub struct Summands {
    a: i64,
    b: i64,
}

/// What `add` gives.
#[derive(Serialize, JsonSchema)]
pub struct Sum {
    sum: i64,
}

/// What `echo` takes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Text {
    text: String,
}

/// The server.
#[derive(Clone)]
pub struct Calculator {
    tool_router: ToolRouter<Self>,
}

#[tool_router(router = tool_router)]
impl Calculator {
    #[tool(name = "add", description = "Adds two integers", annotations(read_only_hint = true))]
    async fn add(&self, numbers: Parameters<Summands>) -> Result<Json<Sum>, String> {
        let sum = numbers.0.a.checked_add(numbers.0.b).ok_or("the sum is too great")?;
        Ok(Json(Sum { sum }))
    }

    #[tool(name = "echo", description = "Gives a text back", annotations(read_only_hint = true))]
    async fn echo(&self, text: Parameters<Text>) -> String {
        text.0.text
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Calculator {
    fn get_info(&self) -> ServerInfo {
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
    }
}

/// The server with a client's ends of its pipes. Its clock stands still while it is at work and leaps when it is idle, so
/// that nothing is waited for.
pub struct Conversation {
    runtime: Runtime,
    input: WriteHalf<DuplexStream>,
    output: BufReader<ReadHalf<DuplexStream>>,
}

impl Default for Conversation {
    fn default() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.expect("a runtime without input and output");
        let (client, server) = tokio::io::duplex(1 << 20);
        let (output, input) = tokio::io::split(client);
        runtime.spawn(async move {
            let calculator = Calculator { tool_router: Calculator::tool_router() };
            if let Ok(running) = calculator.serve(tokio::io::split(server)).await {
                let _ = running.waiting().await;
            }
        });
        Self { runtime, input, output: BufReader::new(output) }
    }
}

impl Conversation {
    /// Everything that the server says to a line until it is idle.
    pub fn say(&mut self, line: &[u8]) -> Vec<Vec<u8>> {
        let Self { runtime, input, output } = self;
        runtime.block_on(async {
            if input.write_all(&[line, b"\n"].concat()).await.is_err() {
                return Vec::new();
            }
            let mut said = Vec::new();
            loop {
                let mut answer = Vec::new();
                match tokio::time::timeout(Duration::from_secs(1), output.read_until(b'\n', &mut answer)).await {
                    Ok(Ok(1..)) => said.push(answer.strip_suffix(b"\n").unwrap_or(&answer).to_vec()),
                    _ => return said,
                }
            }
        })
    }
}
