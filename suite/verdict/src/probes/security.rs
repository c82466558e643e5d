//! Probes of security over HTTP, sent by outsiders, in sessions that no other rule looks at.

macro_rules! security {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "security" "Security over HTTP, sent by outsiders, in sessions that no other rule looks at" {
            /// A request with an Origin header, or a control without. `kind` is `control`, `foreign`, `lookalike`,
            /// `rebinding` (Host and Origin name the same foreign site), `null`, `malformed`, `empty`, `twice`,
            /// `own`, `host` (a foreign Host and no Origin) or `simple` (a Content-Type that browsers send without
            /// asking). `form` says which of several.
            Origin = "origin" needs [Kind] may [Form];
            /// OPTIONS from a foreign page.
            Preflight = "preflight";
            /// The opening request on another address of this machine. `credential` says whether with the user's.
            Beyond = "beyond" needs [Credential];
            /// No message: what the server's URL tells.
            Target = "target" needs [Loopback Https];
            /// An ordinary request of the second user.
            UserLetIn = "user-let-in";
            /// A request for a resource that only the first user may read. `who` is `first` or `second`.
            PrivateResource = "private-resource" needs [Who Uri];
            /// The same request of two users. `who` is `first`, `second` or, once more, `again`; `of` and `page`
            /// say which belong together.
            UserCompared = "user-compared" needs [Who Of Page];
        }}
    };
}
