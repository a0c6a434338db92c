//! What can be said about a scene's data without building it: names that fit together, choices that
//! are made once, numbers that agree with each other.

use super::data::{
    DistributionData, GoalData, GroupData, NamesData, SceneData, ShapeData, SpawnData,
};
use super::problem::{Findings, quoted, suggest};

/// Words that `seek` and `goal` take besides names of goals.
pub(super) const TARGET: &str = "target";
pub(super) const AWAY: &str = "away";
pub(super) const NOTHING: &str = "nothing";

/// Most people of a scene at its start.
pub(super) const MAX_AGENTS: f64 = 16_777_216.0;

/// Notes every problem.
pub(super) fn check(data: &SceneData, findings: &mut Findings) {
    let mut check = Check { data, findings };
    check.names();
    for (i, goal) in data.goal.iter().enumerate() {
        check.goal(&format!("goal[{i}]"), goal);
    }
    for (i, group) in data.group.iter().enumerate() {
        check.group(&format!("group[{i}]"), group);
    }
    for (i, spawn) in data.spawn.iter().enumerate() {
        check.spawn(&format!("spawn[{i}]"), spawn);
    }
    check.hazards();
    check.behaviour();
    check.counts();
}

struct Check<'a> {
    data: &'a SceneData,
    findings: &'a mut Findings,
}

