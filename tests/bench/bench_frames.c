/* SPDX-License-Identifier: MIT */
/* bench_frames [OPTIONS] CLIP …
 *
 * Follows the object of each clip, a folder with `frames` and `masks` (of numbered images), as
 * `fretsaw frames` does, and compares every mask with the clip's. The first frame is cut as
 * `fretsaw cut` does, along the clip's first mask, eroded on both sides to strokes. --size resizes
 * the frames, to either side as much as it takes. One JSON object a clip on standard output, a few
 * words on standard error. Each of --backends is one way, and with --fresh there is another one
 * without re-use; every mask is compared with that of the first way, and a difference ends the
 * benchmark:
 *
 *   iou       mean intersection over union of the frames after the first, worst frame and its
 * number flicker   of the pixels that stand still, which change label: pixels whose colour differs
 * from the previous frame's by at most 8 in each channel, and which lie on the same side in both
 * true masks; of all of these, and of those within a band along the border fps       frames a
 * second, from the sums of the times on the wall of all frames after the first: `cut` is the change
 * of the solver's capacities and the solve, `solve` the latter alone, `whole` everything but
 * decoding and files
 */
#include "app/cut/cut_state.h"
#include "app/export/export.h"
#include "app/frames/follow/sequence.h"
#include "app/frames/list/frames.h"
#include "app/photo/photo.h"
#include "energy/energy.h"
#include "energy/frames/frame_band.h"
#include "energy/image/distance.h"
#include "tests/bench/bench_instance.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Strokes end so far from the true border, in thousandths of the diagonal. */
enum { STROKES_END_PER_MILLE = 10 };
enum { STILL = 8 };

static char *size;
static char *backends = "cpu";
static char *out;
static int threads, rounds = 1, limit, span = 1;
static gboolean fresh;
static char **clips;

static const GOptionEntry options[] = {
  { "size", 's', 0, G_OPTION_ARG_STRING, &size, "Resize the frames", "WIDTHxHEIGHT" },
  { "backends", 'b', 0, G_OPTION_ARG_STRING, &backends, "cpu, cuda, or cpu,cuda", "NAMES" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &threads, "0: one a processor", "N" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds, "Follow N times; the fastest counts", "N" },
  { "limit", 'l', 0, G_OPTION_ARG_INT, &limit, "The first N frames alone", "N" },
  { "span", 'p', 0, G_OPTION_ARG_INT, &span, "Cut the last N frames together, on the processor",
    "N" },
  { "out", 'o', 0, G_OPTION_ARG_FILENAME, &out, "Write the masks into this folder", "DIR" },
  { "fresh", 0, 0, G_OPTION_ARG_NONE, &fresh, "And once more without flow of the frame before",
    NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &clips, NULL, "CLIP …" },
  { NULL },
};

typedef struct {
  int n, width, height;
  FsImage **frames; /* [n] */
  uint8_t **truth;  /* [n] 0 or 1 */
  guint64 *numbers;
} Clip;

/* --- reading ---------------------------------------------------------------------------------- */

static int
mix_channel (const FsImage *image, int64_t x, int64_t y, int shift)
{
  int x0 = (int)CLAMP (x >> 8, 0, image->width - 1), x1 = MIN (x0 + 1, image->width - 1);
  int y0 = (int)CLAMP (y >> 8, 0, image->height - 1), y1 = MIN (y0 + 1, image->height - 1);
  int fx = (int)(x & 255), fy = (int)(y & 255);
  const uint32_t *upper = image->pixels + (size_t)y0 * (size_t)image->width;
  const uint32_t *lower = image->pixels + (size_t)y1 * (size_t)image->width;
  int top = (int)(upper[x0] >> shift & 255) * (256 - fx) + (int)(upper[x1] >> shift & 255) * fx;
  int bottom = (int)(lower[x0] >> shift & 255) * (256 - fx) + (int)(lower[x1] >> shift & 255) * fx;
  return (top * (256 - fy) + bottom * fy + (1 << 15)) >> 16;
}

static FsImage *
resize (FsImage *image, int width, int height)
{
  if (image->width == width && image->height == height)
    return fs_image_ref (image);
  FsImage *made = fs_image_new (width, height);
  if (!made)
    bench_fail ("not enough memory");
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int64_t from_x = ((2 * (int64_t)x + 1) * image->width * 128) / width - 128;
      int64_t from_y = ((2 * (int64_t)y + 1) * image->height * 128) / height - 128;
      from_x = MAX (0, from_x);
      from_y = MAX (0, from_y);
      made->pixels[(size_t)y * (size_t)width + (size_t)x] =
          FS_PIXEL (255, mix_channel (image, from_x, from_y, 16),
                    mix_channel (image, from_x, from_y, 8), mix_channel (image, from_x, from_y, 0));
    }
  return made;
}

