//! `throng serve` as a program: its words, its refusals, and a log that `throng run` repeats.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use throng::command::Point;
use throng_remote::client::{Client, ClientOptions};
use throng_remote::protocol::Call;

const SOON: Duration = Duration::from_secs(120);

fn throng() -> Command {
    Command::new(env!("CARGO_BIN_EXE_throng"))
}

/// A server, the address it told and the rest of that address.
fn serve(args: &[&str]) -> (Child, SocketAddr, String) {
    let mut child = throng()
        .arg("serve")
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let output = child.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("it tells its address");
    let rest = line.split("http://").nth(1).expect("an address").trim().to_owned();
    let (address, token) = rest.split_once('/').expect("a path");
    (child, address.parse().expect("an address"), token.to_owned())
}

/// Ends a program as Ctrl-C does.
fn end(mut child: Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
    assert!(child.wait().expect("it ends").success());
}

/// If this fails, what is done in a browser cannot be had again by `throng run --commands`.
#[test]
fn what_a_server_wrote_down_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    let log = log.to_str().unwrap();
    let (child, address, _) = serve(&["bottleneck", "--port", "0", "--paused", "--commands", log]);
    let mut client = Client::connect(address, &ClientOptions::default()).unwrap();
    client.call(&Call::Step { count: 10 }).unwrap();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step == 10)).unwrap();
    let spawn = throng::Command::Spawn { group: 0, at: Point(3.0, 3.0), target: None };
    assert_eq!(client.call(&Call::World(spawn)).unwrap()["step"], 10);
    client.call(&Call::World(throng::Command::Remove { agent: 2 })).unwrap();
    client.call(&Call::Step { count: 5 }).unwrap();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step == 15)).unwrap();
    end(child);
    let run =
        throng().args(["run", "bottleneck", "--commands", log, "--json", "-q"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(summary["commands"]["done"], 2);
    assert_eq!(summary["commands"]["hashes_equal"], 1, "the log ends with a hash");
}

/// A command of many kinds; the crowd may refuse it.
fn any_command(roll: &mut dyn FnMut(u32) -> u32) -> throng::Command {
    use throng::Command as Do;
    let at = Point(1.0 + roll(1200) as f32 / 100.0, 1.0 + roll(800) as f32 / 100.0);
    match roll(8) {
        0..=2 => Do::Spawn { group: 0, at, target: None },
        3 => Do::Remove { agent: roll(300) },
        4 => Do::Retarget { agent: roll(300), to: at },
        5 => {
            let (x, y) = (at.0, at.1);
            let outer =
                vec![Point(x, y), Point(x + 0.5, y), Point(x + 0.5, y + 0.5), Point(x, y + 0.5)];
            Do::AddWall { outer, holes: Vec::new() }
        }
        6 => Do::MoveHazard { hazard: u64::from(roll(3)), to: at },
        _ => {
            let value = 0.5 + f64::from(roll(200)) / 100.0;
            Do::SetParameter { name: "avoid.time_gap".into(), value }
        }
    }
}

/// If this fails, a run that several people steered at once is not had again by `throng run --commands`.
#[test]
fn a_hundred_commands_of_three_clients_are_repeated_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.jsonl");
    let log = log.to_str().unwrap();
    let (child, address, _) =
        serve(&["bottleneck", "--port", "0", "--speed", "4", "--commands", log]);
    let clients = [11_u32, 22, 33].map(|seed| {
        std::thread::spawn(move || {
            let mut client = Client::connect(address, &ClientOptions::default()).unwrap();
            let (mut state, mut done) = (seed, 0);
            let mut roll = |sides: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) % sides
            };
            while done < 34 {
                let command = any_command(&mut roll);
                done += u32::from(client.call(&Call::World(command)).is_ok());
                std::thread::sleep(Duration::from_millis(roll(20).into()));
            }
        })
    });
    clients.into_iter().for_each(|client| client.join().unwrap());
    end(child);
    let run =
        throng().args(["run", "bottleneck", "--commands", log, "--json", "-q"]).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(summary["commands"]["done"].as_u64() >= Some(100), "{summary}");
    assert_eq!(
        (summary["commands"]["hashes_equal"].as_u64(), summary["commands"]["left"].as_u64()),
        (Some(1), Some(0))
    );
}

/// If this fails, others can come in without a token.
#[test]
fn beyond_this_machine_a_token_is_told() {
    let (child, mut address, token) = serve(&["bottleneck", "--port", "0", "--bind", "0.0.0.0"]);
    address.set_ip([127, 0, 0, 1].into());
    let token = token.strip_prefix("#token=").expect("a token").to_owned();
    assert!(Client::connect(address, &ClientOptions::default()).is_err());
    let options = ClientOptions { token: Some(token), ..ClientOptions::default() };
    Client::connect(address, &options).expect("the token opens");
    end(child);
}

/// If this fails, wrong input is not told in one line, or a server starts nevertheless.
#[test]
fn what_cannot_be_served_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.txt");
    std::fs::write(&empty, "").unwrap();
    let empty = empty.to_str().unwrap();
    for (args, word) in [
        (vec!["nowhere"], "nowhere"),
        (vec!["nowhere.sqlite"], "nowhere.sqlite"),
        (vec![empty], "empty.txt"),
        (vec!["bottleneck", "--token", "short"], "token"),
        (vec![empty, "--agents", "5"], "--agents"),
        (vec!["bottleneck", "--columns", "a,b"], "column"),
    ] {
        let output = throng().arg("serve").args(&args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(word), "{args:?}: {said}");
    }
}
