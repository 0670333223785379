/* SPDX-License-Identifier: MIT */
/* The graph of several frames: its least energy against every labelling of tiny frames, in which
 * the ties are summed pixel by pixel; layers that are made anew; flow that is kept; and memory that
 * ends. */
#include "energy/energy.h"
#include "energy/frames/frame_span.h"
#include "energy/image/exact_math.h"
#include "energy/terms/lab_contrast.h"
#include "solver/graph/graph_solver.h"
#include "tests/app/frames/moving_object.h"
#include "tests/faults/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LAYERS = 4, MAX_SPOTS = 13 };

/* A frame with what it was cut by. The first one of a film is fixed. */
typedef struct {
  FsImage *image;
  uint8_t *mask;
  FsFrameBand band;
  FsFrameColours *colours;
  FsFrameEnergy energy;
  int dx, dy; /* since the frame before */
} Picture;

static void
picture_clear (Picture *p)
{
  fs_image_unref (p->image);
  g_free (p->mask);
  fs_frame_band_clear (&p->band);
  fs_frame_colours_free (p->colours);
  fs_frame_energy_clear (&p->energy);
}

/* The band of the mask before, and the energy in it. */
static void
picture_prepare (Picture *p, const Picture *before, int half_width_px)
{
  int width = p->image->width, height = p->image->height;
  FsMovedMask moved = { before->mask, width, height, p->dx, p->dy };
  FsRect all = { -2, -2, width + 2, height + 2 };
  p->colours = fs_frame_colours_new ();
  g_assert_true (fs_frame_band_make (&p->band, &moved, all, half_width_px));
  fs_frame_colours_of_mask (&p->colours->previous, before->image, &p->band);
  fs_frame_colours_of_band (&p->colours->present, p->image, &p->band);
  fs_frame_colours_mix (p->colours, FALSE);
  fs_frame_colours_weigh (p->colours, p->image, &p->band);
  g_assert_true (fs_frame_energy_fill (&p->energy, p->image, &p->band, p->colours));
}

/* --- slow ------------------------------------------------------------------------------------- */

static FsLab
lab_at (const FsImage *image, int x, int y)
{
  FsLab lab;
  fs_lab_from_pixels (&image->pixels[y * image->width + x], 1, &lab);
  return lab;
}

/* By the formula of the header. */
static int64_t
slow_weight (const Picture *p, int x, int y, const Picture *before, int u, int v, int steps)
{
  double size = p->image->width * p->image->height / 200000.0;
  int32_t difference = fs_lab_distance2 (lab_at (p->image, x, y), lab_at (before->image, u, v));
  double d2 = fs_lab_contrast_middle ((int)fs_lab_contrast_entry (difference));
  double w = FS_NAT_SCALE * 10 * fs_exact_exp (fs_exact_log (size) / 3)
             * fs_exact_exp (-1.5 * sqrt (d2 / p->energy.mean));
  return (int64_t)floor (w / FS_FRAME_SPAN_TIE_PARTS / sqrt (steps + 1) + 0.5);
}

static size_t
place (const FsFrameBand *band, int x, int y)
{
  return (size_t)(y - band->window.y0) * (size_t)band->width + (size_t)(x - band->window.x0);
}

/* What a labelling of whole frames pays for ties of a frame's free pixels. */
static int64_t
slow_ties (const Picture *p, const uint8_t *labels, const Picture *before,
           const uint8_t *labels_before)
{
  int width = p->image->width, height = p->image->height;
  int64_t sum = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int i = 0; i < 9; i++) {
        int u = x - p->dx + i % 3 - 1, v = y - p->dy + i / 3 - 1;
        if (p->band.state[place (&p->band, x, y)] != FS_FRAME_FREE || u < 0 || v < 0 || u >= width
            || v >= height)
          continue;
        if (labels[y * width + x] != labels_before[v * width + u])
          sum += slow_weight (p, x, y, before, u, v, abs (i % 3 - 1) + abs (i / 3 - 1));
      }
  return sum;
}

/* The frame's own energy, which test_frame_energy.c holds against its formula. */
static int64_t
slow_own (const Picture *p, const uint8_t *labels)
{
  g_autofree uint8_t *in_window = g_malloc0 ((size_t)p->band.width * (size_t)p->band.height);
  for (int y = 0; y < p->image->height; y++)
    for (int x = 0; x < p->image->width; x++)
      in_window[place (&p->band, x, y)] = labels[y * p->image->width + x];
  return fs_frame_energy_sum (&p->energy, in_window);
}

