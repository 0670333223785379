/* SPDX-License-Identifier: MIT */
/* bench_lost [OPTIONS] [CLIP …]
 *
 * How often an object that is lost is noticed, and one that is there called lost. Objects are
 * followed through made-up clips (tests/app/frames/made_clip.h), and through each CLIP, a folder
 * with `frames` and `masks`: as it is; with the object hidden for a while, from four sides, by
 * ground from beside it; and so that a copy of it stands beside it all the time. Each begins with
 * its first true mask.
 *
 * A frame is *gone* where less than 5 % of the object is seen, and *there* from 30 % on. A word is
 * said of it where it has no mask, or a line asks for a look at it. On standard output a line a
 * kind of clips: frames that are gone and of how many of them a word is said; how often the object
 * goes, how often that is noticed while it is gone, and the mean delay in frames; frames whose mask
 * has an IoU below 0.1 without a word; frames that are there, how many of them have no mask, and of
 * how many others, with an IoU of 0.8 and more, a word is said.
 */
#include "app/frames/follow/sequence.h"
#include "app/frames/list/frames.h"
#include "app/photo/photo.h"
#include "tests/app/frames/made_clip.h"

#include <stdio.h>
#include <string.h>

#define GONE  0.05
#define THERE 0.3
#define WRONG 0.1
#define RIGHT 0.8

enum { WORDS = FS_SEQUENCE_FOUND_AGAIN | FS_SEQUENCE_DOUBTFUL | FS_SEQUENCE_SMALL };

static int first_variant, last_variant = 7, variant_step = 1;
static gboolean trace;
static char **clips;

static const GOptionEntry options[] = {
  { "first", 0, 0, G_OPTION_ARG_INT, &first_variant, "Of made-up clips: the first variant", "N" },
  { "last", 0, 0, G_OPTION_ARG_INT, &last_variant, "… and the last", "N" },
  { "step", 0, 0, G_OPTION_ARG_INT, &variant_step, "… of every so many", "N" },
  { "trace", 0, 0, G_OPTION_ARG_NONE, &trace, "Also a letter a frame on standard error", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &clips, NULL, "CLIP …" },
  { NULL },
};

typedef struct {
  int n_gone, n_gone_said, n_goes, n_noticed, n_delay, n_silent, n_there, n_lost, n_doubted;
} Tally;

/* Frame t; NULL behind the last one. `seen` gets the true mask. */
typedef FsImage *(*Source) (const void *clip, int t, uint8_t *seen);

static int
count (const uint8_t *mask, size_t n)
{
  int sum = 0;
  for (size_t p = 0; p < n; p++)
    sum += mask[p];
  return sum;
}

static double
overlap (const uint8_t *a, const uint8_t *b, size_t n)
{
  int both = 0, any = 0;
  for (size_t p = 0; p < n; p++) {
    both += a[p] & b[p];
    any += a[p] | b[p];
  }
  return any > 0 ? (double)both / any : 0;
}

/* What has become of the object since it went. */
typedef struct {
  int since; /* -1: it has not gone */
  gboolean is_noticed;
} Absence;

static char
classify (Tally *tally, Absence *absence, int t, double share, double iou, gboolean has_mask,
          gboolean has_word)
{
  if (share < GONE) {
    if (absence->since < 0)
      *absence = (Absence){ .since = t };
    tally->n_goes += absence->since == t;
    tally->n_gone++;
    tally->n_gone_said += has_word;
    tally->n_noticed += has_word && !absence->is_noticed;
    tally->n_delay += has_word && !absence->is_noticed ? t - absence->since : 0;
    absence->is_noticed = absence->is_noticed || has_word;
  } else if (share >= THERE) {
    absence->since = -1;
    tally->n_there++;
    tally->n_lost += !has_mask;
    tally->n_doubted += has_mask && has_word && iou >= RIGHT;
  }
  gboolean is_silent = !has_word && iou < WRONG && (share < GONE || share >= THERE);
  tally->n_silent += is_silent;
  return !has_mask ? 'L' : has_word ? '?' : is_silent ? 'w' : '.';
}

