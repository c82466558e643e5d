//! Probes of authorization over HTTP, sent by outsiders, in sessions that no other rule looks at.

macro_rules! auth {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "auth" "Authorization over HTTP, sent by outsiders, in sessions that no other rule looks at" {
            /// A request without a credential. `request` is `opening` (`initialize` or `server/discover`),
            /// `listing` (`tools/list`, where the opening is served), `call`, `tools/list`, `unknown-method`,
            /// `unknown-tool`, `invalid-opening`, `invalid-call`, `GET` or `DELETE`.
            AuthBare = "auth-bare" needs [Request];
            /// The same request with another credential. `token` is `random`, `truncated`, `alg-none`, `basic`,
            /// `forged-hs256`, `forged-es256`, `forged-rs256` or `foreign-issuer`, or a good one: `valid`,
            /// `lower-case`, `expired`, `other-audience`, `no-audience` or `upper-case-audience`.
            AuthToken = "auth-token" needs [Token];
            /// A request whose Authorization header cannot be read. `kind` is `empty`, `twice` or `control`.
            AuthMalformed = "auth-malformed" needs [Kind];
            /// A request with the token in the query string. `token` is `random` or `valid`.
            AuthQuery = "auth-query" needs [Token];
            /// A request without a credential in a session that began with one. `request` is as for `auth-bare`.
            AuthInSession = "auth-in-session" needs [Request];
            /// A request with another user's token in a session that began with the first user's.
            AuthOtherUser = "auth-other-user";
            /// A GET of the protected resource metadata. `place` is `challenge`, `path` or `root`, `endpoint` the
            /// URL of the server as clients know it; `stated` is true if the user configured that URL.
            AuthMetadata = "auth-metadata" needs [Place Endpoint Stated];
            /// The same GET as `auth-metadata`, sent as from a web page.
            AuthMetadataCors = "auth-metadata-cors" needs [Place Endpoint Stated];
            /// A GET of the authorization server's metadata at the root of the server's own host (2025-03-26).
            AuthServer = "auth-server" needs [Endpoint];
            /// A GET of the metadata of an authorization server that the protected resource metadata names. `kind`
            /// is `oauth` or `openid`.
            AuthIssuer = "auth-issuer" needs [Issuer Kind];
            /// A request to an endpoint at its default path (2025-03-26). `endpoint` is `authorize` or `token`.
            AuthFallback = "auth-fallback" needs [Endpoint];
            /// An authorization request of an unknown client with a foreign redirect URI (2025-03-26).
            AuthRedirect = "auth-redirect";
            /// A client registration (2025-03-26). `kind` is `good`, or `http` for a redirect URI that is neither
            /// HTTPS nor localhost.
            AuthRegister = "auth-register" needs [Kind];
            /// An authorization request without a PKCE challenge (2025-03-26).
            AuthPkce = "auth-pkce";
            /// A call that needs a broader scope. `token` is `full`, `lesser`, `granted` or `broader`; `round`
            /// counts.
            AuthScope = "auth-scope" needs [Token Round Tool];
            /// No message: the user states that the server follows the authorization page.
            AuthStated = "auth-stated";
            /// No message: the user configured a credential.
            AuthGiven = "auth-given";
            /// No message: a document was not fetched because it belongs to another party. `what` is the intent of
            /// the GET that was left out.
            AuthElsewhere = "auth-elsewhere" needs [What];
        }}
    };
}