static FsImage *
load (const FsFrame *frame, int width, int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (frame->path, NULL, NULL, &error);
  if (!photo)
    bench_fail (error->message);
  return resize (photo->image, width ? width : photo->image->width,
                 height ? height : photo->image->height);
}

static GPtrArray *
list (const char *clip, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (clip, name, NULL);
  GPtrArray *frames = fs_frames_list (folder, &error);
  if (!frames)
    bench_fail (error->message);
  return frames;
}

static void
read_truth (Clip *clip, int i, const FsFrame *frame)
{
  g_autoptr (FsImage) image = load (frame, clip->width, clip->height);
  size_t n = (size_t)clip->width * (size_t)clip->height;
  clip->truth[i] = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    clip->truth[i][p] = FS_PIXEL_G (image->pixels[p]) > 127;
}

static void
clip_read (Clip *clip, const char *path)
{
  g_autoptr (GPtrArray) frames = list (path, "frames");
  g_autoptr (GPtrArray) masks = list (path, "masks");
  if (frames->len != masks->len || frames->len < 2)
    bench_fail ("a clip has a mask for each frame, and two frames at least");
  clip->n = limit > 1 ? MIN (limit, (int)frames->len) : (int)frames->len;
  clip->frames = g_new0 (FsImage *, clip->n);
  clip->truth = g_new0 (uint8_t *, clip->n);
  clip->numbers = g_new0 (guint64, clip->n);
  if (size && sscanf (size, "%dx%d", &clip->width, &clip->height) != 2)
    bench_fail ("--size takes WIDTHxHEIGHT");
  for (int i = 0; i < clip->n; i++) {
    const FsFrame *frame = frames->pdata[i], *mask = masks->pdata[i];
    if (frame->number != mask->number)
      bench_fail ("a frame has no mask");
    clip->frames[i] = load (frame, clip->width, clip->height);
    clip->width = clip->frames[0]->width;
    clip->height = clip->frames[0]->height;
    clip->numbers[i] = frame->number;
    read_truth (clip, i, mask);
  }
}

static void
clip_clear (Clip *clip)
{
  for (int i = 0; i < clip->n; i++) {
    fs_image_unref (clip->frames[i]);
    g_free (clip->truth[i]);
  }
  g_free (clip->frames);
  g_free (clip->truth);
  g_free (clip->numbers);
}

/* --- the first frame -------------------------------------------------------------------------- */

/* The true mask, eroded on both sides. */
static FsSeedMap *
strokes_of (const Clip *clip)
{
  int w = clip->width, h = clip->height;
  size_t n = (size_t)w * (size_t)h;
  double end = sqrt ((double)w * w + (double)h * h) * STROKES_END_PER_MILLE / 1000;
  g_autofree uint8_t *other = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    other[p] = !clip->truth[0][p];
  g_autofree int64_t *to_object = fs_distance2 (clip->truth[0], w, h);
  g_autofree int64_t *to_background = fs_distance2 (other, w, h);
  g_autofree uint8_t *label = g_malloc0 (n);
  for (size_t p = 0; p < n; p++)
    if ((double)MAX (to_object[p], to_background[p]) > end * end)
      label[p] = clip->truth[0][p] ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
  FsSeedMap *seeds = fs_seed_map_new (w, h);
  fs_seed_map_set (seeds, label);
  return seeds;
}

static void
cut_first (const Clip *clip, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsSeedMap) seeds = strokes_of (clip);
  g_autoptr (FsModelCut) cut = fs_model_cut_new (clip->frames[0], &settings, NULL, &error);
  if (!cut || !fs_model_cut_fit (cut, seeds, &error) || !fs_model_cut_solve (cut, NULL, &error)
      || !fs_model_cut_refine (cut, seeds, NULL, &error))
    bench_fail (error->message);
  memcpy (mask, cut->refined_mask, (size_t)clip->width * (size_t)clip->height);
}

/* --- scores ----------------------------------------------------------------------------------- */

typedef struct {
  double iou, worst;
  guint64 worst_number;
  double flicker, flicker_band; /* shares */
  double seconds_cut, seconds_solve, seconds_whole, processor_ms;
  double motion, model, energy;
  double window, is_free, device; /* means */
  int n_reused, n_lost;
} Scores;

static double
overlap (const uint8_t *a, const uint8_t *b, size_t n)
{
  size_t both = 0, any = 0;
  for (size_t p = 0; p < n; p++) {
    both += a[p] & b[p];
    any += a[p] | b[p];
  }
  return any ? (double)both / (double)any : 1;
}

