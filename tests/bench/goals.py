# SPDX-License-Identifier: MIT
"""The goals that the engine is held to, each beside what was measured."""

import statistics

from measures import (cold_ms, geometric_mean, groups, hardness, one_thread_ratio, pooled, refit_ratios,
                      reuse_ratios, spread, two_threads_ratio)

SIZES = (0.7, 2.5, 12)
STROKE_GOALS = {0.7: (0.6, 10), 2.5: (1.2, 15), 12: (5, 60)}
MEMORY_GOALS = {8: 44, 4: 30}
GUIDES = {(2.5, "easy"): 60, (2.5, "hard"): 650, (12, "easy"): 350, (12, "hard"): 6000}
PREVIEW_GOALS = {2.5: 10, 12: 25}


def at_least(what, goal, values):
  """One goal: the geometric mean of some ratios."""
  if not values:
    return what, f"≥ {goal:g}×", "not measured", None
  mean = geometric_mean(values)
  text = f"{mean:.1f}×" + (f" ({min(values):.1f} … {max(values):.1f})" if len(values) > 1 else "")
  return what, f"≥ {goal:g}×", text, mean >= goal


def at_most(what, goal, unit, values):
  if not values:
    return what, f"≤ {goal:g} {unit}", "not measured", None
  return what, f"≤ {goal:g} {unit}", f"{max(values):.1f} {unit}", max(values) <= goal


def cold_goals(found):
  for size in SIZES:
    rows = [r for r in found.get((size, 8), []) if "bk" in r]
    hard = [r for r in rows if hardness(r) == "hard"]
    at = f"cold at {size:g} MP, 8 neighbours"
    yield at_least(f"{at}, one thread, against BK", 4.5, [one_thread_ratio(r) for r in rows])
    yield at_least(f"{at}, one thread, hard photos", 3.3, [one_thread_ratio(r) for r in hard])
    yield at_least(f"{at}, two threads (wall)", 6.5, [two_threads_ratio(r) for r in rows if "threads_wall" in r])
    four = [r for r in found.get((size, 4), []) if "bk" in r]
    yield at_least(f"cold at {size:g} MP, 4 neighbours, one thread", 3.8, [one_thread_ratio(r) for r in four])


def worst_stroke(rows):
  """Which photo has it, and how many pixels it turned."""
  times = [(t, turned, r["photo"]) for r in rows
           for t, turned in zip(r["stroke"]["ours"], r["stroke"]["turned"])]
  _, turned, photo = max(times)
  return f"{photo}, {turned:,} pixels turned"


def stroke_goals(found):
  for size, (median, worst) in STROKE_GOALS.items():
    rows = [r for r in found.get((size, 8), []) if "stroke" in r]
    times = pooled(rows, "stroke", "ours")
    what, goal = f"a stroke at {size:g} MP, median / worst", f"≤ {median:g} / {worst:g} ms"
    versus = f"a stroke at {size:g} MP against BK's own re-use"
    if not times:
      yield what, goal, "not measured", None
      yield versus, "≥ 1.3×", "not measured", None
      continue
    met = statistics.median(times) <= median and max(times) <= worst
    yield what, goal, f"{spread(times)} ms ({worst_stroke(rows)})", met
    total, middle = reuse_ratios(rows)
    yield versus, "≥ 1.3×", f"{total:.1f}× all strokes, {middle:.1f}× the median", min(total, middle) >= 1.3


def refit_goals(found):
  every = [ratio for rows in found.values() for ratio in refit_ratios(rows)]
  eight = [ratio for (_, neighbours), rows in found.items() if neighbours == 8 for ratio in refit_ratios(rows)]
  if eight:
    yield ("a refit against our own cold solve, every photo", "> 1×", f"{min(every):.2f}× at worst", min(every) > 1)
    middle = statistics.median(eight)
    yield "a refit against our own cold solve, 8 neighbours, median", "≥ 1.8×", f"{middle:.2f}×", middle >= 1.8


def preview_goals(rows):
  for size, goal in PREVIEW_GOALS.items():
    hard = [r for r in rows if r["size"] == size and hardness(r) == "hard"]
    yield at_least(f"preview at {size:g} MP against our own cold solve, hard photos", goal,
                   [r["exact"] / r["first"] for r in hard])
  shares = [100 * r["memory"] / r["exact_memory"] for r in rows if r["size"] == 12]
  yield at_most("memory of the preview at 12 MP, share of the exact problem's, worst photo", 20, "%", shares)


def pipeline_goals(rows):
  for size in (2.5, 12):
    yield at_least(f"the whole `cut` at {size:g} MP against OpenCV's grabCut, one thread each", 15,
                   [r["opencv"] / r["ours"] for r in rows if r["size"] == size])


def guides(found):
  """Absolute figures, which depend on the machine."""
  for (size, kind), goal in GUIDES.items():
    rows = [r for r in found.get((size, 8), []) if hardness(r) == kind and "threads_wall" in r]
    times = [r["threads_wall"] for r in rows]
    what = f"guide: cold at {size:g} MP, {kind} photos, two threads (wall)"
    if not times:
      yield what, f"≤ {goal} ms", "not measured", None
      continue
    yield (what, f"≤ {goal} ms", f"{min(times):.0f} … {max(times):.0f} ms", max(times) <= goal)


def goals(result):
  """[(what, goal, measured, met)], met None where nothing was measured."""
  found = dict(groups(result["solver"]))
  yield from cold_goals(found)
  for neighbours, goal in MEMORY_GOALS.items():
    sizes = [r["bytes_per_pixel"] for (_, n), rows in found.items() if n == neighbours for r in rows]
    yield at_most(f"memory of one {neighbours}-neighbour problem, worst photo", goal, "bytes a pixel", sizes)
  yield from stroke_goals(found)
  yield from refit_goals(found)
  yield from preview_goals(result["preview"])
  yield from pipeline_goals(result["pipeline"])
  yield from guides(found)