impl<'a> Check<'a> {
    fn goal_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.data.goal.iter().map(|g| g.name.as_str())
    }

    fn names(&mut self) {
        let lists: [(&str, Vec<&str>); 4] = [
            ("goal", self.goal_names().collect()),
            ("group", self.data.group.iter().map(|g| g.name.as_str()).collect()),
            ("action", self.data.action.iter().map(|a| a.name.as_str()).collect()),
            ("hazard", self.data.hazard.iter().map(|h| h.name.as_str()).collect()),
        ];
        for (list, names) in lists {
            for (i, name) in names.iter().enumerate() {
                let key = format!("{list}[{i}].name");
                if names[..i].contains(name) {
                    let what = format!("there are two of the name {}", quoted(name));
                    self.findings.add(&key, what, "give each a name of its own");
                }
                if name.trim() != *name || name.chars().any(char::is_control) {
                    let what =
                        format!("{} has spaces around it or control characters", quoted(name));
                    self.findings.add(&key, what, "remove them");
                }
            }
        }
        for (i, name) in self.goal_names().enumerate() {
            if [TARGET, AWAY, NOTHING].contains(&name) {
                let what = format!("`{name}` means something else to actions");
                self.findings.add(format!("goal[{i}].name"), what, "choose another name");
            }
        }
        if self.data.group.len() > 4096 {
            self.findings.add("group", "there are too many groups", "give at most 4096");
        }
        if self.data.goal.len() > 4096 {
            self.findings.add("goal", "there are too many goals", "give at most 4096");
        }
        if self.data.group.is_empty() {
            let cure = "add a `[[group]]` with a `name` and a `goal`";
            self.findings.add("", "there is no group of people", cure);
        }
        if self.data.spawn.is_empty() {
            let cure = "add a `[[spawn]]` with a `group`, a `count` and a place";
            self.findings.add("", "nobody comes: there is no spawn", cure);
        }
    }

    fn color(&mut self, key: &str, color: Option<&String>) {
        if let Some(color) = color
            && parse_color(color).is_none()
        {
            let what = format!("{} is no colour", quoted(color));
            let cure = "write red, green and blue in hexadecimal, such as \"#3070c0\"";
            self.findings.add(format!("{key}.color"), what, cure);
        }
    }

    fn goal(&mut self, key: &str, goal: &GoalData) {
        self.color(key, goal.color.as_ref());
        let ways = usize::from(shape_given(&goal.shape))
            + usize::from(!goal.places.is_empty())
            + usize::from(goal.scatter.is_some());
        if ways == 0 {
            let cure = "give a shape (such as `disc = [x, y, radius]`), `places` or `scatter`";
            self.findings.add(key, "it is nowhere", cure);
        }
        if let Some(scatter) = &goal.scatter {
            self.ordered(&format!("{key}.scatter.radius"), scatter.radius);
        }
    }

    fn ordered(&mut self, key: &str, pair: [f64; 2]) {
        if pair[0] > pair[1] {
            let what = format!("the smallest ({}) is above the largest ({})", pair[0], pair[1]);
            self.findings.add(key, what, "give the smaller one first");
        }
    }

    fn group(&mut self, key: &str, group: &GroupData) {
        self.color(key, group.color.as_ref());
        self.distribution(&format!("{key}.radius"), &group.radius, 0.05, 5.0);
        self.distribution(&format!("{key}.speed"), &group.speed, 0.01, 20.0);
        self.distribution(&format!("{key}.premovement"), &group.premovement, 0.0, 1e6);
        let given = [
            group.goal.is_some(),
            group.visit.is_some(),
            !group.choose.is_empty(),
            group.starts.is_some(),
        ];
        match given.iter().filter(|g| **g).count() {
            1 => {}
            0 => {
                let cure =
                    "add `goal = …`, `visit = […]`, `choose = […]` or `starts = …` (an action)";
                self.findings.add(key, "it has nothing to do", cure);
            }
            _ => {
                let what = "it has more than one of `goal`, `visit`, `choose` and `starts`";
                self.findings.add(key, what, "keep one of them");
            }
        }
        if let Some(goal) = &group.goal {
            self.destination(&format!("{key}.goal"), goal);
        }
        for (i, visit) in group.visit.iter().flatten().enumerate() {
            let key = format!("{key}.visit[{i}]");
            self.destination(&key, visit.goal());
            if let super::data::VisitData::Stay { seconds: Some(seconds), .. } = visit {
                self.distribution(&format!("{key}.seconds"), seconds, 0.0, 1e6);
            }
        }
        for (i, choice) in group.choose.iter().enumerate() {
            self.destination(&format!("{key}.choose[{i}].goal"), &choice.goal);
        }
        if !group.choose.is_empty() && group.choose.iter().all(|c| c.share <= 0.0) {
            let cure = "give at least one a share above 0";
            self.findings.add(format!("{key}.choose"), "nobody can choose any of them", cure);
        }
        if let Some(starts) = &group.starts {
            self.action(&format!("{key}.starts"), starts);
        }
        if group.again && group.visit.is_none() {
            let cure = "add `visit = […]` or remove `again`";
            self.findings.add(format!("{key}.again"), "there are no visits to start again", cure);
        }
    }

    fn destination(&mut self, key: &str, goal: &str) {
        if goal == TARGET || self.goal_names().any(|name| name == goal) {
            return;
        }
        let what = format!("there is no goal {}", quoted(goal));
        let known: Vec<&str> = self.goal_names().chain([TARGET]).collect();
        self.findings.add(key, what, suggest(goal, known));
    }

    fn action(&mut self, key: &str, action: &str) {
        if !self.data.action.iter().any(|a| a.name == action) {
            let what = format!("there is no action {}", quoted(action));
            let cure = suggest(action, self.data.action.iter().map(|a| a.name.as_str()));
            self.findings.add(key, what, cure);
        }
    }

    fn distribution(&mut self, key: &str, value: &DistributionData, low: f32, high: f32) {
        let distribution = super::build::distribution(value, low);
        let (min, max) = (distribution.min(), distribution.max());
        if min > max {
            let what = format!("the smallest value ({min}) is above the largest ({max})");
            self.findings.add(key, what, "give the smaller one first");
        } else if min < low || max > high {
            let what = format!("values reach from {min} to {max}");
            self.findings.add(key, what, format!("keep them within {low} and {high}"));
        }
    }

    fn spawn(&mut self, key: &str, spawn: &SpawnData) {
        if !self.data.group.iter().any(|g| g.name == spawn.group) {
            let what = format!("there is no group {}", quoted(&spawn.group));
            let known: Vec<&str> = self.data.group.iter().map(|g| g.name.as_str()).collect();
            self.findings.add(format!("{key}.group"), what, suggest(&spawn.group, known));
        }
        let exact = !spawn.positions.is_empty();
        let amounts = usize::from(spawn.count.is_some())
            + usize::from(spawn.density.is_some())
            + usize::from(spawn.rate.is_some());
        if amounts > 1 || amounts == 0 && !exact {
            let what = if amounts == 0 {
                "it does not say how many come"
            } else {
                "it says more than once how many come"
            };
            self.findings.add(key, what, "give one of `count`, `density` and `rate`");
        }
        let places = usize::from(shape_given(&spawn.shape))
            + usize::from(!spawn.places.is_empty())
            + usize::from(exact)
            + usize::from(spawn.ring.is_some())
            + usize::from(spawn.anywhere);
        if places != 1 {
            let what = if places == 0 {
                "it does not say where people come from"
            } else {
                "it says more than once where people come from"
            };
            let cure = "give one of a shape (such as `rect`), `places`, `positions`, `ring` and `anywhere`";
            self.findings.add(key, what, cure);
        }
        if spawn.density.is_some() && (exact || spawn.ring.is_some()) {
            let what = "exact places have no density";
            self.findings.add(format!("{key}.density"), what, "give `count` instead");
        }
        if spawn.rate.is_none()
            && (spawn.until.is_some() || spawn.at_most.is_some() || spawn.from > 0.0)
        {
            let what = "`from`, `until` and `at_most` belong to a stream";
            self.findings.add(key, what, "add `rate` (people per second) or remove them");
        }
        if spawn.until.is_some_and(|until| until <= spawn.from) {
            let what = "the stream ends before it starts";
            self.findings.add(format!("{key}.until"), what, "give a time after `from`");
        }
        if let Some(ring) = spawn.ring
            && ring[2] <= 0.0
        {
            self.findings.add(
                format!("{key}.ring"),
                "its radius is not positive",
                "give x, y, radius",
            );
        }
        let target = spawn.target.as_ref().map_or(1, |t| {
            usize::from(t.opposite.is_some())
                + usize::from(!t.at.is_empty())
                + usize::from(t.random.is_some())
        });
        if target != 1 {
            let cure = "give exactly one of `opposite`, `at` and `random`";
            self.findings.add(format!("{key}.target"), "it is not clear what the target is", cure);
        }
        let group = self.data.group.iter().find(|g| g.name == spawn.group);
        if spawn.target.is_none() && group.is_some_and(|g| g.seeks_target(self.data)) {
            let what = format!("group {} walks to targets but has none here", quoted(&spawn.group));
            self.findings.add(key, what, "add `target = { opposite = [x, y] }` or the like");
        }
    }

    fn hazards(&mut self) {
        for (i, hazard) in self.data.hazard.iter().enumerate() {
            let key = format!("hazard[{i}]");
            self.color(&key, hazard.color.as_ref());
            if hazard.path.is_empty() == hazard.scatter.is_none() {
                let cure = "give either `path = [[x, y], …]` or `scatter`";
                self.findings.add(&key, "it is not clear where it is", cure);
            }
            if hazard.path.len() > 1 && hazard.speed <= 0.0 {
                let what = "it has a way but does not move";
                self.findings.add(&key, what, "add `speed = …` or give one corner only");
            }
            if hazard.until.is_some_and(|until| until <= hazard.from) {
                let what = "it goes before it appears";
                self.findings.add(format!("{key}.until"), what, "give a time after `from`");
            }
        }
    }

    fn behaviour(&mut self) {
        for (i, action) in self.data.action.iter().enumerate() {
            let key = format!("action[{i}]");
            let seek = action.seek.as_str();
            if ![TARGET, AWAY, NOTHING].contains(&seek) && !self.goal_names().any(|n| n == seek) {
                let what = format!("there is no goal {}", quoted(seek));
                let known: Vec<&str> = self.goal_names().chain([TARGET, AWAY, NOTHING]).collect();
                self.findings.add(format!("{key}.seek"), what, suggest(seek, known));
            }
            if let Some(seconds) = &action.seconds {
                self.distribution(&format!("{key}.seconds"), seconds, 0.0, 1e6);
            }
        }
        for (i, rule) in self.data.rule.iter().enumerate() {
            let key = format!("rule[{i}]");
            let names =
                |names: Option<&NamesData>| names.map_or(Vec::new(), |n| n.names().to_vec());
            for name in names(rule.from.as_ref()) {
                self.action(&format!("{key}.from"), &name);
            }
            for name in names(rule.groups.as_ref()) {
                if !self.data.group.iter().any(|g| g.name == name) {
                    let what = format!("there is no group {}", quoted(&name));
                    let known = self.data.group.iter().map(|g| g.name.as_str());
                    self.findings.add(format!("{key}.groups"), what, suggest(&name, known));
                }
            }
            match &rule.to {
                Some(to) => self.action(&format!("{key}.to"), to),
                None if rule.resume => {}
                None => {
                    let cure = "add `to = …` (an action) or `resume = true`";
                    self.findings.add(&key, "it leads nowhere", cure);
                }
            }
        }
        let starts = self.data.group.iter().any(|g| g.starts.is_some());
        if !starts && !self.data.action.is_empty() {
            let what = "no group starts with any action";
            self.findings.add("action", what, "give a group `starts = …` or remove the actions");
        }
    }

    fn counts(&mut self) {
        let total: f64 = self.data.spawn.iter().map(|s| f64::from(s.count.unwrap_or(0))).sum();
        if total > MAX_AGENTS {
            let what = format!("{total} people start at once");
            self.findings.add("spawn", what, format!("give at most {MAX_AGENTS} in all"));
        }
    }
}

impl GroupData {
    /// Whether it walks to private targets.
    fn seeks_target(&self, data: &SceneData) -> bool {
        let start = self.starts.as_deref();
        self.goal.as_deref() == Some(TARGET)
            || self.visit.iter().flatten().any(|v| v.goal() == TARGET)
            || self.choose.iter().any(|c| c.goal == TARGET)
            || data.action.iter().any(|a| Some(a.name.as_str()) == start && a.seek == TARGET)
    }
}

/// Whether a shape is given at all.
pub(super) fn shape_given(shape: &ShapeData) -> bool {
    let ShapeData { repeat: _, .. } = shape;
    *shape != ShapeData::default()
}

/// `"#rrggbb"`.
pub(super) fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let byte = |i: usize| u8::from_str_radix(digits.get(i..i + 2)?, 16).ok();
    let sign = digits.contains('+') || digits.contains('-');
    (!sign).then_some([byte(0)?, byte(2)?, byte(4)?])
}
