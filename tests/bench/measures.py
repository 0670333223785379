# SPDX-License-Identifier: MIT
"""What the rows of build/bench.json come to: ratios, means, and how hard a photo is."""

import math
import statistics

# Our own cold solve with one thread, in microseconds a pixel: photos differ far more than codes do.
EASY_US, HARD_US = 0.06, 0.3


def geometric_mean(values):
  return math.exp(statistics.fmean(math.log(v) for v in values))


def cold_ms(row):
  return row["ours"]["build"] + row["ours"]["solve"]


def bk_ms(row):
  return row["bk"]["build"] + row["bk"]["solve"]


def one_thread_ratio(row):
  return bk_ms(row) / cold_ms(row)


def two_threads_ratio(row):
  return row["bk"]["wall"] / row["threads_wall"]


def us_per_pixel(row):
  """Of a row of the solver's benchmark or of the preview's."""
  return (row["exact"] if "exact" in row else cold_ms(row)) / 1e3 / row["megapixels"]


def hardness(row):
  us = us_per_pixel(row)
  return "easy" if us <= EASY_US else "hard" if us >= HARD_US else "middling"


def origin(row):
  scale = row["scale"]
  if abs(scale - 1) < 0.05:
    return "native"
  return "reduced" if scale < 1 else f"enlarged {scale:.1f}"


def groups(rows):
  """[((size, neighbours), rows)] in the order in which they were measured."""
  found = {}
  for row in rows:
    found.setdefault((row["size"], row["neighbours"]), []).append(row)
  return list(found.items())


def pooled(rows, edit, whose):
  """Times of all edits of all photos, in milliseconds."""
  return [t for row in rows if edit in row for t in row[edit][whose]]


def spread(times):
  """median / worst, as text."""
  if not times:
    return "–"
  return f"{statistics.median(times):.2f} / {max(times):.1f}"


def reuse_ratios(rows):
  """BK's re-use over ours: of all strokes of a photo together (geometric mean over the photos), and of
  the median strokes."""
  totals = [sum(r["stroke"]["bk"]) / sum(r["stroke"]["ours"]) for r in rows if r.get("stroke", {}).get("ours")]
  medians = [statistics.median(pooled(rows, "stroke", whose)) for whose in ("bk", "ours")]
  return geometric_mean(totals), medians[0] / medians[1]


def refit_ratios(rows):
  return [r["refit_cold"] / r["refit"] for r in rows if "refit" in r]


def busy(result):
  """Wall time over processor time of our own solves with one thread, in the median: 1 on a quiet machine."""
  shares = [row["ours"]["wall"] / cold_ms(row) for row in result["solver"] if cold_ms(row) > 20]
  return statistics.median(shares) if shares else 1.0
