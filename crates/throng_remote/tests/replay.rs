//! What many clients do at once can be repeated: the log of a server gives the same run again.

mod common;

use common::{SOON, Served, live, simulation};
use throng::command::{CommandLog, HazardSpec, PlaceSpec, Point, Replay, ShapeSpec};
use throng::{Command, Simulation};
use throng_remote::client::{Client, ClientError};
use throng_remote::engine::LiveOptions;
use throng_remote::protocol::Call;
use throng_remote::server::ServeOptions;

/// Numbers without an order, always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn point(&mut self) -> Point {
        Point(1.0 + self.roll(1200) as f32 / 100.0, 1.0 + self.roll(800) as f32 / 100.0)
    }
}

/// Any command, also ones that the crowd refuses.
fn command(dice: &mut Dice) -> Call {
    let at = dice.point();
    let gas = |dice: &mut Dice| HazardSpec {
        name: "gas".into(),
        color: [1, 2, 3],
        path: vec![dice.point()],
        speed: 0.0,
        closed: false,
        radius: 1.0 + dice.roll(4) as f32,
        strength: 4.0,
        fear_radius: 3.0,
        from: None,
        until: None,
    };
    match dice.roll(16) {
        0..=3 => Call::World(Command::Spawn { group: 0, at, target: None }),
        4 | 5 => Call::World(Command::Remove { agent: dice.roll(120) as u32 }),
        6 => Call::World(Command::Retarget { agent: dice.roll(100) as u32, to: at }),
        7 => Call::World(Command::PlaceHazard { hazard: gas(dice) }),
        8 => Call::World(Command::MoveHazard { hazard: dice.roll(6), to: at }),
        9 => Call::World(Command::RemoveHazard { hazard: dice.roll(6) }),
        10 => {
            let (x, y) = (at.0, at.1);
            let outer =
                vec![Point(x, y), Point(x + 0.6, y), Point(x + 0.6, y + 0.6), Point(x, y + 0.6)];
            Call::World(Command::AddWall { outer, holes: Vec::new() })
        }
        11 => {
            let value = 0.5 + dice.roll(200) as f64 / 100.0;
            Call::World(Command::SetParameter { name: "avoid.time_gap".into(), value })
        }
        12 => {
            let shape = ShapeSpec::Disc { centre: at, radius: 1.0 };
            let places = vec![PlaceSpec { shape, fuzz: 0.0, capacity: None }];
            Call::World(Command::SetGoal { goal: 0, places })
        }
        13 => Call::Snapshot {},
        14 => Call::Restore { state: 1 + dice.roll(3) },
        _ => Call::Speed { value: 1.0 + dice.roll(8) as f32 },
    }
}

/// Calls of one client; how many were done.
fn play(client: &mut Client, seed: u64, calls: u32) -> u32 {
    let mut dice = Dice(seed);
    let mut done = 0;
    for _ in 0..calls {
        match client.call(&command(&mut dice)) {
            Ok(_) => done += 1,
            Err(ClientError::Refused(_)) => {}
            Err(error) => panic!("{error}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(dice.roll(25)));
    }
    done
}

fn repeat(mut simulation: Simulation, log: CommandLog) -> (u64, usize) {
    let mut replay = Replay::new(log);
    while !replay.catch_up(&mut simulation).expect("the log repeats").is_over() {
        simulation.step(replay.head().dt).expect("a step");
    }
    (simulation.crowd().unwrap().hash(), replay.progress().checkpoints)
}

/// If this fails, a run that three people steered at once cannot be had again: calls are done out of order, at
/// another step than the log says, or something changes the crowd that is not in the log.
#[test]
fn a_hundred_commands_of_three_clients_repeat_to_the_same_hash() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let options =
        LiveOptions { commands: Some(file.clone()), speed: 4.0, ..LiveOptions::default() };
    let served = Served::start(live("bottleneck", options), ServeOptions::default());
    let address = served.address;
    let clients = [1, 2, 3].map(|seed| {
        std::thread::spawn(move || {
            let mut client = Client::connect(address, &Default::default()).unwrap();
            play(&mut client, seed, 34)
        })
    });
    let done: u32 = clients.into_iter().map(|client| client.join().unwrap()).sum();
    assert!(done >= 50, "only {done} of 102 calls were done");
    let mut last = served.client();
    last.call(&Call::Pause {}).unwrap();
    last.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| !s.playing)).unwrap();
    let answer = last.call(&Call::Checkpoint {}).unwrap();
    let hash = u64::from_str_radix(answer["hash"].as_str().unwrap(), 16).unwrap();
    let told = last.call(&Call::Log {}).unwrap()["log"].as_str().unwrap().to_owned();
    served.end();
    let (again, checked) =
        repeat(simulation("bottleneck", None), CommandLog::parse(&told, "the log").unwrap());
    assert_eq!((again, checked > 0), (hash, true), "the log that was told");
    let (again, checked) = repeat(simulation("bottleneck", None), CommandLog::read(&file).unwrap());
    assert_eq!((again, checked > 0), (hash, true), "the file");
}

/// If this fails, a command that the crowd refuses has changed it nevertheless, and no log knows.
#[test]
fn what_is_refused_changes_nothing() {
    use throng::{Session, SessionOptions};
    let options = SessionOptions { can_go_back: true, ..SessionOptions::default() };
    let mut session = Session::new(simulation("bottleneck", None), options).unwrap();
    let mut dice = Dice(99);
    let mut refusals = 0;
    for i in 0..300 {
        let before = session.crowd().unwrap().snapshot();
        let call = command(&mut dice);
        let done = match &call {
            Call::World(command) => session.carry_out(command).is_ok(),
            Call::Snapshot {} => session.keep().is_ok(),
            Call::Restore { state } => session.restore(*state).is_ok(),
            _ => continue,
        };
        if !done {
            refusals += 1;
            assert!(session.crowd().unwrap().snapshot() == before, "{call:?}");
        }
        if i % 12 == 0 {
            session.step().unwrap();
        }
    }
    assert!(refusals > 10, "{refusals}");
}
