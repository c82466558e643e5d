//! Probes about prompts.

macro_rules! prompts {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "prompts" "Prompts" {
            /// A `prompts/get` of a listed prompt with everything it requires. `values` is `none` (it takes
            /// nothing), `told` (from the configuration or the server's completion) or `made` (made up).
            PromptGet = "prompt-get" needs [Values];
            /// A `prompts/get` without an `arguments` member.
            PromptGetBare = "prompt-get-bare";
            /// A `prompts/get` of a name that is on no page.
            PromptUnknown = "prompt-unknown";
            /// A `prompts/get` without the required `argument`.
            PromptMissingArgument = "prompt-missing-argument" needs [Argument] may [Subject Kind Case Boundary Keyword Firm At Schema Again Step Minimal Alone];
            /// A `prompts/get` without a name.
            PromptMissingName = "prompt-missing-name" needs [Kind];
            /// A `prompts/get` whose name is no string. `kind` is `number`, `null` or `object`.
            PromptNameNotString = "prompt-name-not-string" needs [Kind];
            /// A `prompts/get` with a required argument that is no string. `kind` is `number`, `object`, `array`
            /// or `null`.
            PromptArgumentNotString = "prompt-argument-not-string" needs [Kind];
            /// A `prompts/get` whose arguments are no object. `kind` is `string`, `array` or `null`.
            PromptArgumentsNotObject = "prompt-arguments-not-object" needs [Kind];
            /// A `prompts/get` with a hostile string: any answer is allowed. `kind` is `long` or `control`.
            PromptHostileArgument = "prompt-hostile-argument" needs [Kind];
            /// A `prompts/get` with generated strings for everything it requires.
            GeneratedPrompt = "generated-prompt" needs [Subject Kind Case] may [Boundary Again Step Minimal Alone];
            /// No message: what was generated for a prompt, a template or a completion. `unreached` lists what
            /// could not be tried and `stopped` says why it ended early.
            GeneratedSubject = "generated-subject" needs [Subject Kind Unreached] may [Stopped];
            /// A `prompts/list` without params.
            PromptsListBare = "prompts-list-bare";
            /// A `prompts/list` or `prompts/get` although prompts are not declared.
            PromptsUndeclared = "prompts-undeclared";
        }}
    };
}