static void
follow (Source source, const void *clip, int width, int height, const char *name, Tally *tally)
{
  size_t n = (size_t)width * (size_t)height;
  FsSequenceOptions none = { 0 };
  g_autofree uint8_t *seen = g_malloc (n), *mask = g_malloc (n);
  g_autoptr (FsSequence) sequence = fs_sequence_new (&none);
  g_autoptr (FsImage) first = source (clip, 0, seen);
  g_autoptr (GString) letters = g_string_new (NULL);
  int n_first = count (seen, n);
  Absence absence = { .since = -1 };
  g_assert_true (fs_sequence_begin (sequence, first, seen, NULL));
  for (int t = 1;; t++) {
    FsSequenceStep step;
    g_autoptr (FsImage) image = source (clip, t, seen);
    if (!image)
      break;
    double share = (double)count (seen, n) / n_first;
    gboolean has_mask = fs_sequence_next (sequence, image, mask, &step, NULL);
    double iou = has_mask ? overlap (mask, seen, n) : 0;
    char letter = classify (tally, &absence, t, share, iou, has_mask,
                            !has_mask || (step.events & WORDS) != 0);
    g_string_append_c (letters, letter);
  }
  if (trace)
    fprintf (stderr, "%-24s %s\n", name, letters->str);
}

static void
print (const char *name, const Tally *t)
{
  printf ("%-14s gone %4d, said %4d; goes %3d, noticed %3d, delay %4.1f; silent %4d; there %5d, "
          "lost %3d, doubted %3d\n",
          name, t->n_gone, t->n_gone_said, t->n_goes, t->n_noticed,
          t->n_noticed > 0 ? (double)t->n_delay / t->n_noticed : 0.0, t->n_silent, t->n_there,
          t->n_lost, t->n_doubted);
  fflush (stdout);
}

static void
add (Tally *sum, const Tally *t)
{
  sum->n_gone += t->n_gone;
  sum->n_gone_said += t->n_gone_said;
  sum->n_goes += t->n_goes;
  sum->n_noticed += t->n_noticed;
  sum->n_delay += t->n_delay;
  sum->n_silent += t->n_silent;
  sum->n_there += t->n_there;
  sum->n_lost += t->n_lost;
  sum->n_doubted += t->n_doubted;
}

/* --- made up ---------------------------------------------------------------------------------- */

typedef struct {
  MadeKind kind;
  unsigned v;
} Made;

static FsImage *
get_made (const void *clip, int t, uint8_t *seen)
{
  const Made *made = clip;
  return t < FS_MADE_FRAMES ? made_clip_frame (made->kind, made->v, t, seen) : NULL;
}

static void
follow_made (void)
{
  Tally all = { 0 };
  for (int kind = 0; kind < FS_MADE_N_KINDS; kind++) {
    Tally tally = { 0 };
    for (int v = first_variant; v <= last_variant; v += variant_step) {
      Made made = { (MadeKind)kind, (unsigned)v };
      follow (get_made, &made, FS_MADE_WIDTH, FS_MADE_HEIGHT, made_clip_name (made.kind), &tally);
    }
    print (made_clip_name ((MadeKind)kind), &tally);
    add (&all, &tally);
  }
  print ("all made up", &all);
}

/* --- clips ------------------------------------------------------------------------------------ */

/* As it is; hidden, from four sides; and the same beside a copy of the object. */
enum { AS_IS, N_SIDES = 4, N_WAYS = 1 + 2 * N_SIDES };
/* Frames in which it is hidden little by little, and pixels beside it that go with it. */
enum { HIDING = 6, MARGIN = 6 };

typedef struct {
  GPtrArray *frames, *masks; /* of FsImage */
  int way;
} Real;

static void
unref_image (gpointer image)
{
  fs_image_unref (image);
}

static GPtrArray *
load (const char *clip, const char *inner)
{
  g_autofree char *folder = g_build_filename (clip, inner, NULL);
  GPtrArray *frames = fs_frames_list (folder, NULL);
  GPtrArray *images = g_ptr_array_new_with_free_func (unref_image);
  for (guint i = 0; frames && i < frames->len; i++)
    g_ptr_array_add (images, fs_frame_load (frames->pdata[i], NULL, NULL));
  g_clear_pointer (&frames, g_ptr_array_unref);
  return images;
}

static gboolean
is_object (const FsImage *mask, int x, int y)
{
  return x >= 0 && y >= 0 && x < mask->width && y < mask->height
         && FS_PIXEL_G (mask->pixels[y * mask->width + x]) > 128;
}

typedef struct {
  int x0, y0, x1, y1;
} Box;