static gboolean
is_still (uint32_t a, uint32_t b)
{
  return abs (FS_PIXEL_R (a) - FS_PIXEL_R (b)) <= STILL
         && abs (FS_PIXEL_G (a) - FS_PIXEL_G (b)) <= STILL
         && abs (FS_PIXEL_B (a) - FS_PIXEL_B (b)) <= STILL;
}

typedef struct {
  size_t still, changed, still_band, changed_band;
} Flicker;

static void
count_flicker (const Clip *clip, int i, const uint8_t *previous, const uint8_t *mask, Flicker *sum)
{
  int w = clip->width, h = clip->height;
  size_t n = (size_t)w * (size_t)h;
  int64_t half_width = fs_frame_band_half_width_px (w, h);
  g_autofree uint8_t *other = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    other[p] = !clip->truth[i][p];
  g_autofree int64_t *to_object = fs_distance2 (clip->truth[i], w, h);
  g_autofree int64_t *to_background = fs_distance2 (other, w, h);
  for (size_t p = 0; p < n; p++) {
    if (clip->truth[i][p] != clip->truth[i - 1][p]
        || !is_still (clip->frames[i]->pixels[p], clip->frames[i - 1]->pixels[p]))
      continue;
    gboolean in_band = MAX (to_object[p], to_background[p]) <= half_width * half_width;
    gboolean changes = previous[p] != mask[p];
    sum->still++;
    sum->changed += changes;
    sum->still_band += in_band;
    sum->changed_band += in_band && changes;
  }
}

static void
add_step (Scores *scores, const FsSequenceStep *step, int n)
{
  scores->seconds_solve += (double)step->solve_us * 1e-6;
  scores->seconds_cut += (double)(step->change_us + step->solve_us) * 1e-6;
  scores->seconds_whole += (double)step->total_us * 1e-6;
  scores->motion += (double)step->motion_us * 1e-3 / n;
  scores->model += (double)step->model_us * 1e-3 / n;
  scores->energy += (double)step->energy_us * 1e-3 / n;
  scores->window += (double)step->n_window / n;
  scores->is_free += (double)step->n_free / n;
  scores->device += step->device_ms / n;
  scores->n_reused += step->is_reused;
}

static void
write_mask (const Clip *clip, int i, const uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("%05u.png", (guint)clip->numbers[i]);
  g_autofree char *path = g_build_filename (out, name, NULL);
  FsExport export = { .image = clip->frames[i], .mask = mask, .kind = FS_EXPORT_MASK };
  g_mkdir_with_parents (out, 0777);
  if (!fs_export_write (&export, path, NULL, NULL, NULL, &error))
    bench_fail (error->message);
}

/* Every way to a frame's mask leads to the same. */
static void
compare (uint8_t **known, const uint8_t *mask, size_t n)
{
  if (!*known)
    *known = g_memdup2 (mask, n);
  else if (memcmp (*known, mask, n) != 0)
    bench_fail ("two ways to a mask differ");
}

typedef struct {
  const char *backend;
  gboolean reuses;
} Way;

/* A sequence that goes on with frame i and has nothing to re-use. */
static FsSequence *
resume (const FsSequenceOptions *how, const Clip *clip, uint8_t **masks, int i)
{
  g_autoptr (GError) error = NULL;
  FsSequence *sequence = fs_sequence_new (how);
  if (!sequence || !fs_sequence_begin (sequence, clip->frames[0], masks[0], &error))
    bench_fail (error ? error->message : "not enough memory");
  for (int k = MAX (1, i - MAX (1, span)); k < i; k++)
    if (!fs_sequence_go_on (sequence, clip->frames[k], masks[k], &error))
      bench_fail (error->message);
  return sequence;
}

