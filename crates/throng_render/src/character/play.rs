//! What a character plays for the actions of a world: clips by name, and a ladder of gaits by speed.

use throng_character::BakedClips;
use throng_world::World;
use throng_world::world::{Action, Seek};

/// Actions are bytes.
const ACTIONS: usize = 256;
/// Most clips that a table names: ten bits.
const CLIPS: usize = 1023;
/// How fast somebody must be to be seen walking, and how slow to stand again (metres per second).
const STARTS: f32 = 0.22;
const STOPS: f32 = 0.12;
/// The same for somebody busy, who may be pushed about.
const PUSHED: f32 = 0.9;
/// Natural speed of a clip of a file that walks, and that runs, in body heights a second.
const WALKS: f32 = 0.75;
const RUNS: f32 = 2.0;

/// The table that `motion.wgsl` reads: rows of actions, then clips, then gaits; fours of words.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) words: Vec<[u32; 4]>,
    /// Where clips and gaits begin.
    pub(crate) clips: u32,
    pub(crate) gaits: u32,
}

/// What somebody does during an action.
#[derive(Clone, Debug, Default)]
struct Row {
    /// While it stands; everybody has one of them.
    still: Vec<usize>,
    /// Before that, once, in turn.
    intro: Vec<usize>,
    /// While it walks, slow to fast.
    gaits: Vec<usize>,
    busy: bool,
}

/// Names to try, in turn; those that a character lacks are passed over.
struct Names<'a> {
    clips: &'a BakedClips,
    own: &'a [(String, String)],
}

impl Names<'_> {
    /// A clip by its name; else by one that is like it in a file of another hand.
    fn find(&self, name: &str) -> Option<usize> {
        let exact = |name: &str| self.clips.find(name).filter(|i| *i < CLIPS);
        let told = self.own.iter().find(|(scene, _)| scene == name);
        if let Some(found) = told.and_then(|(_, own)| exact(own)) {
            return Some(found);
        }
        exact(name).or_else(|| self.like(name))
    }

    /// `walk` finds `Walk`, `Walking_A` and `CharacterArmature|Walk`; the shortest name is the plainest.
    fn like(&self, name: &str) -> Option<usize> {
        let fits = |own: &str| {
            let own = own.to_lowercase();
            own.split(|c: char| !c.is_alphanumeric()).any(|word| {
                word.strip_prefix(name).is_some_and(|end| matches!(end, "" | "ing" | "ning" | "s"))
            })
        };
        let all = self.clips.names.iter().enumerate().take(CLIPS).filter(|(_, own)| fits(own));
        all.min_by_key(|(i, own)| (own.len(), *i)).map(|(i, _)| i)
    }

    fn all(&self, names: &[&str]) -> Vec<usize> {
        let mut found = Vec::new();
        for clip in names.iter().filter_map(|name| self.find(name)) {
            if !found.contains(&clip) {
                found.push(clip);
            }
        }
        found
    }

    /// The first that there is.
    fn first(&self, names: &[&str]) -> Vec<usize> {
        names.iter().find_map(|name| self.find(name)).into_iter().collect()
    }
}

