//! Secrets, which no report may show: values that a user has given, in every form in which a server may send them back.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use verdict::transcript::{Headers, Kind, REDACTED};

/// Headers whose values are secret whatever they are.
const HEADERS: [&str; 8] = [
    "authorization",
    "cookie",
    "set-cookie",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-auth-token",
    "x-goog-api-key",
];
/// Shorter values are in every other text.
const SHORTEST: usize = 4;
/// The shortest text that is searched for in Base64; the forms of a shorter one could occur by chance.
const CODED: usize = 8;

/// Values that are masked wherever they turn up.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    /// Longest first, so that no part is masked where the whole stands.
    forms: Vec<String>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secrets", self.forms.len())
    }
}

impl Secrets {
    /// Values of headers, and tokens by themselves.
    pub(crate) fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut forms: Vec<String> = values.into_iter().flat_map(parts).flat_map(|part| spellings(&part)).collect();
        forms.retain(|form| form.len() >= SHORTEST);
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self { forms }
    }

    /// One more value.
    pub(crate) fn learn(&mut self, value: &str) {
        if !self.forms.iter().any(|form| form == value) {
            let more = Self::new([value.to_owned()]);
            self.forms.extend(more.forms);
            self.forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            self.forms.dedup();
        }
    }

    /// Masks everything of an event in which a secret may stand.
    pub(crate) fn redact(&self, kind: &mut Kind) {
        match kind {
            Kind::Send(send) => {
                self.redact_headers(&mut send.headers);
                self.mask(&mut send.text);
                if let Some(path) = &mut send.path {
                    self.mask(path);
                }
                if let Some(probe) = &mut send.probe {
                    self.mask_value(&mut probe.about);
                }
            }
            Kind::Status { headers, .. } => self.redact_headers(headers),
            Kind::Receive(receive) => self.mask(&mut receive.text),
            Kind::Stderr { text, .. } => self.mask(text),
            Kind::Closed { fault: Some(fault), .. } => self.mask(fault),
            Kind::Probe(probe) => self.mask_value(&mut probe.about),
            _ => {}
        }
    }

    fn redact_headers(&self, headers: &mut Headers) {
        for (name, value) in headers {
            if Self::is_header(name) {
                REDACTED.clone_into(value);
            } else {
                self.mask(value);
            }
        }
    }

    /// Whether the value of a header is secret by its name.
    pub(crate) fn is_header(name: &str) -> bool {
        HEADERS.iter().any(|secret| name.eq_ignore_ascii_case(secret))
    }

    /// Puts [`REDACTED`] in place of every secret.
    pub(crate) fn mask(&self, text: &mut String) {
        for form in &self.forms {
            if text.contains(form.as_str()) {
                *text = text.replace(form.as_str(), REDACTED);
            }
        }
    }

    /// Masks secrets in a JSON value, but not in names of members.
    pub(crate) fn mask_value(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => self.mask(text),
            serde_json::Value::Array(items) => items.iter_mut().for_each(|item| self.mask_value(item)),
            serde_json::Value::Object(members) => members.values_mut().for_each(|member| self.mask_value(member)),
            _ => {}
        }
    }
}

/// A header's value as a whole, and what of it is secret by itself: what follows after a scheme, the password of Basic, the
/// value of each cookie.
fn parts(value: String) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some((scheme, rest)) = value.split_once(' ') {
        let rest = rest.trim();
        if scheme.eq_ignore_ascii_case("Basic") {
            let decoded = STANDARD_NO_PAD.decode(rest.trim_end_matches('=')).ok();
            let pair = decoded.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
            parts.extend(pair.split_once(':').map(|(_, password)| password.to_owned()));
            parts.push(pair);
        }
        if !scheme.contains(['=', ';']) {
            parts.push(rest.to_owned());
        }
    }
    let cookies = value.split(';').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.trim().to_owned());
    parts.extend(cookies.filter(|cookie| cookie.len() >= CODED));
    parts.push(value);
    parts
}

