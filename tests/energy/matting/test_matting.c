/* SPDX-License-Identifier: MIT */
/* Alpha of unknown zones: against a dense system of the same energy, on known mixtures, with
 * several threads, cancelled at every report, without memory, and in zones that lack a side. */
#include "energy/image/threads.h"
#include "energy/matting/matting.h"
#include "solver/progress.h"
#include "tests/energy/matting/dense_matting.h"
#include "tests/faults/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int w, h;
  FsImage *image;
  uint8_t *trimap;
  double *alpha; /* true */
} Case;

static uint32_t
mixture (uint32_t a, uint32_t b, double alpha, int noise)
{
  uint32_t pixel = 0xff;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double value = alpha * (a >> shift & 0xff) + (1 - alpha) * (b >> shift & 0xff);
    pixel = pixel << 8 | (uint32_t)CLAMP (value + noise + 0.5, 0, 255);
  }
  return pixel;
}

/* A disc whose border fades over `blur` pixels, unknown on twice as many. */
static void
case_init (Case *c, int w, int h, double radius, double blur, int noise)
{
  uint32_t random = 7;
  *c = (Case){ w, h, fs_image_new (w, h), g_malloc ((gsize)(w * h)), g_new (double, w *h) };
  for (int p = 0; p < w * h; p++) {
    const double distance = radius - hypot (p % w - w / 2.0, p / w - h / 2.0);
    c->alpha[p] = CLAMP (distance / blur + 0.5, 0, 1);
    random = random * 1664525u + 1013904223u;
    const int grain = noise ? (int)(random >> 16) % (2 * noise + 1) - noise : 0;
    const uint32_t object = FS_PIXEL (255, 200, 120 + p % w * 60 / w, 60),
                   ground = FS_PIXEL (255, 40, 90, 120 + p / w * 80 / h);
    c->image->pixels[p] = mixture (object, ground, c->alpha[p], grain);
    c->trimap[p] = fabs (distance) < blur ? FS_TRIMAP_UNKNOWN
                   : distance > 0         ? FS_TRIMAP_OBJECT
                                          : FS_TRIMAP_BACKGROUND;
  }
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  g_free (c->trimap);
  g_free (c->alpha);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static FsRect
all_of (const Case *c)
{
  return (FsRect){ 0, 0, c->w, c->h };
}

static uint8_t *
solve (const Case *c, FsRect area)
{
  g_autoptr (GError) error = NULL;
  uint8_t *alpha = g_malloc ((gsize)((area.x1 - area.x0) * (area.y1 - area.y0)));
  g_assert_true (fs_matting_solve (c->image, c->trimap, area, alpha, NULL, &error));
  g_assert_no_error (error);
  return alpha;
}

/* ---- Results ---- */

/* So few pixels that every leaf of the trees is searched. */
static void
keeps_to_its_definition (void)
{
  static const double radii[] = { 4.3, 6.1, 5.2 };
  for (guint k = 0; k < G_N_ELEMENTS (radii); k++) {
    g_auto (Case) c;
    case_init (&c, 16, 15, radii[k], 3, 9);
    g_autofree uint8_t *alpha = solve (&c, all_of (&c));
    g_autofree double *dense = dense_matting (c.image, c.trimap);
    int n_soft = 0;
    for (int p = 0; p < c.w * c.h; p++) {
      g_assert_cmpfloat (fabs (alpha[p] - 255 * dense[p]), <=, 1);
      n_soft += alpha[p] > 0 && alpha[p] < 255;
    }
    g_assert_cmpint (n_soft, >, 15);
  }
}

static void
finds_known_mixtures (void)
{
  g_auto (Case) c;
  case_init (&c, 160, 120, 40, 16, 3);
  g_autofree uint8_t *alpha = solve (&c, all_of (&c));
  double sum = 0;
  int n = 0;
  for (int p = 0; p < c.w * c.h; p++)
    if (c.trimap[p] == FS_TRIMAP_UNKNOWN) {
      sum += fabs (alpha[p] - 255 * c.alpha[p]);
      n++;
    } else {
      g_assert_cmpint (alpha[p], ==, c.trimap[p]);
    }
  g_test_message ("mean difference %.2f of %d pixels", sum / n, n);
  g_assert_cmpfloat (sum / n, <, 6);
}

/* What lies outside of the area does not count. */
static void
reads_the_area_alone (void)
{
  g_auto (Case) c, part;
  const FsRect area = { 11, 6, 60, 59 };
  case_init (&c, 80, 70, 25, 6, 5);
  case_init (&part, area.x1 - area.x0, area.y1 - area.y0, 20, 6, 5);
  for (int y = 0; y < part.h; y++)
    for (int x = 0; x < part.w; x++) {
      const int from = (area.y0 + y) * c.w + area.x0 + x;
      part.image->pixels[y * part.w + x] = c.image->pixels[from];
      part.trimap[y * part.w + x] = c.trimap[from];
    }
  g_autofree uint8_t *alpha = solve (&c, area);
  for (int p = 0; p < c.w * c.h; p++) {
    const int x = p % c.w, y = p / c.w;
    if (x < area.x0 || x >= area.x1 || y < area.y0 || y >= area.y1) {
      c.image->pixels[p] = 0xff00ff00u;
      c.trimap[p] = (uint8_t)(p % 2 * 255);
    }
  }
  g_autofree uint8_t *again = solve (&c, area);
  g_assert_cmpmem (again, (gsize)(part.w * part.h), alpha, (gsize)(part.w * part.h));
}

static void
ignores_threads (void)
{
  g_auto (Case) c;
  case_init (&c, 220, 180, 60, 26, 12);
  fs_energy_set_threads (1);
  g_autofree uint8_t *one = solve (&c, all_of (&c));
  for (int n = 2; n <= 3; n++) {
    fs_energy_set_threads (n);
    g_autofree uint8_t *many = solve (&c, all_of (&c));
    g_assert_cmpmem (many, (gsize)(c.w * c.h), one, (gsize)(c.w * c.h));
  }
  fs_energy_set_threads (0);
}

/* ---- Zones that lack something ---- */

static void
fill (Case *c, FsRect rect, uint8_t label)
{
  for (int y = rect.y0; y < rect.y1; y++)
    memset (c->trimap + y * c->w + rect.x0, label, (gsize)(rect.x1 - rect.x0));
}

static void
assert_all (const uint8_t *alpha, int n, uint8_t value)
{
  for (int p = 0; p < n; p++)
    g_assert_cmpint (alpha[p], ==, value);
}

/* Sizes down to a pixel, also narrower than a window. */
static void
needs_both_sides (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 2, 1 }, { 1, 40 }, { 30, 2 }, { 20, 20 } };
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    g_auto (Case) c;
    case_init (&c, sizes[k][0], sizes[k][1], 8, 4, 9);
    const int n = c.w * c.h;
    fill (&c, all_of (&c), FS_TRIMAP_UNKNOWN);
    g_autofree uint8_t *none = solve (&c, all_of (&c));
    assert_all (none, n, 0);
    c.trimap[0] = FS_TRIMAP_OBJECT;
    g_autofree uint8_t *object = solve (&c, all_of (&c));
    assert_all (object, n, 255);
    c.trimap[0] = FS_TRIMAP_BACKGROUND;
    g_autofree uint8_t *background = solve (&c, all_of (&c));
    assert_all (background, n, 0);
    c.trimap[n - 1] = FS_TRIMAP_OBJECT;
    g_autofree uint8_t *both = solve (&c, all_of (&c));
    g_assert_cmpint (both[n - 1], ==, 255);
    g_assert_cmpint (both[0], ==, n > 1 ? 0 : 255);
  }
}

