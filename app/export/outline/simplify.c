/* SPDX-License-Identifier: MIT */
#include "app/export/outline/simplify.h"

/* Integer coordinates of the funnel: products of two stay far below 2^63 for any photo. */
#define UNITS_PER_PX   200
#define UNITS_PER_HALF (UNITS_PER_PX / 2)

/* Edges that one segment passes at most. */
#define MAX_SPAN 512

/* Ends that are tried for all segments of a chain, and as many more for each of its edges so far:
 * borders of photos have fewer within reach, long straight diagonals have MAX_SPAN from each node.
 */
#define TRIES        (1 << 16)
#define TRIES_A_STEP 16

const int fs_step_x[4] = { 1, 0, -1, 0 }, fs_step_y[4] = { 0, 1, 0, -1 };

/* A possible corner of the result: an end of a chain, or the middle of one of its edges. */
typedef struct {
  FsContourPoint at;      /* half pixels */
  int direction;          /* of the edge */
  gint64 x, y;            /* sums over all nodes before, of places relative to the first one's, */
  gint64 xx, xy, yy;      /* and of their products */
  guint n_segments, from; /* fewest from the first node to this one, and where the last begins */
  double error;           /* least of those: squared distances of passed nodes, in half pixels */
} Node;

typedef struct {
  const uint8_t *steps;
  gsize n_steps;
  int tolerance; /* units */
  gsize n_tries; /* of the chain so far */
  Node *nodes;   /* of one chain */
  gsize n_nodes, capacity;
  FsContourPoints *points;
} Simplifier;

typedef struct {
  gint64 x, y; /* units */
} Vector;

static gboolean
append_point (FsContourPoints *points, FsContourPoint point)
{
  if (points->n == points->capacity) {
    const gsize capacity = MAX (256, 2 * points->capacity);
    FsContourPoint *more = g_try_realloc_n (points->points, capacity, sizeof *more);
    if (!more)
      return FALSE;
    points->points = more;
    points->capacity = capacity;
  }
  points->points[points->n++] = point;
  return TRUE;
}

static gboolean
reserve_nodes (Simplifier *s, gsize n)
{
  if (n > s->capacity) {
    const gsize capacity = MAX (n, 2 * s->capacity);
    Node *nodes = g_try_realloc_n (s->nodes, capacity, sizeof *nodes);
    if (!nodes)
      return FALSE;
    s->nodes = nodes;
    s->capacity = capacity;
  }
  s->n_nodes = 0;
  return TRUE;
}

static void
add_node (Simplifier *s, FsContourPoint at, int direction)
{
  Node node = { .at = at, .direction = direction, .n_segments = G_MAXUINT };
  if (s->n_nodes > 0) {
    const Node *last = &s->nodes[s->n_nodes - 1];
    const gint64 x = last->at.x2 - s->nodes[0].at.x2, y = last->at.y2 - s->nodes[0].at.y2;
    node.x = last->x + x;
    node.y = last->y + y;
    node.xx = last->xx + x * x;
    node.xy = last->xy + x * y;
    node.yy = last->yy + y * y;
  }
  s->nodes[s->n_nodes++] = node;
}

/* Adds the middles of `length` edges from a corner on, in half pixels, backwards where that is
 * reverse: then the last of these edges is before `first`. */
static void
add_edges (Simplifier *s, gsize first, gsize length, gboolean is_reverse, FsContourPoint corner)
{
  for (gsize i = 0; i < length; i++) {
    const gsize at = is_reverse ? first + s->n_steps - 1 - i : first + i;
    const int step = s->steps[at % s->n_steps] & FS_STEP_DIRECTION;
    const int direction = is_reverse ? (step + 2) % 4 : step;
    const int dx = fs_step_x[direction], dy = fs_step_y[direction];
    add_node (s, (FsContourPoint){ corner.x2 + dx, corner.y2 + dy }, direction);
    corner.x2 += 2 * dx;
    corner.y2 += 2 * dy;
  }
}

/* Sum of squared distances of the nodes between two from the line through both. */
static double
error_of (const Simplifier *s, gsize from, gsize to)
{
  const Node *a = &s->nodes[from], *first = &s->nodes[from + 1], *b = &s->nodes[to];
  const gint64 n = (gint64)(to - from) - 1;
  const gint64 ax = a->at.x2 - s->nodes[0].at.x2, ay = a->at.y2 - s->nodes[0].at.y2;
  const gint64 dx = b->at.x2 - a->at.x2, dy = b->at.y2 - a->at.y2;
  const gint64 x = b->x - first->x, y = b->y - first->y;
  const gint64 xx = b->xx - first->xx - 2 * ax * x + n * ax * ax;
  const gint64 xy = b->xy - first->xy - ax * y - ay * x + n * ax * ay;
  const gint64 yy = b->yy - first->yy - 2 * ay * y + n * ay * ay;
  return (double)(dx * dx * yy - 2 * dx * dy * xy + dy * dy * xx) / (double)(dx * dx + dy * dy);
}

