//! What a server refuses: foreign pages, wrong tokens, nonsense, floods; and who is slow is left behind.

mod common;

use common::{SOON, Served, live};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};
use throng_remote::client::{Client, ClientError, ClientOptions, News};
use throng_remote::engine::{Engine, LiveOptions};
use throng_remote::protocol::{Call, FaultCode, Incoming};
use throng_remote::server::{LARGEST_MESSAGE, ServeError, ServeOptions, Server};

/// A request as bytes; the answer's first line and all of it.
fn http(served: &Served, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(served.address).unwrap();
    stream.set_read_timeout(Some(SOON)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let text = String::from_utf8_lossy(&all).into_owned();
    (text.lines().next().unwrap_or_default().to_owned(), text)
}

fn get(served: &Served, path: &str, headers: &str) -> (String, String) {
    let host = served.address;
    http(
        served,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"),
    )
}

fn refused(served: &Served, options: &ClientOptions) -> String {
    match Client::connect(served.address, options) {
        Err(ClientError::Connect(text)) => text,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{options:?} came in"),
    }
}

/// If this fails, a page of another site can steer the crowd, by its own name or by one that leads here.
#[test]
fn foreign_pages_cannot_come_in() {
    let served = Served::paused("bottleneck");
    let from =
        |origin: &str| ClientOptions { origin: Some(origin.into()), ..ClientOptions::default() };
    for origin in ["https://evil.example", "http://localhost:1", "null"] {
        assert!(refused(&served, &from(origin)).starts_with("403"), "{origin}");
    }
    let named = |host: &str| ClientOptions { host: Some(host.into()), ..ClientOptions::default() };
    for host in ["evil.example", "localhost.evil.example:8017"] {
        assert!(refused(&served, &named(host)).starts_with("403"), "{host}");
    }
    let own = ClientOptions {
        origin: Some(format!("http://{}", served.address)),
        ..ClientOptions::default()
    };
    Client::connect(served.address, &own).expect("our own page comes in");
    let (status, _) =
        http(&served, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(status.contains("403"), "{status}");
    served.end();
}

/// If this fails, others come in without the token, or the server opens itself to them.
#[test]
fn beyond_this_machine_a_token_is_needed() {
    let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let (engine, thread) = Engine::start(live("bottleneck", LiveOptions::default())).unwrap();
    let open = ServeOptions { bind: everywhere, ..ServeOptions::default() };
    assert!(matches!(Server::bind(engine.clone(), open), Err(ServeError::NeedsToken(_))));
    let short = ServeOptions { token: Some("short".into()), ..ServeOptions::default() };
    assert!(matches!(Server::bind(engine.clone(), short), Err(ServeError::BadToken(_))));
    assert!(
        Server::bind(engine.clone(), ServeOptions::default()).unwrap().address().ip().is_loopback()
    );
    drop(engine);
    thread.join().unwrap();
    let token = "0123456789abcdef-_ABC".to_owned();
    let options = ServeOptions { token: Some(token.clone()), ..ServeOptions::default() };
    let served = Served::start(live("bottleneck", LiveOptions::default()), options);
    assert!(refused(&served, &ClientOptions::default()).starts_with("401"));
    let wrong =
        ClientOptions { token: Some("0123456789abcdef-_ABD".into()), ..ClientOptions::default() };
    assert!(refused(&served, &wrong).starts_with("401"));
    let right = ClientOptions { token: Some(token), ..ClientOptions::default() };
    Client::connect(served.address, &right).expect("the token opens");
    assert!(get(&served, "/recordings/1", "").0.contains("401"));
    served.end();
}

/// If this fails, a request reaches files, or the page is not there.
#[test]
fn no_path_reaches_the_file_system() {
    let served = Served::paused("bottleneck");
    let (status, text) = get(&served, "/", "");
    assert!(status.contains("200") && text.contains("<!doctype html>"), "{status}");
    assert!(text.contains("content-security-policy: default-src 'none'"));
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/web/index.html",
        "/recordings/../../etc/passwd",
        "/recordings/%2e%2e%2fetc",
        "/recordings/1",
        "/recordings/18446744073709551616",
        "/\\windows",
        "/app.js/../../x",
    ] {
        let (status, text) = get(&served, path, "");
        assert!(status.contains("404") || status.contains("400"), "{path}: {status}");
        assert!(!text.contains("root:") && !text.contains("[package]"), "{path}");
    }
    let (status, _) = http(
        &served,
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    assert!(status.contains("405"), "{status}");
    served.end();
}

/// If this fails, nonsense breaks a server or a connection, or is refused without a reason.
#[test]
fn nonsense_is_refused_with_a_reason() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    for text in
        ["", "{", "[]", "\u{0}", "{\"id\":1}", "{\"ack\":\"x\"}", "{\"id\":1e99,\"call\":\"x\"}"]
    {
        let before = client.heard.len();
        client.send_text(text).unwrap();
        client.wait_for(SOON, |c| c.heard.len() > before).unwrap();
        let Some(News::Complaint(fault)) = client.heard.last() else { panic!("{text:?}") };
        assert!(fault.code == FaultCode::Malformed && !fault.text.is_empty());
    }
    let before = client.heard.len();
    client.send_bytes(vec![1, 2, 3]).unwrap();
    client.wait_for(SOON, |c| c.heard.len() > before).unwrap();
    // Deep nesting is no stack overflow.
    client
        .send_text(&format!(
            "{{\"id\":9,\"call\":\"x\",\"with\":{}{}}}",
            "[".repeat(20_000),
            "]".repeat(20_000)
        ))
        .unwrap();
    client.call(&Call::Status {}).expect("it still speaks with us");
    client.send_text(&"x".repeat(LARGEST_MESSAGE + 1)).unwrap();
    let mut ended = false;
    for _ in 0..200 {
        if client.next_news(Instant::now() + Duration::from_millis(50)).is_err() {
            ended = true;
            break;
        }
    }
    assert!(ended, "too large a message is not taken");
    served.client().call(&Call::Status {}).expect("others are served");
    served.end();
}

/// If this fails, a call that was sent twice is done twice, or one out of order is done at all.
#[test]
fn calls_are_done_at_most_once() {
    let served = Served::paused("bottleneck");
    let session = Some("0123456789abcdef0123".to_owned());
    let options = ClientOptions { session, ..ClientOptions::default() };
    let mut client = Client::connect(served.address, &options).unwrap();
    let step = Call::Step { count: 1 };
    let first = client.call(&step).unwrap();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step == 1)).unwrap();
    client.send_text(&step.message(1)).unwrap();
    assert_eq!(client.answer(1, SOON).unwrap(), first, "the answer of then");
    drop(client);
    let mut again = Client::connect(served.address, &options).unwrap();
    again.send_text(&step.message(1)).unwrap();
    assert_eq!(again.answer(1, SOON).unwrap(), first, "also after a break");
    again.send_text(&step.message(50)).unwrap();
    again.answer(50, SOON).unwrap();
    again.send_text(&step.message(20)).unwrap();
    match again.answer(20, SOON) {
        Err(ClientError::Refused(fault)) => assert_eq!(fault.code, FaultCode::Replayed),
        other => panic!("{other:?}"),
    }
    again.send_text(r#"{"id":60,"call":"control.step","within_ms":0}"#).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let late = again.answer(60, SOON);
    again.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step >= 2)).unwrap();
    if let Err(ClientError::Refused(fault)) = late {
        assert_eq!(fault.code, FaultCode::Late);
        assert_eq!(again.status.as_ref().unwrap().step, 2, "late calls are not done");
    }
    served.end();
}