/// As it is, as JSON escapes it, percent-encoded, and in Base64 wherever it may begin in what is encoded.
fn spellings(part: &str) -> Vec<String> {
    if part.len() < SHORTEST {
        return Vec::new();
    }
    let once = escaped(part);
    let slashes = once.replace('/', "\\/");
    let every: String = part.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let hex: String = part.bytes().map(|byte| format!("{byte:02x}")).collect();
    let component = percent(part, "-_.!~*'()");
    let form = percent(part, "-_.*").replace("%20", "+");
    let strict = percent(part, "-_.~");
    // JSON is often told within JSON.
    let within = [escaped(&once), escaped(&slashes)];
    let mut all = vec![part.to_owned(), once, slashes, hex.to_uppercase(), hex];
    all.extend(within);
    for text in [every, component, form, strict] {
        all.push(lower_escapes(&text));
        all.push(text);
    }
    if part.len() >= CODED {
        all.extend(coded(part));
    }
    all
}

/// As it stands in a string of JSON.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn percent(text: &str, kept: &str) -> String {
    let one = |byte: u8| match char::from(byte) {
        letter if letter.is_ascii_alphanumeric() || kept.contains(letter) => letter.to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

/// `%2F` as `%2f`.
fn lower_escapes(text: &str) -> String {
    let marked: Vec<(char, bool)> = text
        .chars()
        .scan(0_u8, |left, letter| {
            let inside = *left > 0;
            *left = if letter == '%' { 2 } else { left.saturating_sub(1) };
            Some((letter, inside))
        })
        .collect();
    marked.into_iter().map(|(letter, inside)| if inside { letter.to_ascii_lowercase() } else { letter }).collect()
}

/// Returns the Base64 that any text containing this must have: one form for each offset in a group of three bytes, in both
/// alphabets.
fn coded(part: &str) -> Vec<String> {
    let mut all = Vec::new();
    for before in 0..3 {
        let bytes = [vec![0; before], part.as_bytes().to_vec()].concat();
        let from = (before * 8).div_ceil(6);
        let to = bytes.len() * 8 / 6;
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            all.push(engine.encode(&bytes)[from..to].to_owned());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};

    use super::*;

    const TOKEN: &str = "s3cret/t+ken~ø.value";

    fn masked(text: &str) -> String {
        let mut text = text.to_owned();
        Secrets::new([format!("Bearer {TOKEN}")]).mask(&mut text);
        text
    }

    #[test]
    fn a_secret_is_masked_in_every_spelling() {
        let spelled = [
            TOKEN.to_owned(),
            format!("Bearer {TOKEN}"),
            serde_json::json!({"you sent": TOKEN}).to_string(),
            TOKEN.replace('/', "\\/"),
            "s3cret%2Ft%2Bken~%C3%B8.value".to_owned(),
            "s3cret%2ft%2bken~%c3%b8.value".to_owned(),
            url::form_urlencoded::byte_serialize(TOKEN.as_bytes()).collect(),
            TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect(),
            TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect(),
        ];
        for text in spelled {
            let text = masked(&text);
            assert!(text.contains(REDACTED) && !text.contains("cret"), "{text}");
        }
    }

    #[test]
    fn base64_is_recognised_wherever_the_secret_stands_in_it() {
        for before in ["", "a", "ab", "abc", "Authorization: Bearer "] {
            for after in ["", "x", "xy", "\n"] {
                let text = format!("{before}{TOKEN}{after}");
                for coded in [STANDARD.encode(&text), URL_SAFE.encode(&text)] {
                    assert!(masked(&coded).contains(REDACTED), "{text}: {coded}");
                }
            }
        }
    }

    #[test]
    fn passwords_and_cookies_are_secrets_of_their_own() {
        let basic = format!("Basic {}", STANDARD.encode("ada:open sesame"));
        let secrets = Secrets::new([basic, "sid=0123456789abcdef; theme=dark".to_owned()]);
        let mut text = "password open sesame, session 0123456789abcdef, theme dark".to_owned();
        secrets.mask(&mut text);
        assert_eq!(text, format!("password {REDACTED}, session {REDACTED}, theme dark"));
    }

    #[test]
    fn other_text_is_left_alone() {
        let text = "nothing to see: c2VjcmV0, %2F, 73";
        assert_eq!(masked(text), text);
        let mut short = "a b c".to_owned();
        Secrets::new(["b".to_owned()]).mask(&mut short);
        assert_eq!(short, "a b c");
    }
}