static gint64
cross (Vector a, Vector b)
{
  return a.x * b.y - a.y * b.x;
}

static void
relax (Simplifier *s, gsize from, gsize to)
{
  const Node *a = &s->nodes[from];
  Node *b = &s->nodes[to];
  if (a->n_segments + 1 > b->n_segments)
    return;
  const double error = a->error + (to > from + 1 ? error_of (s, from, to) : 0);
  if (a->n_segments + 1 == b->n_segments && error >= b->error)
    return;
  b->n_segments = a->n_segments + 1;
  b->error = error;
  b->from = (guint)from;
}

/* Tries all segments that begin at a node: those within the funnel of the gates passed so far. */
static void
relax_from (Simplifier *s, gsize from)
{
  const FsContourPoint apex = s->nodes[from].at;
  Vector left = { 0 }, right = { 0 };
  for (gsize to = from + 1; to < s->n_nodes && to - from <= MAX_SPAN; to++) {
    s->n_tries++;
    const Node *node = &s->nodes[to];
    const Vector target = { (gint64)(node->at.x2 - apex.x2) * UNITS_PER_HALF,
                            (gint64)(node->at.y2 - apex.y2) * UNITS_PER_HALF };
    const gboolean is_next = to == from + 1;
    if (is_next || (cross (left, target) > 0 && cross (target, right) > 0))
      relax (s, from, to);
    const int side = (node->direction + 1) % 4;
    const int gate_x = fs_step_x[side] * s->tolerance, gate_y = fs_step_y[side] * s->tolerance;
    const Vector gate_left = { target.x - gate_x, target.y - gate_y };
    const Vector gate_right = { target.x + gate_x, target.y + gate_y };
    if (is_next || cross (left, gate_left) > 0)
      left = gate_left;
    if (is_next || cross (gate_right, right) > 0)
      right = gate_right;
    if (cross (left, right) <= 0)
      return;
  }
}

/* Relaxes from all nodes. Where too much was tried, those whose next node is reached with as few
 * segments are left out: it sees farther. */
static void
relax_all (Simplifier *s)
{
  s->n_tries = 0;
  for (gsize from = 0; from + 1 < s->n_nodes; from++)
    if (s->n_tries <= TRIES + TRIES_A_STEP * from
        || s->nodes[from + 1].n_segments > s->nodes[from].n_segments)
      relax_from (s, from);
}

/* Appends the corners between the first node and the last one, backwards where that is reverse. */
static gboolean
append_corners (Simplifier *s, gboolean is_reverse)
{
  s->nodes[0].n_segments = 0;
  relax_all (s);
  FsContourPoints *points = s->points;
  const gsize n_before = points->n;
  for (guint at = s->nodes[s->n_nodes - 1].from; at > 0; at = s->nodes[at].from)
    if (!append_point (points, s->nodes[at].at))
      return FALSE;
  if (!is_reverse)
    for (gsize a = n_before, b = points->n; a + 1 < b; a++) {
      const FsContourPoint kept = points->points[a];
      points->points[a] = points->points[--b];
      points->points[b] = kept;
    }
  return TRUE;
}

/* The chain of `length` steps from one fixed corner to the next. */
static gboolean
simplify_chain (Simplifier *s, gsize first, gsize length, FsContourPoint start, FsContourPoint end)
{
  const int leaving = s->steps[first] & FS_STEP_DIRECTION;
  const int arriving = ((s->steps[(first + length - 1) % s->n_steps] & FS_STEP_DIRECTION) + 2) % 4;
  const gboolean is_reverse = end.y2 != start.y2   ? end.y2 < start.y2
                              : end.x2 != start.x2 ? end.x2 < start.x2
                                                   : arriving < leaving;
  if (!append_point (s->points, start))
    return FALSE;
  /* Straight, and both ends see it so. */
  if ((gsize)(ABS (end.x2 - start.x2) + ABS (end.y2 - start.y2)) == 2 * length
      && (end.x2 == start.x2 || end.y2 == start.y2))
    return TRUE;
  if (!reserve_nodes (s, length + 2))
    return FALSE;
  add_node (s, is_reverse ? end : start, 0);
  add_edges (s, is_reverse ? first + length : first, length, is_reverse, is_reverse ? end : start);
  add_node (s, is_reverse ? start : end, 0);
  return append_corners (s, is_reverse);
}

