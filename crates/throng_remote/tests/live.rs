//! A living crowd over the wire: frames, calls, measures, recordings, going back.

mod common;

use common::{SOON, Served, live, simulation};
use serde_json::Value;
use std::time::{Duration, Instant};
use throng::command::{HazardSpec, Point};
use throng::{Command, FrameColumns, Gauges};
use throng_remote::client::{Client, ClientError, News};
use throng_remote::engine::LiveOptions;
use throng_remote::protocol::{
    Call, FaultCode, FieldKind, Format, Frame, FrameBody, FrameHead, Look, Quantum, Shape,
};
use throng_remote::server::ServeOptions;

fn code(error: ClientError) -> FaultCode {
    match error {
        ClientError::Refused(fault) => fault.code,
        other => panic!("{other}"),
    }
}

fn arrive(client: &mut Client, step: u64) {
    let there =
        |c: &Client| c.status.as_ref().is_some_and(|s| s.step == step && s.on_its_way.is_none());
    client.wait_for(SOON, there).expect("it arrives");
}

/// The frame that a crowd of the same scene makes after so many steps.
fn expected(steps: u64) -> (Frame, Quantum) {
    let mut simulation = simulation("bottleneck", None);
    let dt = simulation.crowd().unwrap().world().dt;
    (0..steps).for_each(|_| simulation.step(dt).unwrap());
    let crowd = simulation.crowd().unwrap();
    let bounds = crowd.world().bounds();
    let quantum = Quantum { origin: bounds.min.to_array(), size: bounds.size().to_array() };
    let mut columns = FrameColumns::default();
    let mut instances = Vec::new();
    crowd.instances(&mut instances);
    let clip: Vec<f32> = instances.iter().map(|i| i.clip_time).collect();
    let frame = columns.frame(crowd);
    let body = FrameBody {
        ids: frame.ids,
        x: frame.x,
        y: frame.y,
        heading_x: crowd.heading_x(),
        heading_y: crowd.heading_y(),
        group: frame.group,
        action: frame.action,
        clip: &clip,
        actions: crowd.world().actions.len(),
    };
    (Frame::encode(FrameHead::default(), &body, &quantum), quantum)
}

/// If this fails, a client sees a crowd that is not there: torn, late, or another one.
#[test]
fn frames_show_the_crowd_of_their_step() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    assert!(client.scene.as_ref().is_some_and(|s| s.live && s.name == "bottleneck"));
    for step in [0, 7, 40] {
        let now = client.status.as_ref().map_or(0, |s| s.step);
        if step > now {
            client.call(&Call::Step { count: (step - now) as u32 }).unwrap();
        }
        client.wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == step)).unwrap();
        let (frame, _) = expected(step);
        let seen = client.frame.as_ref().unwrap();
        assert_eq!((&seen.ids, &seen.records), (&frame.ids, &frame.records), "step {step}");
        arrive(&mut client, step);
    }
    served.end();
}

/// If this fails, pause does not stop the crowd, or play does not start it.
#[test]
fn the_clock_is_obeyed() {
    let served = Served::start(live("bottleneck", LiveOptions::default()), ServeOptions::default());
    let mut client = served.client();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step > 3)).unwrap();
    let paused = client.call(&Call::Pause {}).unwrap()["step"].as_u64().unwrap();
    let end = Instant::now() + Duration::from_millis(700);
    while client.next_news(end).unwrap().is_some() {}
    assert_eq!(client.status.as_ref().map(|s| (s.step, s.playing)), Some((paused, false)));
    client.call(&Call::Speed { value: 4.0 }).unwrap();
    assert_eq!(
        code(client.call(&Call::Speed { value: 99.0 }).unwrap_err()),
        FaultCode::BadArguments
    );
    client.call(&Call::Play {}).unwrap();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.step > paused + 5)).unwrap();
    served.end();
}