static void
takes_an_empty_area (void)
{
  g_auto (Case) c;
  uint8_t untouched = 77;
  case_init (&c, 9, 9, 3, 2, 0);
  g_assert_true (
      fs_matting_solve (c.image, c.trimap, (FsRect){ 4, 4, 4, 8 }, &untouched, NULL, NULL));
  g_assert_cmpint (untouched, ==, 77);
}

/* One pixel between two known colours. */
static void
mixes_one_pixel (void)
{
  g_auto (Case) c;
  case_init (&c, 9, 9, 3, 2, 0);
  for (int p = 0; p < 81; p++) {
    const double alpha = p == 40 ? 0.4 : p % 9 < 4 || p < 40 ? 1 : 0;
    c.image->pixels[p] = mixture (0xffe0d0c0u, 0xff203040u, alpha, 0);
    c.trimap[p] = p == 40       ? FS_TRIMAP_UNKNOWN
                  : alpha > 0.5 ? FS_TRIMAP_OBJECT
                                : FS_TRIMAP_BACKGROUND;
  }
  g_autofree uint8_t *alpha = solve (&c, all_of (&c));
  g_test_message ("alpha %d", alpha[40]);
  g_assert_cmpint (abs (alpha[40] - 102), <=, 12);
}

/* Without any colour alpha passes smoothly from one side to the other, to the photo's border too.
 */
