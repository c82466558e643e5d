//! Probes about resources.

macro_rules! resources {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "resources" "Resources" {
            /// A read of a listed uri.
            ResourceRead = "resource-read";
            /// A read of a uri that no list has and no listed template can make. `kind` is `known-scheme` (beside
            /// a listed resource) or `unknown-scheme`.
            ResourceMissing = "resource-missing" needs [Kind];
            /// A read without a uri.
            ResourceMissingUri = "resource-missing-uri" needs [Kind];
            /// A read whose uri is no string. `kind` is `number`, `null`, `object` or `array`.
            ResourceUriNotString = "resource-uri-not-string" needs [Kind];
            /// A read whose uri is malformed. `kind` is `empty`, `words`, `relative`, `absolute`, `nul` or `long`;
            /// none that a listed template can make.
            ResourceMalformedUri = "resource-malformed-uri" needs [Kind];
            /// A read of a uri that leads from a listed resource or a template by detours to `/etc/passwd`. `kind`
            /// is which detour.
            ResourceTraversal = "resource-traversal" needs [Kind];
            /// A read of `/etc/passwd` by its own `file:` uri. A server that gives the file when asked plainly
            /// serves the whole disk, which nothing forbids.
            ResourceOutside = "resource-outside";
            /// A read of a listed template, filled with values that the server's own completion gave.
            TemplateRead = "template-read" needs [Template];
            /// A read of a listed template filled with generated values. Rules read every request that has a
            /// `case`.
            GeneratedTemplate = "generated-template" needs [Subject Kind Case] may [Boundary Again Step Minimal Alone] (background);
            /// A `resources/list` without params.
            ResourcesListBare = "resources-list-bare";
            /// A `resources/templates/list` without params.
            TemplatesListBare = "templates-list-bare";
            /// A `resources/list` or `resources/read` although resources are not declared.
            ResourcesUndeclared = "resources-undeclared";
        }}
    };
}
