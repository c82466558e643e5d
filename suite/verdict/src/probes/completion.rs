//! Probes about completions.

macro_rules! completion {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "completion" "Completions" {
            /// A completion of an argument of a listed prompt. `value` is `empty` or `typed`.
            CompletePrompt = "complete-prompt" needs [Value];
            /// A completion of a variable of a listed resource template. `value` is `empty` or `typed`.
            CompleteTemplate = "complete-template" needs [Value];
            /// A completion whose reference carries a title as well. The rules about the shape of every answer
            /// judge it.
            CompleteTitled = "complete-titled" (background);
            /// A completion of a listed reference. `kind` is `given` (with the other arguments as context),
            /// `empty`, `no-arguments` or `none` (without a context).
            CompleteContext = "complete-context" needs [Kind];
            /// A completion although the capability is not declared. `kind` is `offered` (of a listed prompt or
            /// template) or `random` (there is none).
            CompleteUndeclared = "complete-undeclared" needs [Kind];
            /// A completion of a reference of an unknown type. `kind` is `other`, `missing` or `string`.
            CompleteUnknownType = "complete-unknown-type" needs [Kind];
            /// A completion that lacks something. `kind` is `argument`, `name` or `value`.
            CompleteArgumentMissing = "complete-argument-missing" needs [Kind];
            /// A completion with a member of the wrong type. `kind` is `value` or `name`.
            CompleteArgumentWrongType = "complete-argument-wrong-type" needs [Kind];
            /// A completion of a prompt that is not listed.
            CompleteUnknownPrompt = "complete-unknown-prompt";
            /// A completion of a resource template that is not listed.
            CompleteUnknownTemplate = "complete-unknown-template";
            /// A completion of an argument that the prompt or template does not have.
            CompleteUnknownArgument = "complete-unknown-argument";
            /// A completion with a hostile string as value: any answer is allowed. `kind` is `long`, `control` or
            /// `traversal`.
            CompleteHostile = "complete-hostile" needs [Kind];
            /// A completion with a generated value.
            GeneratedCompletion = "generated-completion" needs [Subject Kind Case] may [Boundary Again Step Minimal Alone];
        }}
    };
}
