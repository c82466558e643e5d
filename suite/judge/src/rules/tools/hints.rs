//! Good practice that falls off on the way: hints that do not contradict each other, media that are what they say.

use base64::Engine as _;
use serde_json::Value;

use super::lists;
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/hints",
    judges: &["tools.annotations.no-contradiction", "tools.content.media-matches-mime"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for tool in lists::all(view) {
        if tool.definition["annotations"]["readOnlyHint"] == true {
            let contradicts = tool.definition["annotations"]["destructiveHint"] == true;
            collector.check("tools.annotations.no-contradiction", !contradicts, || {
                let message =
                    "A tool declares both that it changes nothing and that it is destructive: clients cannot know which to believe.";
                tool.finding("/annotations", message, "readOnlyHint true without destructiveHint true", "both true")
            });
        }
    }
    for case in view.calls("tools/call").filter(Case::is_decided) {
        for block in case.result().and_then(|result| result["content"].as_array()).into_iter().flatten() {
            check_media(&case, block, collector);
        }
    }
}

/// Names of a kind of file and how its bytes begin; `None` of them known: nothing can be said.
const MAGIC: [(&[&str], &[u8]); 8] = [
    (&["image/png"], b"\x89PNG\r\n\x1a\n"),
    (&["image/jpeg", "image/jpg"], b"\xff\xd8\xff"),
    (&["image/gif"], b"GIF8"),
    (&["image/webp"], b"RIFF"),
    (&["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"], b"RIFF"),
    (&["audio/ogg", "audio/opus", "audio/vorbis"], b"OggS"),
    (&["audio/flac", "audio/x-flac"], b"fLaC"),
    (&["image/bmp"], b"BM"),
];

fn check_media(case: &Case<'_>, block: &Value, collector: &mut Collector) {
    const ID: &str = "tools.content.media-matches-mime";
    let kind = block["type"].as_str().filter(|kind| matches!(*kind, "image" | "audio"));
    let (Some(kind), Some(mime), Some(data)) = (kind, block["mimeType"].as_str(), block["data"].as_str()) else {
        return;
    };
    let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(data) else { return };
    let mime = mime.split(';').next().unwrap_or(mime).trim().to_ascii_lowercase();
    let known = MAGIC.iter().find(|(names, _)| names.contains(&mime.as_str()));
    let begins = known.is_none_or(|(_, magic)| bytes.starts_with(magic));
    collector.check(ID, mime.starts_with(&format!("{kind}/")) && begins, || {
        let message = "An image or sound in a result does not match its mimeType, so clients cannot show or play it.";
        let mut finding = case.finding(message, format!("{kind} bytes of the declared type"));
        finding.actual = format!("{kind} item, mimeType {mime}, with other bytes or another kind");
        finding
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    #[test]
    fn a_read_only_tool_does_not_destroy() {
        const ID: &str = "tools.annotations.no-contradiction";
        let with = |annotations: Value| {
            let tool = json!({"name": "a", "inputSchema": {"type": "object", "additionalProperties": false}, "annotations": annotations});
            Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain(
                "tools/list",
                json!({}),
                json!({"result": {"tools": [tool]}}),
            )
        };
        assert_eq!(with(json!({"readOnlyHint": true, "destructiveHint": true})).fails(), [ID]);
        assert_eq!(
            with(json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true})).status_of(ID),
            Status::Pass
        );
        assert_eq!(with(json!({"destructiveHint": true})).status_of(ID), Status::NotObserved);
    }

    #[test]
    fn media_are_what_they_say() {
        const ID: &str = "tools.content.media-matches-mime";
        let with = |kind: &str, mime: &str, data: &str| {
            let result = json!({"content": [{"type": kind, "mimeType": mime, "data": data}]});
            Script::new(Revision::V2025_11_25, json!({"tools": {}})).plain(
                "tools/call",
                json!({"name": "a"}),
                json!({"result": result}),
            )
        };
        assert_eq!(with("image", "image/png", "iVBORw0KGgo=").status_of(ID), Status::Pass);
        assert_eq!(with("image", "image/x-unheard-of", "AAAA").status_of(ID), Status::Pass);
        assert_eq!(with("image", "image/png", "/9j/4AA=").fails(), [ID]);
        assert_eq!(with("image", "audio/wav", "UklGRg==").fails(), [ID]);
    }
}