static void
follow (const Clip *clip, const Way *way, uint8_t **masks, Scores *scores)
{
  g_autoptr (GError) error = NULL;
  FsSequenceOptions how = { .backend = fs_backend_find (way->backend, &error), .span = span };
  if (!how.backend)
    bench_fail (error->message);
  g_autoptr (FsSequence) sequence = resume (&how, clip, masks, 1);
  size_t n = (size_t)clip->width * (size_t)clip->height;
  g_autofree uint8_t *previous = g_memdup2 (masks[0], n), *mask = g_malloc (n);
  Flicker flicker = { 0 };
  *scores = (Scores){ .worst = 2 };
  for (int i = 1; i < clip->n; i++) {
    FsSequenceStep step;
    if (!way->reuses && i > 1) {
      fs_sequence_free (sequence);
      sequence = resume (&how, clip, masks, i);
    }
    double before = bench_process_ms ();
    if (!fs_sequence_next (sequence, clip->frames[i], mask, &step, &error)) {
      g_printerr ("frame %u: %s\n", (guint)clip->numbers[i], error->message);
      g_clear_error (&error);
      scores->n_lost++;
      memset (mask, 0, n);
    }
    scores->processor_ms += (bench_process_ms () - before) / (clip->n - 1);
    add_step (scores, &step, clip->n - 1);
    double iou = overlap (mask, clip->truth[i], n);
    scores->iou += iou / (clip->n - 1);
    if (iou < scores->worst) {
      scores->worst = iou;
      scores->worst_number = clip->numbers[i];
    }
    count_flicker (clip, i, previous, mask, &flicker);
    memcpy (previous, mask, n);
    compare (&masks[i], mask, n);
    if (out)
      write_mask (clip, i, mask);
  }
  scores->flicker = (double)flicker.changed / (double)MAX (1, flicker.still);
  scores->flicker_band = (double)flicker.changed_band / (double)MAX (1, flicker.still_band);
}

static void
print (const char *name, const Clip *clip, const Way *way, const uint8_t *first, const Scores *s)
{
  double n = clip->n - 1;
  g_printerr (
      "%-14s %4d x %4d, %s%s  IoU %.4f, worst %.4f in frame %u; flicker %.2f %%, in the band %.2f "
      "%%; cut %.1f, whole %.1f frames a second\n",
      name, clip->width, clip->height, way->backend, way->reuses ? "" : ", fresh", s->iou, s->worst,
      (guint)s->worst_number, 100 * s->flicker, 100 * s->flicker_band, n / s->seconds_cut,
      n / s->seconds_whole);
  g_print ("{\"clip\": \"%s\", \"width\": %d, \"height\": %d, \"frames\": %d, \"backend\": \"%s\", "
           "\"reuse\": %s, \"iou\": %.4f, \"first\": %.4f, \"worst\": %.4f, \"worst_frame\": %u, "
           "\"lost\": %d, \"flicker\": %.5f, \"flicker_band\": %.5f, ",
           name, clip->width, clip->height, clip->n, way->backend, way->reuses ? "true" : "false",
           s->iou, overlap (first, clip->truth[0], (size_t)clip->width * (size_t)clip->height),
           s->worst, (guint)s->worst_number, s->n_lost, s->flicker, s->flicker_band);
  g_print (
      "\"fps\": {\"solve\": %.2f, \"cut\": %.2f, \"whole\": %.2f}, \"ms\": {\"motion\": %.3f, "
      "\"model\": %.3f, \"energy\": %.3f, \"change\": %.3f, \"solve\": %.3f, \"whole\": %.3f, "
      "\"processor\": %.3f}, \"window\": %.0f, \"free\": %.0f, \"device_ms\": %.3f, \"reused\": "
      "%d}\n",
      n / s->seconds_solve, n / s->seconds_cut, n / s->seconds_whole, s->motion, s->model,
      s->energy, (s->seconds_cut - s->seconds_solve) * 1e3 / n, s->seconds_solve * 1e3 / n,
      s->seconds_whole * 1e3 / n, s->processor_ms, s->window, s->is_free, s->device, s->n_reused);
}

static void
bench_way (const char *name, const Clip *clip, const Way *way, uint8_t **masks)
{
  Scores best = { 0 };
  for (int i = 0; i < rounds; i++) {
    Scores scores;
    follow (clip, way, masks, &scores);
    if (i == 0 || scores.seconds_whole < best.seconds_whole)
      best = scores;
  }
  print (name, clip, way, masks[0], &best);
}

static void
bench_clip (const char *path)
{
  Clip clip = { 0 };
  clip_read (&clip, path);
  g_autofree uint8_t **masks = g_new0 (uint8_t *, clip.n);
  g_autofree char *name = g_path_get_basename (path);
  g_auto (GStrv) names = g_strsplit (backends, ",", -1);
  masks[0] = g_malloc ((size_t)clip.width * (size_t)clip.height);
  cut_first (&clip, masks[0]);
  for (char **backend = names; *backend; backend++)
    for (int is_fresh = 0; is_fresh <= fresh; is_fresh++) {
      Way way = { *backend, !is_fresh };
      bench_way (name, &clip, &way, masks);
    }
  for (int i = 0; i < clip.n; i++)
    g_free (masks[i]);
  clip_clear (&clip);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (!clips || rounds < 1 || threads < 0)
    bench_fail ("a CLIP is needed");
  fs_solver_set_threads (threads);
  fs_energy_set_threads (threads);
  for (char **clip = clips; *clip; clip++)
    bench_clip (*clip);
  g_strfreev (clips);
  return 0;
}