/// If this fails, what clients do is not done, not told to others, or not refused with a reason.
#[test]
fn commands_take_effect_and_are_told() {
    let served = Served::paused("bottleneck");
    let (mut client, mut other) = (served.client(), served.client());
    let people = client.scene.clone().map(|_| expected(0).0.ids.len() as u32).unwrap();
    let spawn = Command::Spawn { group: 0, at: Point(3.0, 3.0), target: None };
    let answer = client.call(&Call::World(spawn)).unwrap();
    let agent = answer["agent"].as_u64().unwrap() as u32;
    assert_eq!(answer["step"], 0);
    let gas = HazardSpec {
        name: "gas".into(),
        color: [9, 99, 9],
        path: vec![Point(10.0, 5.0)],
        speed: 0.0,
        closed: false,
        radius: 3.0,
        strength: 5.0,
        fear_radius: 4.0,
        from: None,
        until: None,
    };
    let hazard = client.call(&Call::World(Command::PlaceHazard { hazard: gas })).unwrap();
    let hazard = hazard["hazard"].as_u64().unwrap();
    client.call(&Call::World(Command::MoveHazard { hazard, to: Point(11.0, 5.0) })).unwrap();
    let parameter = Command::SetParameter { name: "avoid.time_gap".into(), value: 2.0 };
    client.call(&Call::World(parameter)).unwrap();
    let all = client.call(&Call::Parameters {}).unwrap();
    let gap = all["parameters"].as_array().unwrap().iter().find(|p| p["name"] == "avoid.time_gap");
    assert_eq!(gap.unwrap()["value"], 2.0);
    let walls = client.scene.as_ref().unwrap().walls.len();
    let outer = vec![Point(1.0, 1.0), Point(2.0, 1.0), Point(2.0, 1.4), Point(1.0, 1.4)];
    client.call(&Call::World(Command::AddWall { outer, holes: Vec::new() })).unwrap();
    other.wait_for(SOON, |c| c.scene.as_ref().is_some_and(|s| s.walls.len() == walls + 1)).unwrap();
    client.call(&Call::Step { count: 1 }).unwrap();
    arrive(&mut other, 1);
    let told = other.heard.iter().filter(|n| matches!(n, News::Event(e) if e["kind"] == "command"));
    assert!(told.count() >= 5);
    let status = other.status.clone().unwrap();
    assert_eq!((status.people, status.commands), (people + 1, 5));
    assert_eq!(status.hazards.iter().find(|h| h.hazard == hazard).map(|h| h.at), Some([11.0, 5.0]));
    let told = client.call(&Call::Agent { agent }).unwrap();
    assert!(!told["group"].as_str().unwrap().is_empty(), "{told}");
    for (call, expected) in [
        (Call::World(Command::Remove { agent: 4_000_000 }), FaultCode::Refused),
        (
            Call::World(Command::Spawn { group: 99, at: Point(1.0, 1.0), target: None }),
            FaultCode::Refused,
        ),
        (
            Call::World(Command::SetParameter { name: "avoid.reach".into(), value: 1e9 }),
            FaultCode::Refused,
        ),
        (Call::Step { count: 0 }, FaultCode::BadArguments),
        (Call::Restore { state: 7 }, FaultCode::Refused),
        (Call::Erase { gauge: 7 }, FaultCode::Refused),
        (Call::Stop {}, FaultCode::Refused),
        (Call::Agent { agent: 4_000_000 }, FaultCode::Refused),
    ] {
        assert_eq!(code(client.call(&call).unwrap_err()), expected, "{call:?}");
    }
    served.end();
}

/// If this fails, a line that somebody draws counts otherwise than the crowd itself.
#[test]
fn lines_and_areas_measure_as_the_crowd_does() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    let bounds = client.scene.as_ref().unwrap().bounds;
    let x = (bounds[0] + bounds[2]) / 2.0;
    let (a, b) = (Point(x, bounds[1]), Point(x, bounds[3]));
    let line =
        client.call(&Call::Draw { shape: Shape::Line(a, b) }).unwrap()["gauge"].as_u64().unwrap();
    let corners = vec![
        Point(x - 3.0, bounds[1]),
        Point(x, bounds[1]),
        Point(x, bounds[3]),
        Point(x - 3.0, bounds[3]),
    ];
    client.call(&Call::Draw { shape: Shape::Area(corners.clone()) }).unwrap();
    client.call(&Call::Step { count: 100 }).unwrap();
    arrive(&mut client, 100);
    let mut own = simulation("bottleneck", None);
    let mut gauges = Gauges::default();
    gauges.add_line([a.into(), b.into()]);
    let outer = corners.into_iter().map(Into::into).collect();
    gauges.add_area(throng::world::world::Polygon { outer, holes: Vec::new() });
    let mut columns = FrameColumns::default();
    gauges.prime(&columns.frame(own.crowd().unwrap()));
    let dt = own.crowd().unwrap().world().dt;
    for _ in 0..100 {
        own.step(dt).unwrap();
        gauges.look(&columns.frame(own.crowd().unwrap()));
    }
    let status = client.status.clone().unwrap();
    assert!(status.lines[0].count > 3, "people walk: {}", status.lines[0].count);
    assert_eq!(status.lines[0].count, gauges.lines()[0].1.count());
    assert_eq!(status.areas[0].people, gauges.areas()[0].1.people_now());
    assert!((status.areas[0].mean_density - gauges.areas()[0].1.density()).abs() < 1e-9);
    client.call(&Call::Erase { gauge: line }).unwrap();
    client.wait_for(SOON, |c| c.status.as_ref().is_some_and(|s| s.lines.is_empty())).unwrap();
    served.end();
}

