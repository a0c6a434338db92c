//! Where everybody was, frame by frame: what all measures are taken from, whether simulated or recorded.

use glam::DVec2;

/// One person's way. It was there in every frame from its first to its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its number.
    pub id: u32,
    /// Its group (index into the scene's groups).
    pub group: usize,
    /// Its free walking speed (metres per second), where that is known.
    pub free_speed: Option<f64>,
    /// The frame in which it appeared.
    pub first: usize,
    /// Its place in every frame since (metres).
    pub places: Vec<DVec2>,
}

impl Track {
    /// The frame after its last.
    pub fn end(&self) -> usize {
        self.first + self.places.len()
    }

    /// Its place in a frame, if it was there.
    pub fn at(&self, frame: usize) -> Option<DVec2> {
        self.places.get(frame.checked_sub(self.first)?).copied()
    }

    /// Its first place.
    pub fn start(&self) -> DVec2 {
        self.places.first().copied().unwrap_or(DVec2::NAN)
    }

    /// Its last place.
    pub fn last(&self) -> DVec2 {
        self.places.last().copied().unwrap_or(DVec2::NAN)
    }
}

/// Everybody's ways, with the same time between any two frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectories {
    /// Time from one frame to the next (seconds).
    pub frame_seconds: f64,
    /// Number of frames.
    pub frames: usize,
    /// By number.
    pub tracks: Vec<Track>,
}

impl Trajectories {
    /// None yet.
    pub fn new(frame_seconds: f64) -> Self {
        Self { frame_seconds, frames: 0, tracks: Vec::new() }
    }

    /// The time of a frame (seconds).
    pub fn time(&self, frame: usize) -> f64 {
        frame as f64 * self.frame_seconds
    }

    /// The frame nearest to a time, within those there are.
    pub fn frame_at(&self, seconds: f64) -> usize {
        ((seconds / self.frame_seconds).round().max(0.0) as usize)
            .min(self.frames.saturating_sub(1))
    }

    /// Everybody who is there in a frame: index of the track and place.
    pub fn present(&self, frame: usize) -> impl Iterator<Item = (usize, DVec2)> + '_ {
        self.tracks.iter().enumerate().filter_map(move |(i, track)| Some((i, track.at(frame)?)))
    }

    /// Those for whom a condition holds, in the same frames.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(&Track) -> bool) -> Self {
        let tracks = self.tracks.iter().filter(|track| wanted(track)).cloned().collect();
        Self { frame_seconds: self.frame_seconds, frames: self.frames, tracks }
    }

    /// The same with every place moved.
    #[must_use]
    pub fn moved(mut self, place: impl Fn(DVec2) -> DVec2) -> Self {
        for p in self.tracks.iter_mut().flat_map(|track| &mut track.places) {
            *p = place(*p);
        }
        self
    }
}
