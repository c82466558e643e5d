//! Faults of sessions over HTTP.

use super::{Fault, carried};

pub(super) static TABLE: &[Fault] = &[
    carried("http.session.issued-on-initialize", "", "a session id is demanded and never given"),
    carried("http.session.issued-on-initialize", "late", "the session id comes with the answer to initialized"),
    carried("http.session.visible-ascii", "", "session ids have a blank in them"),
    carried("http.session.accepted-on-all-methods", "", "GET does not know the session"),
    carried("http.session.accepted-on-all-methods", "delete", "DELETE does not know the session"),
    carried("http.session.missing-id-400", "", "a missing session id is answered with 500"),
    carried("http.session.missing-id-400", "ok", "a missing session id is answered with an error and status 200"),
    carried("http.session.terminated-404", "", "a session that was ended is answered with 400"),
    carried("http.session.terminated-404", "served", "a session that was ended is served"),
    carried("http.session.terminated-404", "get", "a session that was ended still opens a stream"),
    carried("http.session.unknown-404", "", "a session that never was is served"),
    carried("http.session.unknown-404", "server-error", "a session that never was is answered with 500"),
    carried("http.session.delete-or-405", "", "DELETE is answered with 500"),
    carried("http.session.delete-or-405", "bad-request", "DELETE is answered with 400"),
    carried("http.session.delete-without-id", "", "DELETE without a session id is answered with 204"),
    carried("http.session.delete-closes-streams", "", "the streams of an ended session stay open"),
    carried("security.session.id-unique", "", "session ids come round again"),
    carried("security.session.id-unguessable", "", "session ids are eight digits"),
    carried("security.session.id-unguessable", "time", "session ids are the time and little more"),
    carried("security.session.id-non-deterministic", "", "session ids count up"),
];