/// If this fails, heat maps are empty or of another crowd.
#[test]
fn fields_come_on_request() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    for kind in FieldKind::ALL {
        client.call(&Call::Field { kind: Some(kind), goal: 0, fps: 4.0 }).unwrap();
        let end = Instant::now() + SOON;
        let field = loop {
            match client.next_news(end).unwrap().expect("a field comes") {
                News::Field(field) if field.kind == kind => break field,
                _ => {}
            }
        };
        assert!(field.cells.iter().any(|c| *c > 0), "{kind:?} is empty");
    }
    client.call(&Call::Field { kind: Some(FieldKind::Potential), goal: 999, fps: 4.0 }).unwrap();
    client.wait_for(SOON, |c| c.heard.iter().any(|n| matches!(n, News::Complaint(_)))).unwrap();
    served.end();
}

/// If this fails, the last minutes cannot be looked at, or doing so disturbs others.
#[test]
fn the_past_can_be_looked_at_by_one_alone() {
    let served = Served::paused("bottleneck");
    let (mut client, mut other) = (served.client(), served.client());
    for step in [20, 40, 60] {
        client.call(&Call::Step { count: 20 }).unwrap();
        arrive(&mut client, step);
        client.wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == step)).unwrap();
    }
    let found =
        client.call(&Call::Look(Look { step: Some(20) })).unwrap()["step"].as_u64().unwrap();
    let past = client.frame.clone().unwrap();
    assert!(past.head.past && past.head.step == found && found <= 20, "{found}");
    let (frame, _) = expected(found);
    assert_eq!((&past.ids, &past.records), (&frame.ids, &frame.records));
    other
        .wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == 60 && !f.head.past))
        .unwrap();
    client.call(&Call::Look(Look { step: None })).unwrap();
    client.call(&Call::Step { count: 1 }).unwrap();
    client
        .wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == 61 && !f.head.past))
        .unwrap();
    served.end();
}

/// If this fails, states, the way back, or recordings that others read do not work over the wire.
#[test]
fn states_and_recordings_work_over_the_wire() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    client.call(&Call::Record { format: Format::Txt, fps: 10.0 }).unwrap();
    client.call(&Call::Step { count: 30 }).unwrap();
    arrive(&mut client, 30);
    let recorded = client.call(&Call::Stop {}).unwrap()["recorded"].clone();
    assert_eq!((recorded["from"].as_u64(), recorded["to"].as_u64()), (Some(0), Some(30)));
    let (_, ending, path) =
        served.engine.feed.recording(recorded["recording"].as_u64().unwrap()).unwrap();
    assert_eq!(ending, "txt");
    let trajectory = throng::record::read_trajectory(&path).unwrap();
    assert!(trajectory.len() >= 15, "{}", trajectory.len());
    let hash = |client: &mut Client| client.call(&Call::Checkpoint {}).unwrap()["hash"].clone();
    let before = hash(&mut client);
    let state = client.call(&Call::Snapshot {}).unwrap()["state"].as_u64().unwrap();
    client.call(&Call::World(Command::Remove { agent: 1 })).unwrap();
    client.call(&Call::Step { count: 25 }).unwrap();
    arrive(&mut client, 55);
    let after = hash(&mut client);
    client.call(&Call::Restore { state }).unwrap();
    assert_eq!(hash(&mut client), before);
    client.call(&Call::Seek { step: 12 }).unwrap();
    arrive(&mut client, 12);
    client.call(&Call::Seek { step: 30 }).unwrap();
    arrive(&mut client, 30);
    assert_eq!(hash(&mut client), before);
    client.call(&Call::World(Command::Remove { agent: 1 })).unwrap();
    client.call(&Call::Step { count: 25 }).unwrap();
    arrive(&mut client, 55);
    assert_eq!(hash(&mut client), after);
    client.call(&Call::Reset {}).unwrap();
    arrive(&mut client, 0);
    let value: Value = client.call(&Call::Status {}).unwrap();
    assert_eq!(value["step"], 0);
    served.end();
}

/// If this fails, a view of a part of the ground gets everybody, or not whom it follows.
#[test]
fn a_view_gets_what_it_needs() {
    let served = Served::paused("bottleneck");
    let mut client = served.client();
    client.wait_for(SOON, |c| c.frame.is_some()).unwrap();
    let all = client.frame.clone().unwrap();
    let far = *all.ids.last().unwrap();
    client.call(&Call::Follow { agent: Some(far) }).unwrap();
    let [x0, y0, ..] = client.scene.as_ref().unwrap().bounds;
    let rect = Some([x0, y0, x0 + 4.0, y0 + 4.0]);
    client.call(&Call::Frames { fps: 30.0, rect, most: None }).unwrap();
    client.call(&Call::Step { count: 1 }).unwrap();
    client.wait_for(SOON, |c| c.frame.as_ref().is_some_and(|f| f.head.step == 1)).unwrap();
    let part = client.frame.clone().unwrap();
    assert!(part.head.part && part.ids.len() < all.ids.len() && part.ids.contains(&far));
    assert_eq!(part.head.people as usize, all.ids.len());
    served.end();
}
