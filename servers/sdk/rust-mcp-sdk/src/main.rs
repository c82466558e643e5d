//! The smallest correct server on rust-mcp-sdk's macros.  `--http PORT`: Streamable HTTP at 127.0.0.1:PORT/mcp.
use std::{result::Result, sync::Arc};

use async_trait::async_trait;
use rust_mcp_axum::{AxumServerOptions, create_axum_server};
use rust_mcp_sdk::{
    McpServer, RequestContext as Context, ServerDetails, StdioTransport, ToMcpServerHandler, TransportOptions,
    macros::{JsonSchema, mcp_prompt, mcp_resource, mcp_resource_template, mcp_tool},
    mcp_server::{McpServerOptions, ServerHandler, server_runtime},
    schema::*,
    tool_box,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

type Page = Option<PaginatedRequestParams>;
type Reply<T = ServerResult> = Result<T, RpcError>;
type Runtime = Arc<dyn McpServer>;

const NOTES: [(&str, &str); 2] = [("one", "The first note."), ("two", "The second note.")];

#[mcp_tool(
    name = "echo",
    title = "Echo",
    description = "Returns the text that it is given, unchanged.",
    read_only_hint = true,
    open_world_hint = false
)]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Echo {
    /// What to say back
    text: String,
}

#[mcp_tool(
    name = "add",
    title = "Add",
    description = "Adds two numbers and returns their sum.",
    read_only_hint = true,
    open_world_hint = false
)]
#[derive(Debug, Deserialize, JsonSchema)]
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

#[mcp_tool(
    name = "fail",
    title = "Fail",
    description = "Always fails, to show how a failure of a tool is reported.",
    read_only_hint = true,
    open_world_hint = false
)]
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fail {}

tool_box!(Tools, [Echo, Add, Fail]);

#[mcp_prompt(
    name = "greet",
    title = "Greet",
    description = "Asks for a greeting.",
    messages = [(role = "user", content = "Write a short greeting for {name}.")]
)]
struct Greet {
    #[prompt_argument(description = "Whom to greet")]
    name: String,
}

#[mcp_resource(
    name = "note-one",
    title = "Note one",
    description = "The first note.",
    mime_type = "text/plain",
    uri = "note://one"
)]
struct NoteOne {}

#[mcp_resource_template(
    name = "note",
    title = "A note",
    description = "A note by its id.",
    mime_type = "text/plain",
    uri_template = "note://{id}"
)]
struct Note {}

struct Smallest;

fn invalid_params(message: &str) -> RpcError {
    RpcError::invalid_params().with_message(message)
}

/// Every list is one page, so no cursor is ever valid.
fn refuse_cursor(page: Page) -> Reply<()> {
    if page.is_some_and(|p| p.cursor.is_some()) { Err(invalid_params("unknown cursor")) } else { Ok(()) }
}

/// A complete result: the fields of its own, and those that every one of them has.
macro_rules! complete {
    ($result:ident { $($own:tt)* }) => {
        $result { $($own)*, result_type: "complete".into(), meta: None }
    };
    ($result:ident { $($own:tt)* }, $scope:ident) => {
        complete!($result { $($own)*, ttl_ms: 0, cache_scope: $scope::Public })
    };
}

#[async_trait]
impl ServerHandler for Smallest {
    async fn handle_list_tools_request(&self, page: Page, _: &Context, _: Runtime) -> Reply<ListToolsResult> {
        refuse_cursor(page)?;
        let mut tools = Tools::tools();
        for tool in &mut tools {
            // The macro can write neither of these.
            let input = tool.input_schema.extra.get_or_insert_default();
            input.insert("additionalProperties".into(), false.into());
            if tool.name == Add::tool_name() {
                tool.output_schema = Some(ToolOutputSchema { schema: None, extra: Some(Sum::json_schema()) });
            }
        }
        Ok(complete!(ListToolsResult { tools, next_cursor: None }, ListToolsResultCacheScope))
    }

    /// The SDK makes each error a result with isError, also the one that tool_box makes for an unknown tool.
    async fn handle_call_tool_request(
        &self,
        params: CallToolRequestParams,
        _: &Context,
        _: Runtime,
    ) -> Result<ServerResult, CallToolError> {
        let result = match Tools::try_from(params)? {
            Tools::Echo(Echo { text }) => CallToolResult::text_content(vec![text.into()]),
            Tools::Add(Add { a, b }) if (a + b).is_finite() => {
                let sum = json!(Sum { sum: a + b });
                let text = CallToolResult::text_content(vec![sum.to_string().into()]);
                CallToolResult { structured_content: Some(sum), ..text }
            }
            // JSON has no infinity.
            Tools::Add(_) => return Err(CallToolError::from_message("the sum is too large")),
            Tools::Fail(_) => return Err(CallToolError::from_message("this tool always fails")),
        };
        Ok(result.into())
    }

