//! The smallest correct server on rmcp's macros.  `--http PORT`: Streamable HTTP at 127.0.0.1:PORT/mcp.
#![allow(deprecated)] // logging is, since 2026-07-28; older clients still ask for it
use rmcp::{
    ErrorData, Json, RoleServer, ServerHandler, ServiceExt,
    handler::server::wrapper::Parameters,
    model::*,
    prompt, prompt_handler, prompt_router,
    service::RequestContext,
    tool, tool_handler, tool_router,
    transport::{
        stdio,
        streamable_http_server::{
            StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
        },
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const NOTES: [(&str, &str); 2] = [("one", "The first note."), ("two", "The second note.")];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Echo {
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
struct Greet {
    /// Whom to greet
    name: String,
}

#[derive(Clone)]
struct Smallest;

#[tool_router]
impl Smallest {
    #[tool(
        title = "Echo",
        description = "Returns the text that it is given, unchanged.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(
        title = "Add",
        description = "Adds two numbers and returns their sum.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Result<Json<Sum>, String> {
        let sum = a + b;
        // JSON has no infinity.
        if sum.is_finite() { Ok(Json(Sum { sum })) } else { Err("the sum is too large".into()) }
    }

    #[tool(
        title = "Fail",
        description = "Always fails, to show how a failure of a tool is reported.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    fn fail(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text("this tool always fails")])
    }
}

#[prompt_router]
impl Smallest {
    #[prompt(title = "Greet", description = "Asks for a greeting.")]
    async fn greet(&self, Parameters(Greet { name }): Parameters<Greet>) -> Vec<PromptMessage> {
        vec![PromptMessage::new_text(Role::User, format!("Write a short greeting for {name}."))]
    }
}

/// Every list is one page, so no cursor is ever valid.
fn refuse_cursor(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|r| r.cursor) {
        Some(_) => Err(ErrorData::invalid_params("unknown cursor", None)),
        None => Ok(()),
    }
}

/// 2026-07-28 wants caching hints, which rmcp leaves to handlers that are not made by its macros.
fn caching(context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
    let wanted = context.protocol_version().is_some_and(|v| v >= ProtocolVersion::V_2026_07_28);
    (wanted.then_some(0), wanted.then_some(CacheScope::Public))
}

#[tool_handler]
#[prompt_handler]
impl ServerHandler for Smallest {
    fn get_info(&self) -> InitializeResult {
        let can =
            ServerCapabilities::builder().enable_tools().enable_tool_list_changed().enable_prompts().enable_resources();
        InitializeResult::new(can.enable_completions().enable_logging().build())
            .with_server_info(Implementation::new("smallest-mcp-server", "1.0.0"))
            .with_instructions("Echoes, adds and greets.")
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        refuse_cursor(request)?;
        let (ttl_ms, cache_scope) = caching(&context);
        let one = Resource::new("note://one", "note-one").with_title("Note one").with_mime_type("text/plain");
        let all = ListResourcesResult::with_all_items(vec![one.with_description("The first note.")]);
        Ok(ListResourcesResult { ttl_ms, cache_scope, ..all })
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        refuse_cursor(request)?;
        let (ttl_ms, cache_scope) = caching(&context);
        let note = ResourceTemplate::new("note://{id}", "note").with_title("A note").with_mime_type("text/plain");
        let all = ListResourceTemplatesResult::with_all_items(vec![note.with_description("A note by its id.")]);
        Ok(ListResourceTemplatesResult { ttl_ms, cache_scope, ..all })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let id = request.uri.strip_prefix("note://");
        let Some((_, text)) = NOTES.iter().find(|(known, _)| id == Some(known)) else {
            // rmcp makes this -32602 for 2026-07-28.
            let uri = serde_json::json!({ "uri": request.uri });
            return Err(ErrorData::resource_not_found("Resource not found", Some(uri)));
        };
        let text = ResourceContents::text(*text, &request.uri).with_mime_type("text/plain");
        let mut result = ReadResourceResult::new(vec![text]);
        (result.ttl_ms, result.cache_scope) = caching(&context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let known = match (&request.r#ref, request.argument.name.as_str()) {
            (Reference::Prompt(p), "name") if p.name == "greet" => vec!["Ada", "Alan", "Grace"],
            (Reference::Resource(r), "id") if r.uri == "note://{id}" => NOTES.map(|(id, _)| id).to_vec(),
            _ => return Err(ErrorData::invalid_params("unknown reference or argument", None)),
        };
        let typed = request.argument.value.to_lowercase();
        let fits = known.into_iter().filter(|v| v.to_lowercase().starts_with(&typed)).map(String::from);
        let all = CompletionInfo::with_all_values(fits.collect()).map_err(|e| ErrorData::internal_error(e, None))?;
        Ok(CompleteResult::new(all))
    }

    /// Its tools never change; who asks is told so by a subscription that stays open, which rmcp does by itself.
    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    /// The server has nothing to log, so there is nothing to filter.
    async fn set_level(&self, _: SetLevelRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.get(1).map(String::as_str) == Some("--http") {
        let port: u16 = args[2].parse()?;
        // rmcp checks Host by itself, Origin only against a list.
        let origins = [format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")];
        let config = StreamableHttpServerConfig::default().with_allowed_origins(origins);
        let service = StreamableHttpService::new(|| Ok(Smallest), LocalSessionManager::default().into(), config);
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
        axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    } else {
        Smallest.serve(stdio()).await?.waiting().await?;
    }
    Ok(())
}
