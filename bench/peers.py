"""Times scikit-fmm and pyekfmm on the problems that `throng bench field` hands over.

Usage: peers.py PROBLEMS.json, a list of {"cost": FILE.npy, "source": [x, y], "repeats": N}.
Answers on standard output with one JSON object: per peer a list of {"ms": best time, "error_max": …}
in the order of the problems, or {"missing": reason}.
"""
import json
import sys
import time

import numpy as np


def best(repeats, run):
    times, result = [], None
    for _ in range(repeats):
        started = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - started)
    return 1e3 * min(times), result


def distance_error(field, source):
    """Largest error against the exact distance, where the cost is 1 everywhere."""
    y, x = np.indices(field.shape)
    exact = np.hypot(x - source[0], y - source[1])
    return float(np.max(np.abs(field - exact)))


def scikit_fmm(cost, source, order):
    import skfmm

    # The zero level passes half a cell around the source: it has no notion of a source cell.
    phi = np.ones(cost.shape)
    phi[source[1], source[0]] = -1.0
    walls = ~np.isfinite(cost)
    speed = np.where(walls, 1.0, 1.0 / np.where(walls, 1.0, cost))
    if walls.any():
        phi = np.ma.MaskedArray(phi, walls)
    return lambda: skfmm.travel_time(phi, speed, order=order)


def pyekfmm(cost, source, order):
    import pyekfmm as fmm

    if not np.isfinite(cost).all():
        return None  # it has no walls
    height, width = cost.shape
    speed = (1.0 / cost).astype(np.float32).T.flatten(order="F")
    place = np.array([float(source[0]), float(source[1]), 0.0])
    ax, ay, az = [0, 1.0, width], [0, 1.0, height], [0, 1.0, 1]

    def run():
        times = fmm.eikonal(speed, xyz=place, ax=ax, ay=ay, az=az, order=order, verb=0)
        return times.reshape(width, height, order="F").T

    return run


def main():
    with open(sys.argv[1]) as file:
        problems = json.load(file)
    answers = {}
    for name, make, order in [
        ("scikit-fmm order 1", scikit_fmm, 1),
        ("scikit-fmm order 2", scikit_fmm, 2),
        ("pyekfmm order 2", pyekfmm, 2),
    ]:
        rows = []
        try:
            for problem in problems:
                cost = np.load(problem["cost"]).astype(np.float64)
                run = make(cost, problem["source"], order)
                if run is None:
                    rows.append(None)
                    continue
                ms, field = best(problem["repeats"], run)
                row = {"ms": ms}
                if np.all(cost == 1.0):
                    row["error_max"] = distance_error(np.asarray(field), problem["source"])
                rows.append(row)
            answers[name] = {"rows": rows}
        except ImportError as error:
            answers[name] = {"missing": str(error)}
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