/* --- tiny films ------------------------------------------------------------------------------- */

enum { WIDTH = 5 };

static FsImage *
tiny_image (int height, GRand *rand)
{
  FsImage *image = fs_image_new (WIDTH, height);
  for (int p = 0; p < WIDTH * height; p++) {
    int grey = p % WIDTH < 2 ? 150 : 90, noise = g_rand_int_range (rand, 0, 100);
    image->pixels[p] = FS_PIXEL (255, grey + noise, grey + noise / 2, 255 - grey);
  }
  return image;
}

static void
film_clear (Picture *film, int n)
{
  for (int i = 0; i < n; i++)
    picture_clear (&film[i]);
}

/* An object on the left, its side some pixels farther or nearer; each frame's mask is a guess. */
static void
guess_film (Picture *film, int n, int height, GRand *rand)
{
  int n_pixels = WIDTH * height;
  for (int i = 0; i < n; i++) {
    film[i] = (Picture){ .image = tiny_image (height, rand), .mask = g_malloc ((size_t)n_pixels) };
    film[i].dx = g_rand_int_range (rand, -1, 2);
    film[i].dy = g_rand_int_range (rand, -1, 2);
    if (i > 0)
      picture_prepare (&film[i], &film[i - 1], 1);
    for (int p = 0; p < n_pixels; p++) {
      uint8_t guess = i == 0 ? p % WIDTH < 2 : g_rand_boolean (rand);
      size_t at = i == 0 ? 0 : place (&film[i].band, p % WIDTH, p / WIDTH);
      film[i].mask[p] = i == 0 || film[i].band.state[at] == FS_FRAME_FREE
                            ? guess
                            : film[i].band.state[at] == FS_FRAME_OBJECT;
    }
  }
}

/* One with few enough free pixels for every labelling. */
static void
tiny_film (Picture *film, int n, int height, GRand *rand)
{
  for (size_t n_free = MAX_SPOTS; n_free >= MAX_SPOTS;) {
    guess_film (film, n, height, rand);
    n_free = 0;
    for (int i = 1; i < n; i++)
      n_free += film[i].band.n_free;
    if (n_free >= MAX_SPOTS)
      film_clear (film, n);
  }
}

/* Frames first … n − 1 in a span: those before the last one have masks. */
static FsFrameSpan *
span_of (Picture *film, int n, int n_frames, gboolean from_marked)
{
  FsFrameSpan *span = fs_frame_span_new (n_frames);
  if (from_marked)
    g_assert_true (fs_frame_span_begin (span, film[0].image, film[0].mask));
  for (int i = 1; i < n; i++) {
    g_assert_true (fs_frame_span_add (span, film[i].image, &film[i].band, &film[i].energy));
    if (i + 1 < n)
      fs_frame_span_set_mask (span, film[i].mask);
  }
  return span;
}

/* The film's frames [first, n), of which those from `fixed` on have nodes. */
typedef struct {
  Picture *film;
  int first, fixed, n;
  uint8_t *labels[MAX_LAYERS]; /* [frame][pixel] */
  uint8_t *spot[MAX_SPOTS];    /* of nodes in the graph's order */
  int n_spots;
} Labelling;

static void
labelling_init (Labelling *l)
{
  l->n_spots = 0;
  for (int i = l->first; i < l->n; i++) {
    const Picture *p = &l->film[i];
    int n_pixels = WIDTH * p->image->height;
    l->labels[i] = g_memdup2 (p->mask, (size_t)n_pixels);
    for (int at = 0; i >= l->fixed && at < n_pixels; at++)
      if (p->band.state[place (&p->band, at % WIDTH, at / WIDTH)] == FS_FRAME_FREE) {
        g_assert_cmpint (l->n_spots, <, MAX_SPOTS);
        l->spot[l->n_spots++] = &l->labels[i][at];
      }
  }
}

static int64_t
slow_energy (const Labelling *l)
{
  int64_t sum = 0;
  for (int i = l->fixed; i < l->n; i++) {
    sum += slow_own (&l->film[i], l->labels[i]);
    if (i > l->first)
      sum += slow_ties (&l->film[i], l->labels[i], &l->film[i - 1], l->labels[i - 1]);
  }
  return sum;
}

