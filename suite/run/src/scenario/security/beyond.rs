//! Other addresses of this machine: a server that was bound to loopback does not answer there.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::Url;
use verdict::Intent;

use super::NAME;
use crate::Opening;
use crate::scenario::Cx;
use crate::scenario::auth::opening;

/// A connection within one machine is a matter of microseconds.
const PATIENCE: Duration = Duration::from_millis(500);

pub(super) async fn probe(cx: &Cx, url: &Url) {
    let port = url.port_or_known_default().unwrap_or(80);
    let host = url[url::Position::BeforeHost..url::Position::AfterPort].to_owned();
    if let Some(address) = another(url) {
        let mut there = url.clone();
        let reachable =
            timeout(PATIENCE, TcpStream::connect(SocketAddr::new(address, port))).await.is_ok_and(|made| made.is_ok());
        if there.set_ip_host(address).is_err() {
            return;
        }
        for credential in [false, true] {
            let mut opened = Opening::new("beyond", cx.profile.revision).place(there.clone());
            if !credential {
                opened = opened.outsider();
            } else if !reachable || cx.options.authorization().is_none() {
                break;
            }
            let Ok(session) = cx.open(opened).await else { return };
            // The name stays: what is asked is who can connect, not who is named.
            let ask = opening(&session, cx.profile.revision).bare_headers().header("Host", Some(&host)).limit(PATIENCE);
            ask.probe(NAME, Intent::Beyond, json!({"credential": credential})).send().await;
            session.kill().await;
        }
    }
}

/// An address of this machine that is not the one that was given: that of its way to others, if there is one, else one of
/// loopback that nobody binds to by itself.
fn another(url: &Url) -> Option<IpAddr> {
    let given = match url.host() {
        Some(url::Host::Ipv4(address)) => Some(IpAddr::V4(address)),
        Some(url::Host::Ipv6(address)) => Some(IpAddr::V6(address)),
        _ => None,
    };
    let spare = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    outward().or(cfg!(target_os = "linux").then_some(spare)).filter(|address| Some(*address) != given)
}

/// The address that packets to elsewhere would have. None is sent.
fn outward() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}
