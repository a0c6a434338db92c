//! A crowd as a frame of a recording.

use throng_crowd::Crowd;
use throng_record::AgentFrame;

/// Memory for the columns of a frame that a crowd holds in another form, kept from frame to frame.
///
/// ```
/// # use throng::{BuildOptions, Crowd, CrowdMap, CrowdOptions, FrameColumns, MapExtras, Scene};
/// # let world = Scene::open("bottleneck")?.build(&BuildOptions::default())?;
/// let crowd = Crowd::new(world.clone(), CrowdOptions::default())?;
/// let mut columns = FrameColumns::default();
/// let mut map = CrowdMap::new(&world);
/// let image = map.render(&columns.frame(&crowd), &MapExtras::default())?;
/// assert_eq!(image.width(), 1200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameColumns {
    group: Vec<u8>,
    action: Vec<u8>,
}

impl FrameColumns {
    /// The crowd as it stands, for maps and trajectory writers.
    pub fn frame<'a>(&'a mut self, crowd: &'a Crowd) -> AgentFrame<'a> {
        self.group.clear();
        self.group.extend(crowd.traits().iter().map(|t| t.group));
        self.action.clear();
        self.action.extend(crowd.traits().iter().map(|t| t.action));
        AgentFrame {
            step: crowd.steps(),
            time: crowd.time(),
            ids: crowd.ids(),
            x: crowd.x(),
            y: crowd.y(),
            vx: crowd.vx(),
            vy: crowd.vy(),
            group: &self.group,
            action: &self.action,
            radius: crowd.radius(),
        }
    }
}