static Box
find_box (const FsImage *mask)
{
  Box box = { mask->width, mask->height, 0, 0 };
  for (int y = 0; y < mask->height; y++)
    for (int x = 0; x < mask->width; x++)
      if (is_object (mask, x, y))
        box = (Box){ MIN (box.x0, x), MIN (box.y0, y), MAX (box.x1, x + 1), MAX (box.y1, y + 1) };
  return box;
}

/* How much of it is hidden, from 0 to 1 and back. */
static double
find_hidden (const Real *real, int t)
{
  double n = real->frames->len;
  return CLAMP ((t - 0.3 * n) / HIDING, 0, 1) - CLAMP ((t - 0.7 * n) / HIDING, 0, 1);
}

/* The hidden part of a box, from the left, right, top or bottom. */
static Box
find_hidden_part (const Real *real, int t, Box box)
{
  double part = find_hidden (real, t);
  int width = box.x1 - box.x0, height = box.y1 - box.y0, side = (real->way - 1) % N_SIDES;
  Box whole = { box.x0 - MARGIN, box.y0 - MARGIN, box.x1 + MARGIN, box.y1 + MARGIN };
  if (real->way == AS_IS || part <= 0)
    return (Box){ 0, 0, 0, 0 };
  if (part >= 1)
    return whole;
  if (side == 0)
    whole.x1 = box.x0 + (int)(part * width);
  else if (side == 1)
    whole.x0 = box.x1 - (int)(part * width);
  else if (side == 2)
    whole.y1 = box.y0 + (int)(part * height);
  else
    whole.y0 = box.y1 - (int)(part * height);
  return whole;
}

/* To where there is room beside the object, to be its ground or its copy. */
static int
find_offset (const FsImage *frame, Box box)
{
  int width = box.x1 - box.x0 + 2 * MARGIN;
  return box.x1 + width <= frame->width || box.x0 < width ? width : -width;
}

static FsImage *
get_real (const void *clip, int t, uint8_t *seen)
{
  const Real *real = clip;
  if (t >= (int)real->frames->len)
    return NULL;
  const FsImage *frame = real->frames->pdata[t], *mask = real->masks->pdata[t];
  const FsImage *frame0 = real->frames->pdata[0], *mask0 = real->masks->pdata[0];
  Box box = find_box (mask), hidden = find_hidden_part (real, t, box);
  int off = find_offset (frame, box), off0 = -find_offset (frame0, find_box (mask0));
  FsImage *image = fs_image_new (frame->width, frame->height);
  for (int y = 0; y < frame->height; y++)
    for (int x = 0; x < frame->width; x++) {
      int p = y * frame->width + x;
      gboolean is_hidden = x >= hidden.x0 && x < hidden.x1 && y >= hidden.y0 && y < hidden.y1;
      seen[p] = is_object (mask, x, y) && !is_hidden;
      image->pixels[p] = frame->pixels[p];
      if (is_hidden)
        image->pixels[p] = frame->pixels[y * frame->width + CLAMP (x + off, 0, frame->width - 1)];
      if (real->way > N_SIDES && !seen[p] && is_object (mask0, x - off0, y))
        image->pixels[p] = frame0->pixels[y * frame->width + x - off0];
    }
  return image;
}

static void
follow_real (const char *clip)
{
  Real real = { .frames = load (clip, "frames"), .masks = load (clip, "masks") };
  g_autofree char *name = g_path_get_basename (clip);
  const FsImage *first = real.frames->len > 0 ? real.frames->pdata[0] : NULL;
  Tally hidden[2] = { { 0 }, { 0 } };
  for (real.way = 0; first && real.way < N_WAYS; real.way++) {
    Tally tally = { 0 };
    follow (get_real, &real, first->width, first->height, name, &tally);
    if (real.way == AS_IS)
      print (name, &tally);
    else
      add (&hidden[real.way > N_SIDES], &tally);
  }
  print ("… hidden", &hidden[0]);
  print ("… and a copy", &hidden[1]);
  g_ptr_array_unref (real.frames);
  g_ptr_array_unref (real.masks);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || variant_step < 1) {
    fprintf (stderr, "bench_lost: %s\n", error ? error->message : "--step is 1 or more");
    return 2;
  }
  if (!clips)
    follow_made ();
  for (char **clip = clips; clip && *clip; clip++)
    follow_real (*clip);
  return 0;
}
