//! Probes about tools.

macro_rules! tools {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "tools" "Tools" {
            /// A call of a listed tool whose arguments satisfy its inputSchema, checked before sending. With
            /// `case` it is a generated one.
            ValidCall = "valid-call" needs [Tool] may [Case Boundary Again Step Minimal Alone];
            /// A call whose arguments break one `keyword` of the inputSchema, checked before sending. `at` is a
            /// pointer into the arguments. `firm` is true if nothing lenient could make it right (a required
            /// property is missing, an object stands where a scalar must). Generated calls have `case`, and
            /// `schema` is the pointer of the schema in which the keyword stands.
            InvalidCall = "invalid-call" needs [Tool Keyword At Firm] may [Case Schema Boundary Again Step Minimal Alone];
            /// A call without an `arguments` member of a tool that requires none.
            CallWithoutArguments = "call-without-arguments" needs [Tool];
            /// No message: what was generated for a tool. `unreached` lists what could not be tried and `stopped`
            /// says why it ended early.
            GeneratedTool = "generated-tool" needs [Tool] may [Unreached Stopped Kind];
            /// No message: the tools that safety kept from being called.
            ToolsHeldBack = "tools-held-back" needs [Names];
            /// No message: no valid arguments were found for `tool`.
            ToolsWithoutArguments = "tools-without-arguments" needs [Tool Why];
            /// A call of a name that is on no page of `tools/list`. `kind` is `random` (an ordinary name), `empty`
            /// or `long`.
            UnknownTool = "unknown-tool" needs [Kind];
            /// A call of the read-only `tool` under its name with the case of its letters swapped, a name that is
            /// not listed.
            CaseSwappedTool = "case-swapped-tool" needs [Tool];
            /// A call without a name.
            CallMissingName = "call-missing-name";
            /// A call without params.
            CallMissingParams = "call-missing-params";
            /// A call whose name is no string. `kind` is `number`, `null`, `object` or `array`.
            CallNameNotString = "call-name-not-string" needs [Kind];
            /// A call of a known tool whose arguments are no object. `kind` is `array`, `string`, `number` or
            /// `boolean`.
            CallArgumentsNotObject = "call-arguments-not-object" needs [Kind Tool];
            /// A read of the uri of a resource_link in a tool result.
            LinkFetch = "link-fetch";
            /// A read of the uri of an embedded resource in a tool result.
            EmbeddedFetch = "embedded-fetch";
            /// A `tools/call` with `task` whose arguments a `valid-call` of the same session uses as well.
            TaskCall = "task-call" needs [Tool];
            /// The call that gives a handle for a state that a tool keeps. `field` is where it stands.
            HandleMade = "handle-made" needs [Field Tool];
            /// The call that takes a handle. `who` is `own`, `unknown`, `nobody` (no credential) or `second`
            /// (another user's); `told` is true if the user named the tools.
            HandleUsed = "handle-used" needs [Who Told Tool];
            /// An ordinary request of the other user.
            SecondLetIn = "second-let-in";
            /// An ordinary request without a credential.
            NobodyLetIn = "nobody-let-in";
            /// No message: the input schema as its author wrote it, from the configuration.
            SchemaTold = "schema-told" needs [Tool Schema];
            /// A `tools/list` without params.
            ToolsListBare = "tools-list-bare";
            /// A `tools/list` or `tools/call` although tools are not declared.
            ToolsUndeclared = "tools-undeclared";
        }}
    };
}