impl Play {
    pub(crate) fn new(clips: &BakedClips, world: &World, own: &[(String, String)]) -> Self {
        let names = Names { clips, own };
        let mut gaits: Vec<[u32; 4]> = Vec::new();
        let mut words = Vec::new();
        let usual = Action {
            name: String::new(),
            clip: "walk".to_owned(),
            seek: Seek::Target,
            speed: 1.0,
            seconds: None,
            carries: 0,
            tires: 0.0,
            aggression: 1.0,
        };
        for i in 0..ACTIONS {
            let action = world.actions.get(i).unwrap_or(&usual);
            let row = row(&names, action);
            let mut ladder: Vec<[u32; 4]> = row.gaits.iter().map(|i| gait(clips, *i)).collect();
            ladder.sort_by(|a, b| f32::from_bits(a[2]).total_cmp(&f32::from_bits(b[2])));
            let first = gaits.len() as u32;
            gaits.extend(&ladder);
            let list = |clips: &[usize]| {
                let bits = clips.iter().take(3).enumerate();
                let bits = bits.fold(0, |bits, (i, clip)| bits | (*clip as u32) << (10 * i));
                bits | (clips.len().min(3) as u32) << 30
            };
            let guess = if action.seek == Seek::Nothing { 0.0 } else { 1.2 * action.speed };
            let (starts, stops) = if row.busy { (PUSHED, PUSHED * 0.7) } else { (STARTS, STOPS) };
            words.push([list(&row.still), list(&row.intro), first, ladder.len() as u32]);
            words.push([starts.to_bits(), stops.to_bits(), guess.to_bits(), 0]);
        }
        let first_clip = words.len() as u32;
        for clip in clips.table.iter().take(CLIPS) {
            let [a, b, c, d, e, f, g, h]: [u32; 8] = bytemuck::cast(*clip);
            words.extend([[a, b, c, d], [e, f, g, h]]);
        }
        let first_gait = words.len() as u32;
        words.extend(gaits);
        Self { words, clips: first_clip, gaits: first_gait }
    }
}

/// Clip, stride and natural speed, in body heights.
fn gait(clips: &BakedClips, clip: usize) -> [u32; 4] {
    let it = &clips.table[clip];
    let seconds = it.duration.max(0.05);
    let runs =
        ["run", "flee", "gallop"].iter().any(|n| clips.names[clip].to_lowercase().contains(n));
    let speed = match it.stride > 0.0 {
        true => it.stride / seconds,
        false if runs => RUNS,
        false => WALKS,
    };
    [clip as u32, (speed * seconds).to_bits(), speed.to_bits(), 0]
}

fn row(names: &Names<'_>, action: &Action) -> Row {
    let idle = || names.all(&["idle", "idle_tap", "look_around", "survey", "stand"]);
    let strolls = || names.all(&["walk_slow", "walk", "walk_fast", "run", "gallop"]);
    let loaded = || names.all(&["walk_loaded", "run_loaded"]);
    let mut row = match action.clip.as_str() {
        "run" | "flee" if action.seek == Seek::Away => Row {
            still: names.first(&["fear"]),
            gaits: names.all(&["walk_fast", "flee"]),
            ..Row::default()
        },
        "wait" | "queue" => Row {
            still: names.all(&["queue", "idle_scratch", "talk"]),
            gaits: names.all(&["shuffle", "walk_slow", "walk", "walk_fast"]),
            ..Row::default()
        },
        "carry" => Row { still: names.first(&["carry"]), gaits: loaded(), ..Row::default() },
        "sit" | "rest" => Row {
            intro: names.all(&["sit_down"]),
            still: names.first(&["sit"]),
            busy: true,
            ..Row::default()
        },
        "sleep" | "lie" => Row {
            intro: names.all(&["sit_down", "lie_down"]),
            still: names.first(&["sleep"]),
            busy: true,
            ..Row::default()
        },
        "walk" => Row::default(),
        other => {
            let found = names.find(other);
            let walks = found.is_some_and(|clip| names.clips.table[clip].stride > 0.0);
            let found: Vec<usize> = found.into_iter().collect();
            match walks || action.seek != Seek::Nothing {
                true => Row { gaits: found, ..Row::default() },
                false => Row { busy: !found.is_empty(), still: found, ..Row::default() },
            }
        }
    };
    if action.carries > 0 && action.clip == "walk" {
        row = Row { still: names.first(&["carry"]), gaits: loaded(), ..Row::default() };
    }
    if row.still.is_empty() {
        row.still = idle();
    }
    if row.still.is_empty() {
        row.still = vec![0];
    }
    if row.gaits.is_empty() {
        row.gaits = strolls();
    }
    row
}
