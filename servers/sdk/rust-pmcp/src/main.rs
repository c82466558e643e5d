//! The smallest correct server on pmcp's typed tools.  `--http PORT`: Streamable HTTP at 127.0.0.1:PORT/mcp.
use pmcp::{
    CallToolResult, Content, Error, ErrorCode, GetPromptResult, ListResourcesResult, PromptHandler, PromptMessage,
    ReadResourceResult, RequestHandlerExtra, ResourceHandler, ResourceInfo, Server, ServerBuilder, ServerCapabilities,
    ToolHandler, ToolInfo, ToolOutput, TypedSyncTool, TypedToolWithOutput, async_trait,
    axum::{AllowedOrigins, RouterConfig, concurrent_router_with_config},
    server::schema_utils::normalize_schema,
    types::{
        PromptArgument, PromptInfo, ToolAnnotations,
        capabilities::LoggingCapabilities,
        completable::{
            CompletionProviderTrait, CompletionRequest, CompletionResponse, StaticCompletionProvider as Static,
        },
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};

const NOTES: [(&str, &str); 2] = [("note://one", "The first note."), ("note://two", "The second note.")];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EchoArgs {
    /// What to say back
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Add {
    /// The first number
    a: f64,
    /// The second number
    b: f64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    /// The sum of both numbers
    sum: f64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The typed tools have no title of their own, but annotations have one.
fn harmless(title: &str) -> ToolAnnotations {
    ToolAnnotations::new().with_title(title).with_read_only(true).with_open_world(false)
}

/// No typed tool: their text is JSON, and this one's is the plain text.  Arguments are refused as theirs are.
struct Echo;

#[async_trait]
impl ToolHandler for Echo {
    async fn handle(&self, args: Value, _: RequestHandlerExtra) -> pmcp::Result<Value> {
        let refused = |e| Error::tool_rejected(format!("Invalid arguments for tool 'echo': {e}"), None);
        let EchoArgs { text } = serde_json::from_value(args).map_err(refused)?;
        Ok(Value::String(text))
    }

    async fn handle_output(&self, args: Value, extra: RequestHandlerExtra) -> pmcp::Result<ToolOutput> {
        let text = self.handle(args, extra).await?;
        Ok(ToolOutput::Result(CallToolResult::new(vec![Content::text(text.as_str().unwrap_or_default())])))
    }

    fn metadata(&self) -> Option<ToolInfo> {
        let about = "Returns the text that it is given, unchanged.".to_string();
        let schema = normalize_schema(schemars::schema_for!(EchoArgs).to_value());
        Some(ToolInfo::with_annotations("echo", Some(about), schema, harmless("Echo")))
    }
}

struct Greet;

#[async_trait]
impl PromptHandler for Greet {
    async fn handle(&self, args: HashMap<String, String>, _: RequestHandlerExtra) -> pmcp::Result<GetPromptResult> {
        let Some(name) = args.get("name") else {
            return Err(Error::invalid_params("the argument 'name' is missing"));
        };
        let ask = PromptMessage::user(Content::text(format!("Write a short greeting for {name}.")));
        Ok(GetPromptResult::new(vec![ask], Some("Asks for a greeting.".into())))
    }

    fn metadata(&self) -> Option<PromptInfo> {
        let name = PromptArgument::new("name").with_description("Whom to greet").required();
        let greet = PromptInfo::new("greet").with_title("Greet").with_description("Asks for a greeting.");
        Some(greet.with_arguments(vec![name]))
    }
}

/// No template: pmcp answers resources/templates/list by itself, always with an empty list.
struct Notes;

#[async_trait]
impl ResourceHandler for Notes {
    async fn list(&self, cursor: Option<String>, _: RequestHandlerExtra) -> pmcp::Result<ListResourcesResult> {
        // There is one page, so no cursor is ever valid.
        if cursor.is_some() {
            return Err(Error::invalid_params("unknown cursor"));
        }
        let one = ResourceInfo::new("note://one", "note-one").with_title("Note one").with_mime_type("text/plain");
        Ok(ListResourcesResult::new(vec![one.with_description("The first note.")]))
    }

    async fn read(&self, uri: &str, _: RequestHandlerExtra) -> pmcp::Result<ReadResourceResult> {
        let Some((_, text)) = NOTES.iter().find(|(known, _)| *known == uri) else {
            return Err(Error::Protocol {
                code: ErrorCode::other(-32002),
                message: "Resource not found".into(),
                data: Some(json!({ "uri": uri })),
            });
        };
        Ok(ReadResourceResult::new(vec![Content::resource_with_text(uri, *text, "text/plain")]))
    }
}

struct Names;

#[async_trait]
impl CompletionProviderTrait for Names {
    async fn complete(&self, request: CompletionRequest) -> pmcp::Result<CompletionResponse> {
        let prompt = request.context.get("ref/prompt").map(String::as_str);
        if (prompt, request.argument.as_str()) != (Some("greet"), "name") {
            return Err(Error::invalid_params("unknown reference or argument"));
        }
        Static::from_strings(["Ada", "Alan", "Grace"].map(String::from).to_vec()).complete(request).await
    }
}

fn server() -> pmcp::Result<Server> {
    // pmcp declares what is registered below; it answers logging/setLevel by itself, but does not declare it.
    let mut can = ServerCapabilities::default();
    can.logging = Some(LoggingCapabilities::default());
    let add = TypedToolWithOutput::new("add", |Add { a, b }: Add, _| {
        Box::pin(async move {
            let sum = a + b;
            // JSON has no infinity.
            if sum.is_finite() { Ok(Sum { sum }) } else { Err(Error::tool_rejected("the sum is too large", None)) }
        })
    });
    let fail = TypedSyncTool::new("fail", |_: Nothing, _| Err(Error::tool_rejected("this tool always fails", None)));
    ServerBuilder::new()
        .name("smallest-mcp-server")
        .version("1.0.0")
        .capabilities(can)
        .tool("echo", Echo)
        .tool("add", add.with_description("Adds two numbers and returns their sum.").with_annotations(harmless("Add")))
        .tool(
            "fail",
            fail.with_description("Always fails, to show how a failure of a tool is reported.")
                .with_annotations(harmless("Fail")),
        )
        .prompt("greet", Greet)
        .resources(Notes)
        .completions(Names)
        .build()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).map(String::as_str) == Some("--http") {
        let port: u16 = args[2].parse()?;
        // pmcp takes any port of a host that is listed here.
        let origins = vec![format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")];
        let allowed_origins = Some(AllowedOrigins::explicit(origins));
        let config = RouterConfig { allowed_origins, ..RouterConfig::default() };
        let mcp = concurrent_router_with_config(Arc::new(server()?), config);
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        axum::serve(listener, axum::Router::new().nest("/mcp", mcp)).await?;
    } else {
        server()?.run_stdio().await?;
    }
    Ok(())
}