/* A contour without any fixed corner: from the middle of the edge east of its first corner, row by
 * row, and eastwards, whichever side the object is on. */
static gboolean
simplify_loop (Simplifier *s, int x, int y)
{
  int first_x = x, first_y = y;
  gsize first = 0;
  for (gsize i = 0; i < s->n_steps; i++) {
    if (y < first_y || (y == first_y && x < first_x)) {
      first_x = x;
      first_y = y;
      first = i;
    }
    const int direction = s->steps[i] & FS_STEP_DIRECTION;
    x += fs_step_x[direction];
    y += fs_step_y[direction];
  }
  const gboolean is_reverse = (s->steps[first] & FS_STEP_DIRECTION) != FS_STEP_EAST;
  const FsContourPoint corner = { 2 * first_x, 2 * first_y };
  const FsContourPoint start = { corner.x2 + 1, corner.y2 };
  if (!append_point (s->points, start) || !reserve_nodes (s, s->n_steps + 1))
    return FALSE;
  add_edges (s, first, s->n_steps, is_reverse, corner);
  add_node (s, start, 0);
  return append_corners (s, is_reverse);
}

static gboolean
is_boundary (const uint8_t *steps, gsize n, gsize i)
{
  return steps[i] & FS_STEP_FIXED || (steps[i] ^ steps[i > 0 ? i - 1 : n - 1]) & FS_STEP_DIRECTION;
}

/* Fixes the corners between two long straight runs. */
static void
fix_corners (uint8_t *steps, gsize n)
{
  gsize start = 0;
  while (!is_boundary (steps, n, start))
    start++;
  gsize run = 0, first_run = 0;
  for (gsize k = 1, begin = 0; k <= n; k++) {
    const gsize i = (start + k) % n;
    if (!is_boundary (steps, n, i))
      continue;
    const gsize length = k - begin;
    if (begin == 0)
      first_run = length;
    else if (run >= FS_CONTOUR_CORNER_PX && length >= FS_CONTOUR_CORNER_PX)
      steps[(start + begin) % n] |= FS_STEP_FIXED;
    run = length;
    begin = k;
  }
  if (run >= FS_CONTOUR_CORNER_PX && first_run >= FS_CONTOUR_CORNER_PX)
    steps[start] |= FS_STEP_FIXED;
}

/* The corners where the contour turns. */
static gboolean
copy_turns (const uint8_t *steps, gsize n, int x, int y, FsContourPoints *points)
{
  for (gsize i = 0; i < n; i++) {
    const int direction = steps[i] & FS_STEP_DIRECTION;
    if ((steps[i > 0 ? i - 1 : n - 1] & FS_STEP_DIRECTION) != direction
        && !append_point (points, (FsContourPoint){ 2 * x, 2 * y }))
      return FALSE;
    x += fs_step_x[direction];
    y += fs_step_y[direction];
  }
  return TRUE;
}

/* Chain by chain, or as a loop where no corner is fixed. */
static gboolean
simplify_all (Simplifier *s, int x, int y)
{
  const gsize n = s->n_steps;
  gsize start = 0;
  int at_x = x, at_y = y;
  for (; start < n && !(s->steps[start] & FS_STEP_FIXED); start++) {
    at_x += fs_step_x[s->steps[start] & FS_STEP_DIRECTION];
    at_y += fs_step_y[s->steps[start] & FS_STEP_DIRECTION];
  }
  if (start == n)
    return simplify_loop (s, x, y);
  FsContourPoint from = { 2 * at_x, 2 * at_y }, at = from;
  for (gsize k = 1, begin = 0; k <= n; k++) {
    const int direction = s->steps[(start + k - 1) % n] & FS_STEP_DIRECTION;
    at.x2 += 2 * fs_step_x[direction];
    at.y2 += 2 * fs_step_y[direction];
    if (!(s->steps[(start + k) % n] & FS_STEP_FIXED))
      continue;
    if (!simplify_chain (s, (start + begin) % n, k - begin, from, at))
      return FALSE;
    begin = k;
    from = at;
  }
  return TRUE;
}

gboolean
fs_contour_simplify (uint8_t *steps, gsize n, int x, int y, double tolerance_px,
                     FsContourPoints *points)
{
  const int tolerance = (int)(tolerance_px * UNITS_PER_PX + 0.5);
  points->n = 0;
  if (tolerance == 0)
    return copy_turns (steps, n, x, y, points);
  Simplifier s = { .steps = steps, .n_steps = n, .tolerance = tolerance, .points = points };
  fix_corners (steps, n);
  const gboolean done = simplify_all (&s, x, y);
  g_free (s.nodes);
  return done;
}
