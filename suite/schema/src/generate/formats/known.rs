//! Texts of each format of the specification, and texts that nearly are.

use super::super::chance::Chance;

/// The formats that texts can be made for, with the plainest text of each, further ones, and near misses.
pub(in crate::generate) const KNOWN: &[Format] = &[
    Format {
        name: "date-time",
        right: &[
            "2000-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999Z",
            "2024-02-29T12:00:00+14:00",
            "1985-04-12T23:20:50.52-08:00",
        ],
        wrong: &[
            "2000-01-01 00:00",
            "2023-02-29T00:00:00Z",
            "2000-01-01T24:00:00Z",
            "2000-01-01T00:00:00",
            "2000-13-01T00:00:00Z",
        ],
    },
    Format {
        name: "date",
        right: &["2000-01-01", "2024-02-29", "1970-01-01", "9999-12-31", "0001-01-01"],
        wrong: &["2023-02-29", "2000-1-1", "01/01/2000", "2000-13-01", "2000-01-32", "20000101"],
    },
    Format {
        name: "time",
        right: &["00:00:00Z", "23:59:59Z", "12:30:00.5+05:30", "08:00:00-08:00"],
        wrong: &["24:00:00Z", "00:60:00Z", "00:00", "00:00:00", "12:00:00 PM"],
    },
    Format {
        name: "duration",
        right: &["P1D", "PT0S", "P1Y2M3DT4H5M6S", "P2W"],
        wrong: &["P", "1D", "PT", "P1D2H", "P1Y2W"],
    },
    Format {
        name: "email",
        right: &["a@b.co", "first.last@example.com", "x+y@sub.example.org", "te~st@example.com"],
        wrong: &["a", "@b.co", "a@", "a b@example.com", ".a@example.com"],
    },
    Format {
        name: "idn-email", right: &["a@b.co", "실례@실례.테스트", "ü@example.com"], wrong: &["a", "@b.co", "a@"]
    },
    Format {
        name: "hostname",
        right: &["a", "example.com", "sub-1.example.org", "xn--nxasmq6b"],
        wrong: &["-a", "a-", "a_b", "a..b", "a b", "a/b"],
    },
    Format {
        name: "idn-hostname",
        right: &["a", "example.com", "bücher.example", "실례.테스트"],
        wrong: &["-a", "a..b", "〮실례.테스트"],
    },
    Format {
        name: "ipv4",
        right: &["127.0.0.1", "0.0.0.0", "255.255.255.255", "192.168.1.10"],
        wrong: &["256.0.0.1", "127.0.0", "1.2.3.4.5", "01.2.3.4", "a.b.c.d"],
    },
    Format {
        name: "ipv6",
        right: &["::1", "::", "2001:db8::1", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8"],
        wrong: &["1::2::3", "12345::", "127.0.0.1", "::g", "1:2:3:4:5:6:7:8:9"],
    },
    Format {
        name: "uri",
        right: &["http://a.co", "https://example.com/a?b=c#d", "urn:isbn:0", "mailto:a@b.co", "ftp://[::1]/x"],
        wrong: &["a", "/a/b", "http://a b", "//example.com", "http:// example.com", "\\\\share"],
    },
    Format {
        name: "uri-reference",
        right: &["a", "/a/b", "#c", "http://a.co", "?q=1"],
        wrong: &["\\\\share", "a b", "#a\\b"],
    },
    Format {
        name: "iri",
        right: &["http://a.co", "http://ƒøø.ßår/?∂éœ=πîx", "urn:isbn:0"],
        wrong: &["a", "/a", "http://a b", "http://2001:0db8:85a3::1"],
    },
    Format { name: "iri-reference", right: &["a", "/â/b", "#ƒrägmênt"], wrong: &["\\\\share", "#ƒräg\\mênt"] },
    Format {
        name: "uri-template",
        right: &["a", "http://example.com/{id}", "{?q,lang}", "/x{/y*}"],
        wrong: &["{", "http://example.com/{id", "a}b"],
    },
    Format { name: "json-pointer", right: &["", "/a", "/a~0b/~1/0"], wrong: &["a", "/~2", "/~", "#/a"] },
    Format { name: "relative-json-pointer", right: &["0", "1/a", "2#"], wrong: &["a", "-1", "/a", "01/a", "0##"] },
    Format { name: "regex", right: &["a", "^a+$", "[a-z]{2,3}"], wrong: &["(", "[", "^(abc]", "a**"] },
    Format {
        name: "uuid",
        right: &[
            "00000000-0000-4000-8000-000000000000",
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF",
        ],
        wrong: &[
            "00000000000040008000000000000000",
            "0000",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638",
            "g0000000-0000-4000-8000-000000000000",
        ],
    },
];

/// A format.
pub(in crate::generate) struct Format {
    pub(in crate::generate) name: &'static str,
    pub(in crate::generate) right: &'static [&'static str],
    pub(in crate::generate) wrong: &'static [&'static str],
}