/// If this fails, a flood of messages is served to the end, or there is no end to clients.
#[test]
fn floods_and_crowds_of_clients_are_limited() {
    let options = ServeOptions { most_clients: 3, ..ServeOptions::default() };
    let served = Served::start(live("bottleneck", LiveOptions::default()), options);
    let _two = [served.client(), served.client()];
    let mut flood = served.client();
    assert!(refused(&served, &ClientOptions::default()).starts_with("503"));
    let (mut sent, mut cut) = (0, false);
    while sent < 60_000 && !cut {
        cut = flood.send_text("{\"id\":1,\"call\":\"inspect.status\"}").is_err();
        sent += 1;
        if sent % 500 == 0 {
            cut |= matches!(flood.next_news(Instant::now()), Err(ClientError::Ended(_)));
        }
    }
    while !cut {
        cut = flood.next_news(Instant::now() + Duration::from_millis(200)).is_err();
    }
    drop(flood);
    let end = Instant::now() + SOON;
    while Client::connect(served.address, &ClientOptions::default()).is_err() {
        assert!(Instant::now() < end, "its place is free again");
        std::thread::sleep(Duration::from_millis(50));
    }
    served.end();
}

/// If this fails, a client that does not take frames in slows down the crowd or others, or is kept for ever.
#[test]
fn who_is_slow_is_left_behind_and_cut_off() {
    let options = ServeOptions { patience: Duration::from_millis(1500), ..ServeOptions::default() };
    let live_options = LiveOptions { speed: 8.0, ..LiveOptions::default() };
    let served = Served::start(live("bottleneck", live_options), options);
    let mut slow = served.client();
    slow.acknowledges = false;
    let mut quick = served.client();
    let mut frames = 0;
    let end = Instant::now() + Duration::from_millis(1200);
    while let Some(news) = slow.next_news(end).unwrap() {
        frames += usize::from(matches!(news, News::Frame(..)));
    }
    assert!(frames <= 2, "{frames} frames went to somebody who took none in");
    let (mut own, end) = (0, Instant::now() + Duration::from_secs(3));
    while let Some(news) = quick.next_news(end).unwrap() {
        own += usize::from(matches!(news, News::Frame(..)));
    }
    assert!(own >= 5, "others get theirs: {own} in 3 s");
    let why = loop {
        match slow.next_news(Instant::now() + SOON) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it is still connected"),
            Err(ClientError::Ended(why)) => break why,
            Err(other) => panic!("{other}"),
        }
    };
    assert!(why.contains("slow"), "{why}");
    served.end();
}