static void
interpolates_a_constant_photo (void)
{
  g_auto (Case) c;
  case_init (&c, 60, 21, 3, 2, 0);
  for (int p = 0; p < c.w * c.h; p++)
    c.image->pixels[p] = 0xff808080u;
  fill (&c, all_of (&c), FS_TRIMAP_UNKNOWN);
  fill (&c, (FsRect){ 0, 0, 5, 21 }, FS_TRIMAP_OBJECT);
  fill (&c, (FsRect){ 55, 0, 60, 21 }, FS_TRIMAP_BACKGROUND);
  g_autofree uint8_t *alpha = solve (&c, all_of (&c));
  for (int y = 0; y < 21; y++) {
    for (int x = 1; x < 60; x++)
      g_assert_cmpint (alpha[y * 60 + x], <=, alpha[y * 60 + x - 1]);
    g_assert_cmpint (alpha[y * 60 + 4], ==, 255);
    g_assert_cmpint (alpha[y * 60 + 55], ==, 0);
    g_assert_cmpint (abs (alpha[y * 60 + 29] - 128), <=, 12);
  }
}

/* ---- Interruptions ---- */

typedef struct {
  FsCancelFlag cancel;
  int n_left;
  double fraction;
} Interruption;

static void
count_down (double fraction, gpointer data)
{
  Interruption *interruption = data;
  g_assert_cmpfloat (fraction, >=, interruption->fraction);
  g_assert_cmpfloat (fraction, <=, 1);
  interruption->fraction = fraction;
  if (interruption->n_left-- == 0)
    atomic_store (&interruption->cancel, TRUE);
}

static gboolean
solve_interrupted (const Case *c, int n_reports, uint8_t *alpha, GError **error)
{
  Interruption interruption = { .n_left = n_reports };
  const FsProgress progress = { &interruption.cancel, count_down, &interruption };
  if (n_reports < 0)
    atomic_store (&interruption.cancel, TRUE);
  return fs_matting_solve (c->image, c->trimap, all_of (c), alpha, &progress, error);
}

static void
stops_at_every_report (void)
{
  g_auto (Case) c;
  case_init (&c, 60, 50, 17, 6, 8);
  g_autofree uint8_t *whole = solve (&c, all_of (&c)), *alpha = g_malloc (60 * 50);
  gboolean is_done = FALSE;
  int n = -1;
  for (; !is_done; n++) {
    g_autoptr (GError) error = NULL;
    is_done = solve_interrupted (&c, n, alpha, &error);
    if (!is_done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  }
  g_assert_cmpint (n, >, 6);
  g_assert_cmpmem (alpha, 60 * 50, whole, 60 * 50);
}

static void
says_when_memory_ends (void)
{
  g_auto (Case) c;
  case_init (&c, 40, 30, 9, 5, 8);
  g_autofree uint8_t *alpha = g_malloc (40 * 30);
  gboolean is_done = FALSE;
  int n = 0;
  for (; !is_done; n++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (n, FALSE);
    is_done = fs_matting_solve (c.image, c.trimap, all_of (&c), alpha, NULL, &error);
    fault_memory_after (-1, FALSE);
    if (!is_done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  }
  g_assert_cmpint (n, >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matting/keeps-to-its-definition", keeps_to_its_definition);
  g_test_add_func ("/matting/finds-known-mixtures", finds_known_mixtures);
  g_test_add_func ("/matting/reads-the-area-alone", reads_the_area_alone);
  g_test_add_func ("/matting/ignores-threads", ignores_threads);
  g_test_add_func ("/matting/needs-both-sides", needs_both_sides);
  g_test_add_func ("/matting/takes-an-empty-area", takes_an_empty_area);
  g_test_add_func ("/matting/mixes-one-pixel", mixes_one_pixel);
  g_test_add_func ("/matting/interpolates-a-constant-photo", interpolates_a_constant_photo);
  g_test_add_func ("/matting/stops-at-every-report", stops_at_every_report);
  g_test_add_func ("/matting/says-when-memory-ends", says_when_memory_ends);
  return g_test_run ();
}
