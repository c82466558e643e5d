//! Probes about requests of the server during calls.

macro_rules! sampling {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "sampling" "Requests of the server during calls" {
            /// A call while the client supports only one mode of elicitation. Rules read the server's requests.
            AskedInMode = "asked-in-mode" (background);
            /// A call while the client supports tools in sampling, or does not. Rules read the server's requests.
            SampledWithTools = "sampled-with-tools" (background);
        }}
    };
}