/// Random bytes and damaged calls.
fn random_text(state: &mut u64) -> String {
    let mut roll = |n: u64| {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state % n
    };
    const PARTS: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        "\"id\":",
        "\"call\":",
        "\"with\":",
        "\"ack\":",
        "\"control.step\"",
        "\"world.spawn\"",
        "\"count\":",
        "1",
        "-1",
        "1e308",
        "null",
        ",",
        "\"do\":",
        "\"world.set-goal\"",
        "\"places\":",
        "[[",
        "]]",
        "\"within_ms\":",
        "\u{fffd}",
        "true",
    ];
    match roll(3) {
        0 => (0..roll(40)).map(|_| char::from_u32(roll(0x300) as u32).unwrap_or('x')).collect(),
        1 => (0..roll(14)).map(|_| PARTS[roll(24) as usize]).collect(),
        _ => {
            let mut text: Vec<char> = Call::Step { count: 3 }.message(roll(99)).chars().collect();
            for _ in 0..=roll(3) {
                let at = roll(text.len() as u64) as usize;
                text[at] = char::from_u32(32 + roll(95) as u32).unwrap_or(' ');
            }
            text.into_iter().collect()
        }
    }
}

/// If this fails, some message makes a server panic. A million messages, as a server reads them.
#[test]
fn a_million_random_messages_are_refused_or_calls() {
    let (mut state, mut refused, mut calls) = (88_172_645_463_325_252_u64, 0_u32, 0_u32);
    for _ in 0..1_000_000 {
        match Incoming::parse(&random_text(&mut state)) {
            Err(fault) => {
                assert!(!fault.text.is_empty() && fault.text.len() < 500);
                refused += 1;
            }
            Ok(_) => calls += 1,
        }
    }
    assert!(refused > 500_000 && calls > 1000, "{refused} refused, {calls} calls");
}

/// Resident memory (megabytes), where the system tells.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kb| kb / 1024.0)
}

/// Sends random messages until the server has enough; how many went out.
fn storm(served: &Served, state: &mut u64) -> u32 {
    let mut client = served.client();
    for i in 0..20_000 {
        if client.send_text(&random_text(state)).is_err() {
            return i;
        }
        if i % 200 == 0 && client.next_news(Instant::now()).is_err() {
            return i;
        }
    }
    20_000
}

/// If this fails, random messages over the wire end a server, or fill its memory. A million of them, from client
/// after client, each of whom is cut off at last.
#[test]
fn a_storm_of_random_messages_leaves_the_server_whole() {
    let served = Served::paused("bottleneck");
    let (mut state, mut sent) = (1_234_567_u64, 0);
    // What a server needs once.
    while sent < 100_000 {
        sent += storm(&served, &mut state);
    }
    let before = memory();
    let mut clients = 0;
    while sent < 1_000_000 {
        sent += storm(&served, &mut state);
        clients += 1;
    }
    if let (Some(before), Some(after)) = (before, memory()) {
        assert!(after - before < 60.0, "{before:.0} MB, {after:.0} MB after {clients} clients");
    }
    let mut client = served.client();
    client.call(&Call::Status {}).expect("it serves");
    served.end();
}
