//! Prompts, resources and completions; and the methods that are left.

use serde_json::{Value, json};

use super::{Step, Talk, Tour};

impl Tour<'_> {
    pub(super) fn offers(&mut self, talk: &mut Talk) -> Step {
        let long = "x".repeat(11_000);
        let prompts = [
            json!({"name": "greeting", "arguments": {}}),
            json!({"name": "sound"}),
            json!({"name": "pointer"}),
            json!({"name": "none"}),
            json!({"arguments": {}}),
            json!({"name": "greeting", "arguments": "x"}),
            json!({"name": "postcard", "arguments": {"city": 5}}),
            json!({"name": "postcard", "arguments": {"city": long}}),
        ];
        let uris =
            ["memory://poem", "weather://Aarhus", "weather://Athens", "poem", "file:///notes", "file:///notes/../x"];
        let encoded = "file:///notes/%2e%2e%2fx";
        let prompt = json!({"type": "ref/prompt", "name": "postcard"});
        let template = json!({"type": "ref/resource", "uri": "weather://{city}"});
        let city = json!({"name": "city", "value": ""});
        let of = |reference: &Value, argument: Value| json!({"ref": reference, "argument": argument});
        let value = |value: &str| json!({"name": "city", "value": value});
        let nothing = "mcp-conform-no-such";
        let mut chosen = of(&prompt, city.clone());
        chosen["context"] = json!({"arguments": {"mood": "tired"}});
        let completions = [
            chosen,
            of(&template, city.clone()),
            of(&json!({"type": "ref/prompt", "name": nothing}), city.clone()),
            of(&json!({"type": "ref/resource", "uri": nothing}), city),
            of(&prompt, json!({"name": nothing, "value": ""})),
            of(&prompt, json!({"name": "city"})),
            of(&prompt, json!({"name": "city", "value": 5})),
            of(&prompt, value(&long)),
            of(&template, value("../../etc/pass")),
        ];
        for params in prompts {
            self.request(talk, "prompts/get", params)?;
        }
        for uri in uris.into_iter().chain([encoded, long.as_str()]) {
            self.request(talk, "resources/read", json!({"uri": uri}))?;
        }
        for params in completions {
            self.request(talk, "completion/complete", params)?;
        }
        let wanted = json!({"notifications": {"promptsListChanged": true, "resourcesListChanged": true}});
        self.request(talk, "subscriptions/listen", wanted)?;
        for (tool, method) in [("toggle_extra_prompt", "prompts/list"), ("toggle_extra_resource", "resources/list")] {
            self.request(talk, "tools/call", json!({"name": tool}))?;
            self.walk(talk, method)?;
            self.request(talk, "tools/call", json!({"name": tool}))?;
        }
        Ok(())
    }

    pub(super) fn others(&mut self, talk: &mut Talk) -> Step {
        let reference = json!({"type": "ref/prompt", "name": "postcard"});
        let argument = json!({"name": "city", "value": ""});
        let requests = [
            ("resources/read", json!({"uri": "memory://readme"})),
            ("resources/read", json!({"uri": "memory://pixel"})),
            ("resources/read", json!({"uri": "weather://Bern"})),
            ("resources/read", json!({"uri": "weather://%25"})),
            ("prompts/get", json!({"name": "wish", "arguments": {"for_whom": ""}})),
            ("prompts/get", json!({"name": "wish", "arguments": {"for_whom": "\u{1f600}"}})),
            ("completion/complete", json!({"ref": reference, "argument": {"name": "city", "value": "'"}})),
            ("completion/complete", json!({"ref": reference, "argument": {"name": "city", "value": "\""}})),
            ("resources/read", json!({"uri": "memory://gone"})),
            ("resources/read", json!({"uri": 5})),
            ("prompts/get", json!({"name": "postcard", "arguments": {"city": "Bern"}})),
            ("prompts/get", json!({"name": "picture"})),
            ("prompts/get", json!({"name": "summary"})),
            ("prompts/get", json!({"name": "postcard"})),
            ("prompts/get", json!({"name": []})),
            ("completion/complete", json!({"ref": reference, "argument": argument})),
            ("completion/complete", json!({"ref": {"type": "ref/tool", "name": "x"}, "argument": argument})),
            ("ping", json!({})),
            ("tasks/list", json!({})),
            ("tasks/result", json!({"taskId": "none"})),
            ("logging/setLevel", json!({"level": "debug"})),
            ("logging/setLevel", json!({"level": "loud"})),
            ("resources/subscribe", json!({"uri": "memory://counter"})),
            (
                "subscriptions/listen",
                json!({"notifications": {"toolsListChanged": true,
                "resourceSubscriptions": ["memory://counter"]}}),
            ),
            ("tools/call", json!({"name": "bump_counter"})),
            ("tools/call", json!({"name": "flash_extra"})),
            ("tools/call", json!({"name": "toggle_extra"})),
            ("server/discover", json!({})),
        ];
        for (method, params) in requests {
            self.request(talk, method, params)?;
        }
        self.walk(talk, "tools/list")?;
        self.request(talk, "tools/call", json!({"name": "toggle_extra"}))?;
        for method in ["no/such", "Tools/List", "sampling/createMessage", "roots/list", "shutdown"] {
            self.request(talk, method, json!({}))?;
        }
        self.request(talk, "notifications/cancelled", json!({"requestId": "none"}))?;
        for text in [r#""method":"notifications/unknown""#, r#""method":"tools/list""#] {
            self.raw(talk, format!(r#"{{"jsonrpc":"2.0",{text}}}"#).as_bytes())?;
        }
        Ok(())
    }
}