    async fn handle_list_prompts_request(&self, page: Page, _: &Context, _: Runtime) -> Reply<ListPromptsResult> {
        refuse_cursor(page)?;
        let prompts = vec![Greet::prompt()];
        Ok(complete!(ListPromptsResult { prompts, next_cursor: None }, ListPromptsResultCacheScope))
    }

    async fn handle_get_prompt_request(&self, params: GetPromptRequestParams, _: &Context, _: Runtime) -> Reply {
        match params.name.as_str() {
            Greet::PROMPT_NAME => Ok(Greet::from_arguments(params.arguments.as_ref())?.render().into()),
            _ => Err(invalid_params("unknown prompt")),
        }
    }

    async fn handle_list_resources_request(&self, page: Page, _: &Context, _: Runtime) -> Reply<ListResourcesResult> {
        refuse_cursor(page)?;
        let resources = vec![NoteOne::resource()];
        Ok(complete!(ListResourcesResult { resources, next_cursor: None }, ListResourcesResultCacheScope))
    }

    async fn handle_list_resource_templates_request(
        &self,
        page: Page,
        _: &Context,
        _: Runtime,
    ) -> Reply<ListResourceTemplatesResult> {
        use ListResourceTemplatesResultCacheScope as Scope;
        refuse_cursor(page)?;
        let resource_templates = vec![Note::resource_template()];
        Ok(complete!(ListResourceTemplatesResult { resource_templates, next_cursor: None }, Scope))
    }

    async fn handle_read_resource_request(&self, params: ReadResourceRequestParams, _: &Context, _: Runtime) -> Reply {
        let uri = params.uri;
        let Some((_, text)) = NOTES.iter().find(|(id, _)| uri.strip_prefix("note://") == Some(id)) else {
            return Err(invalid_params("Resource not found").with_data(Some(json!({ "uri": uri }))));
        };
        let mime_type = Some("text/plain".into());
        let contents = vec![TextResourceContents { text: text.to_string(), uri, mime_type, meta: None }.into()];
        Ok(complete!(ReadResourceResult { contents }, ReadResourceResultCacheScope).into())
    }

    async fn handle_complete_request(
        &self,
        params: CompleteRequestParams,
        _: &Context,
        _: Runtime,
    ) -> Reply<CompleteResult> {
        use CompleteRequestRef::{PromptReference, ResourceTemplateReference};
        let known = match (&params.ref_, params.argument.name.as_str()) {
            (PromptReference(p), "name") if p.name == Greet::PROMPT_NAME => vec!["Ada", "Alan", "Grace"],
            (ResourceTemplateReference(r), "id") if r.uri == Note::RESOURCE_URI_TEMPLATE => NOTES.map(|n| n.0).to_vec(),
            _ => return Err(invalid_params("unknown reference or argument")),
        };
        let typed = params.argument.value.to_lowercase();
        let fits = known.into_iter().filter(|v| v.to_lowercase().starts_with(&typed));
        let values: Vec<_> = fits.map(String::from).collect();
        let completion = CompleteResultCompletion { total: Some(values.len() as i64), has_more: Some(false), values };
        Ok(complete!(CompleteResult { completion }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server_details = ServerDetails {
        server_info: Implementation {
            name: "smallest-mcp-server".into(),
            version: "1.0.0".into(),
            ..Default::default()
        },
        capabilities: ServerCapabilities {
            tools: Some(ServerCapabilitiesTools { list_changed: Some(true) }), // they never do; it opens subscriptions
            prompts: Some(Default::default()),
            resources: Some(Default::default()),
            completions: Some(JsonObject(Default::default())),
            ..Default::default()
        },
        instructions: Some("Echoes, adds and greets.".into()),
        meta: None,
    };
    let handler = Smallest.to_mcp_server_handler();
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).map(String::as_str) == Some("--http") {
        // The SDK checks Host by itself; with a list of origins it also refuses every client that sends no Origin.
        let options = AxumServerOptions { port: args[2].parse()?, ..Default::default() };
        create_axum_server(server_details, handler, options).start().await?;
    } else {
        let transport = StdioTransport::new(TransportOptions::default())?;
        let options = McpServerOptions { server_details, transport, handler, message_observer: None };
        server_runtime::create_server(options).start().await?;
    }
    Ok(())
}