/* The least labelling, and of equal ones that with the most object: the union of all. */
static int64_t
search_all (Labelling *l, FsFrameSpan *span, uint8_t *best)
{
  uint8_t bits[MAX_SPOTS] = { 0 };
  int64_t min = G_MAXINT64, difference = 0;
  for (uint32_t code = 0; code < 1u << l->n_spots; code++) {
    for (int s = 0; s < l->n_spots; s++)
      *l->spot[s] = bits[s] = code >> s & 1;
    int64_t energy = slow_energy (l), fast = fs_frame_span_sum (span, bits);
    difference = code == 0 ? energy - fast : difference;
    g_assert_cmpint (energy - fast, ==, difference);
    for (int s = 0; energy < min && s < l->n_spots; s++)
      best[s] = 0;
    min = MIN (min, energy);
    for (int s = 0; energy == min && s < l->n_spots; s++)
      best[s] |= bits[s];
  }
  return min - difference;
}

static void
check_tiny (Picture *film, int n, int n_frames, gboolean from_marked)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsFrameSpan) span = span_of (film, n, n_frames, from_marked);
  Labelling l = { .film = film, .n = n };
  l.first = MAX (from_marked ? 0 : 1, n - n_frames);
  l.fixed = MAX (1, l.first);
  labelling_init (&l);
  FsGraph *graph = fs_frame_span_make_graph (span);
  g_assert_nonnull (graph);
  g_assert_cmpuint (graph->n_nodes, ==, l.n_spots);
  uint8_t best[MAX_SPOTS], found[MAX_SPOTS];
  int64_t min = search_all (&l, span, best);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, &error);
  g_assert_no_error (error);
  FsSolution solution;
  g_assert_true (fs_graph_solver_solve (solver, NULL, &solution, NULL));
  fs_graph_solver_read_mask (solver, found);
  g_assert_cmpint (fs_frame_span_sum (span, found), ==, min);
  g_assert_cmpint (solution.energy + fs_frame_span_get_constant (span), ==, min);
  g_assert_cmpmem (found, (size_t)l.n_spots, best, (size_t)l.n_spots);
  for (int i = l.first; i < n; i++)
    g_free (l.labels[i]);
}

static void
test_every_labelling (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int round = 0; round < 3; round++) {
    Picture film[MAX_LAYERS];
    tiny_film (film, 3, 3, rand);
    check_tiny (film, 2, 2, TRUE);
    check_tiny (film, 2, 2, FALSE);
    check_tiny (film, 3, 2, TRUE);
    check_tiny (film, 3, 3, TRUE);
    check_tiny (film, 3, 3, FALSE);
    film_clear (film, 3);
    tiny_film (film, 4, 2, rand);
    check_tiny (film, 4, 2, TRUE);
    check_tiny (film, 4, 3, TRUE);
    check_tiny (film, 4, 4, TRUE);
    film_clear (film, 4);
  }
}

/* --- films of a size -------------------------------------------------------------------------- */

enum { N_PIXELS = FS_MOVING_WIDTH * FS_MOVING_HEIGHT };

static void
film_init (Picture *film, int n)
{
  for (int i = 0; i < n; i++) {
    MovingObject object = {
      .x = 60 + 4 * i, .y = 60 + 2 * (i % 3), .radius = 30, .noise = (guint)i + 1
    };
    film[i] = (Picture){ .image = moving_object_frame (&object),
                         .mask = moving_object_mask (&object),
                         .dx = 4,
                         .dy = i % 3 ? 2 : -4 };
    if (i > 0)
      picture_prepare (&film[i], &film[i - 1], 5);
  }
  film[0].dx = film[0].dy = 0;
}

