"""Loads our trajectory files with PedPy and measures them; prints JSON, a row per file.

Called by venv.rs: measure.py FILE.sqlite FILE.txt FRAME_STEP (of speeds), then x0 y0 x1 y1 of the
measurement area and of the measurement line.
"""

import json
import pathlib
import sys

import pedpy
import shapely

ROWS = []
sqlite, text = (pathlib.Path(name) for name in sys.argv[1:3])
FRAME_STEP = int(sys.argv[3])
x0, y0, x1, y1, *ends = (float(value) for value in sys.argv[4:12])


def text_area(path):
    """PedPy's text has no geometry of its own; ours stands in its head."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# geometry: "):
                return pedpy.WalkableArea(line.removeprefix("# geometry: ").strip())
    raise ValueError("no geometry")


def last_crossings(places, line):
    """Frames of those who cross with the very last movement of a recording, whom PedPy leaves out."""
    last = places.frame.max()
    ends = places[places.frame == last].set_index("id")
    starts = places[places.frame == last - 1].set_index("id")
    both = starts.join(ends, lsuffix="0", rsuffix="1", how="inner")
    ways = shapely.linestrings(
        [[(p.x0, p.y0), (p.x1, p.y1)] for p in both.itertuples()]
    )
    # Who ends on the line has not crossed it; as PedPy has it.
    arrived = shapely.distance(shapely.points(both.x1, both.y1), line.line) > 1e-5
    return [last] * int((shapely.intersects(ways, line.line) & arrived).sum())


for trajectory, area in (
    (
        pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=sqlite),
        pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=sqlite),
    ),
    (pedpy.load_trajectory_from_txt(trajectory_file=text), text_area(text)),
):
    measured = pedpy.MeasurementArea([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    line = pedpy.MeasurementLine([ends[:2], ends[2:]])
    density = pedpy.compute_classic_density(traj_data=trajectory, measurement_area=measured)
    speed = pedpy.compute_individual_speed(
        traj_data=trajectory,
        frame_step=FRAME_STEP,
        speed_calculation=pedpy.SpeedCalculation.BORDER_EXCLUDE,
    )
    places = speed.merge(trajectory.data, on=["id", "frame"])
    inside = places[places.x.between(x0, x1) & places.y.between(y0, y1)]
    _, crossings = pedpy.compute_n_t(traj_data=trajectory, measurement_line=line)
    frames = sorted(crossings.frame) + last_crossings(trajectory.data, line)
    seconds = (frames[-1] - frames[0]) / trajectory.frame_rate
    ROWS.append(
        {
            "frame_rate": trajectory.frame_rate,
            "rows": len(trajectory.data),
            "valid": bool(
                pedpy.is_trajectory_valid(traj_data=trajectory, walkable_area=area)
            ),
            "holes": len(area.polygon.interiors),
            "area": area.polygon.area,
            "density": float(density.density.mean()),
            "speed": float(speed.speed.mean()),
            "speed_inside": float(inside.speed.mean()),
            "crossed": len(frames),
            "flow": (len(frames) - 1) / seconds,
        }
    )
print(json.dumps(ROWS))