fn known(name: &str) -> Option<&'static Format> {
    KNOWN.iter().find(|format| format.name == name)
}

/// The plainest text of a format.
pub(in crate::generate) fn plainest(name: &str) -> Option<&'static str> {
    known(name).and_then(|format| format.right.first().copied())
}

/// Texts of a format that are easily taken for something else; none of one that is not known.
pub(in crate::generate) fn examples(name: &str) -> &'static [&'static str] {
    known(name).map_or(&[], |format| format.right)
}

/// A text of a format.
pub(in crate::generate) fn right(name: &str, chance: &mut Chance) -> Option<String> {
    if chance.one_in(3) {
        return known(name).and_then(|format| chance.pick(format.right)).map(|text| (*text).to_owned());
    }
    let mut digits = |bound| chance.below(bound);
    let date = |digits: &mut dyn FnMut(usize) -> usize| {
        format!("{:04}-{:02}-{:02}", 1900 + digits(200), 1 + digits(12), 1 + digits(28))
    };
    let time =
        |digits: &mut dyn FnMut(usize) -> usize| format!("{:02}:{:02}:{:02}Z", digits(24), digits(60), digits(60));
    Some(match name {
        "date" => date(&mut digits),
        "time" => time(&mut digits),
        "date-time" => format!("{}T{}", date(&mut digits), time(&mut digits)),
        "duration" => format!("P{}DT{}H", digits(400), digits(24)),
        "email" | "idn-email" => format!("user{}@example.com", digits(1000)),
        "hostname" | "idn-hostname" => format!("host-{}.example.com", digits(1000)),
        "ipv4" => format!("{}.{}.{}.{}", digits(256), digits(256), digits(256), digits(256)),
        "ipv6" => format!("2001:db8::{:x}:{:x}", digits(65_536), digits(65_536)),
        "uri" | "iri" => format!("https://example.com/{}?q={}", digits(1000), digits(1000)),
        "uri-reference" | "iri-reference" => format!("/{}/{}", digits(1000), digits(1000)),
        "uri-template" => format!("/{}/{{id}}", digits(1000)),
        "json-pointer" => format!("/a/{}", digits(1000)),
        "relative-json-pointer" => format!("{}/a", digits(10)),
        "regex" => format!("^a{{{}}}$", digits(100)),
        "uuid" => uuid(chance),
        _ => return None,
    })
}

fn uuid(chance: &mut Chance) -> String {
    let (high, low) = (chance.bits(), chance.bits());
    let parts = [high >> 32, high >> 16 & 0xffff, high & 0xfff, low >> 52 & 0x3ff, low & 0xffff_ffff_ffff];
    format!("{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}", parts[0], parts[1], parts[2], parts[3], parts[4])
}

/// A text that is nearly of a format.
pub(in crate::generate) fn wrong(name: &str, chance: &mut Chance) -> String {
    let near = known(name).and_then(|format| chance.pick(format.wrong));
    near.map_or_else(|| format!("not a {name}"), |text| (*text).to_owned())
}