/* Cuts the newest frame of a span, proves the cut, and keeps the flow. */
static uint8_t *
cut (FsFrameSpan *span, const Picture *p, gboolean keeps)
{
  FsCertificate certificate;
  FsSolution solution;
  FsGraph *graph = fs_frame_span_make_graph (span);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  g_autofree uint8_t *labels = g_malloc (graph->n_nodes);
  g_autofree int64_t *excess = g_new (int64_t, graph->n_nodes);
  g_autofree uint32_t *residual = g_new (uint32_t, graph->n_edges);
  uint8_t *mask = g_malloc0 ((size_t)p->band.width * (size_t)p->band.height);
  g_assert_true (fs_graph_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (fs_graph_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.holds);
  fs_graph_solver_read_mask (solver, labels);
  g_assert_cmpint (fs_frame_span_sum (span, labels), ==,
                   solution.bound + fs_frame_span_get_constant (span));
  g_assert_true (fs_graph_solver_read_state (solver, excess, residual, NULL));
  fs_frame_span_read (span, labels, mask);
  if (keeps)
    fs_frame_span_reuse_flow (span, residual);
  return mask;
}

/* Flow that is kept changes nothing but the work: the same masks. What is added and dropped again
 * leaves no trace. */
static void
test_flow (void)
{
  enum { N = 7 };
  Picture film[N];
  film_init (film, N);
  g_autoptr (FsFrameSpan) kept = fs_frame_span_new (3), fresh = fs_frame_span_new (3);
  int64_t reused_flow = 0;
  g_assert_true (fs_frame_span_begin (kept, film[0].image, film[0].mask));
  g_assert_true (fs_frame_span_begin (fresh, film[0].image, film[0].mask));
  for (int i = 1; i < N; i++) {
    const Picture *p = &film[i], *other = &film[i > 1 ? i - 1 : i];
    g_assert_true (fs_frame_span_add (kept, other->image, &other->band, &other->energy));
    fs_frame_span_drop (kept);
    g_assert_true (fs_frame_span_add (kept, p->image, &p->band, &p->energy));
    g_assert_true (fs_frame_span_add (fresh, p->image, &p->band, &p->energy));
    g_autofree uint8_t *a = cut (kept, p, TRUE), *b = cut (fresh, p, FALSE);
    g_assert_cmpmem (a, (size_t)p->band.width * (size_t)p->band.height, b,
                     (size_t)p->band.width * (size_t)p->band.height);
    reused_flow += fs_frame_span_get_reused_flow (kept);
    g_assert_cmpint (fs_frame_span_get_reused_flow (fresh), ==, 0);
    fs_frame_span_set_mask (kept, p->mask);
    fs_frame_span_set_mask (fresh, p->mask);
  }
  g_assert_cmpint (reused_flow, >, 1000);
  film_clear (film, N);
}

static uint32_t
count_nodes (FsFrameSpan *span, const Picture *p)
{
  g_assert_true (fs_frame_span_add (span, p->image, &p->band, &p->energy));
  uint32_t n = fs_frame_span_make_graph (span)->n_nodes;
  fs_frame_span_drop (span);
  return n;
}

/* A mask from elsewhere ends the span: the next frame is alone in it. */
static void
test_mask_from_elsewhere (void)
{
  Picture film[4];
  film_init (film, 4);
  g_autoptr (FsFrameSpan) span = fs_frame_span_new (4);
  g_autofree uint8_t *elsewhere = g_malloc0 (N_PIXELS);
  g_assert_true (fs_frame_span_begin (span, film[0].image, film[0].mask));
  for (int i = 1; i < 3; i++) {
    g_assert_true (fs_frame_span_add (span, film[i].image, &film[i].band, &film[i].energy));
    fs_frame_span_set_mask (span, film[i].mask);
  }
  g_assert_cmpuint (count_nodes (span, &film[3]), ==,
                    film[1].band.n_free + film[2].band.n_free + film[3].band.n_free);
  g_assert_true (fs_frame_span_add (span, film[3].image, &film[3].band, &film[3].energy));
  fs_frame_span_set_mask (span, elsewhere);
  g_assert_cmpuint (count_nodes (span, &film[3]), ==, film[3].band.n_free);
  film_clear (film, 4);
}

/* One allocation fails, of each in turn: the span is without the frame, and takes it later. */
static void
test_memory (void)
{
  Picture film[3];
  film_init (film, 3);
  int n_refused = 0;
  for (int n = 0, done = 0; !done; n++) {
    g_autoptr (FsFrameSpan) span = fs_frame_span_new (2);
    fault_memory_after (n, FALSE);
    done = fs_frame_span_begin (span, film[0].image, film[0].mask)
           && fs_frame_span_add (span, film[1].image, &film[1].band, &film[1].energy)
           && fs_frame_span_make_graph (span) != NULL;
    fault_memory_after (-1, FALSE);
    n_refused += !done;
    g_assert_true (fs_frame_span_begin (span, film[0].image, film[0].mask));
    g_assert_cmpuint (count_nodes (span, &film[1]), ==, film[1].band.n_free);
  }
  g_assert_cmpint (n_refused, >=, 10);
  film_clear (film, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame-span/every-labelling", test_every_labelling);
  g_test_add_func ("/frame-span/flow", test_flow);
  g_test_add_func ("/frame-span/mask-from-elsewhere", test_mask_from_elsewhere);
  g_test_add_func ("/frame-span/memory", test_memory);
  return g_test_run ();
}
