"""Times JuPedSim's collision-free speed model on a problem that `throng bench crowd` hands over.

Usage: jupedsim_peer.py FOLDER, which holds
  problem.json  {"agents": n, "dt": s, "warm_up": steps, "turns": n, "steps": per turn}
  problem.f32   little-endian floats: n of x, then of y, radius, speed, goal x, goal y
Leaves positions.f32 there: n of x, then n of y, at the end of each turn.
Answers on standard output with {"version": ..., "ms": [milliseconds per step of each turn],
"bytes": by which the process grew, or null where that is not known}, or {"missing": reason}.
"""
import json
import os
import pathlib
import sys
import time

import numpy as np

ROOM = 10.0  # metres between the farthest goal and the wall


def build(jps, columns, dt):
    """A square without obstacles around all goals, and everybody in it with a target of their own."""
    x, y, radius, speed, goal_x, goal_y = columns.astype(float)
    reach = max(np.abs(v).max() for v in (x, y, goal_x, goal_y)) + ROOM
    square = [(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]
    simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=square, dt=dt)
    stage = simulation.add_direct_steering_stage()
    journey = simulation.add_journey(jps.JourneyDescription([stage]))
    ids = []
    for i in range(len(x)):
        parameters = jps.CollisionFreeSpeedModelAgentParameters(
            position=(x[i], y[i]),
            radius=radius[i],
            desired_speed=speed[i],
            journey_id=journey,
            stage_id=stage,
        )
        ids.append(simulation.add_agent(parameters))
        simulation.agent(ids[-1]).target = (goal_x[i], goal_y[i])
    return simulation, ids


def resident():
    """Bytes of this process in memory; None where the system does not tell."""
    try:
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def main():
    try:
        import jupedsim as jps
    except ImportError as error:
        return {"missing": str(error)}
    folder = pathlib.Path(sys.argv[1])
    problem = json.loads((folder / "problem.json").read_text())
    columns = np.fromfile(folder / "problem.f32", "<f4").reshape(6, problem["agents"])
    before = resident()
    simulation, ids = build(jps, columns, problem["dt"])
    simulation.iterate(problem["warm_up"])
    grown = before and resident() - before
    times = []
    with open(folder / "positions.f32", "wb") as positions:
        for _ in range(problem["turns"]):
            started = time.perf_counter()
            simulation.iterate(problem["steps"])
            times.append(1e3 * (time.perf_counter() - started) / problem["steps"])
            places = np.array([simulation.agent(i).position for i in ids])
            positions.write(places.T.astype("<f4").tobytes())
    return {"version": jps.__version__, "ms": times, "bytes": grown}


if __name__ == "__main__":
    json.dump(main(), sys.stdout)
