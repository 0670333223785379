/* SPDX-License-Identifier: MIT */
/* Pictures that a stranger gives for a guess: refused in one sentence, or a guess that fits to the
 * photo, of which an energy can be made; and one that was found is never a finished mask. */
#include "app/finder/guess_file.h"
#include "energy/guess/opinion.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

enum { W = 23, H = 17, MAX_SIDE = 512 };

/* Weighs it beside a few strokes, and asks for it at every pixel. */
static void
check_guess (FsGuess *guess)
{
  g_assert_cmpint (fs_guess_get_width (guess), <=, W);
  g_assert_cmpint (fs_guess_get_height (guess), <=, H);
  g_autoptr (FsOpinion) opinion = fs_opinion_new (guess, NULL);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  FsOpinionView view;
  fs_seed_map_set_run (seeds, 3, 2, 9, FS_SEED_OBJECT);
  fs_seed_map_set_run (seeds, 12, 8, 20, FS_SEED_BACKGROUND);
  fs_opinion_weigh (opinion, seeds);
  g_assert_true (fs_opinion_view_init (&view, opinion, W, H));
  for (uint32_t p = 0; p < W * H; p++)
    g_assert_cmpint (ABS (fs_opinion_view_get (&view, p)), <=, FS_OPINION_MAX);
  fs_opinion_view_clear (&view);
}

static void
check (FsGuess *guess, GError *error, const char *path)
{
  g_assert_true ((guess != NULL) == (error == NULL));
  if (guess)
    check_guess (guess);
  else if (!photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  g_clear_error (&error);
}

/* A header may ask for more than a fuzzer has time for. */
static gboolean
is_small (const char *path)
{
  const FsPhotoLimits limits = { .max_pixels = MAX_SIDE * MAX_SIDE, .max_memory_bytes = 64 << 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, &limits, NULL, &error);
  return photo || !g_error_matches (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  if (is_small (path)) {
    GError *errors[2] = { NULL };
    int width, height;
    g_autoptr (FsGuess) mask = fs_guess_load_mask (path, W, H, NULL, &width, &height, &errors[0]);
    g_autoptr (FsGuess) found = fs_guess_load_found (path, W, H, NULL, &errors[1]);
    g_assert_true ((mask != NULL) == (found != NULL));
    g_assert_true (!found || !fs_guess_is_mask (found));
    check (mask, errors[0], path);
    check (found, errors[1], path);
  }
  close (fd);
  return 0;
}

/* Grey of 8 and 16 bits, labels, and cut-outs, of the photo's size and of others. */
static void
add_pngs (GPtrArray *corpus, guint32 width, guint32 height)
{
  static const struct {
    uint8_t type, bits, n_bytes;
  } kinds[] = { { 0, 8, 1 },  { 0, 16, 2 }, { 3, 8, 1 }, { 4, 8, 2 },
                { 4, 16, 4 }, { 2, 8, 3 },  { 6, 8, 4 } };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (int sharp = 0; sharp < 2; sharp++) {
      const gsize row = 1 + (gsize)width * kinds[i].n_bytes;
      GByteArray *png = made_png_begin (width, height, kinds[i].bits, kinds[i].type, FALSE);
      g_autofree uint8_t *rows = g_malloc0 (row * height);
      for (gsize p = 0; p < row * height; p++)
        if (p % row > 0)
          rows[p] = sharp ? (p % row > row / 2 ? (kinds[i].type == 3 ? 1 : 255) : 0)
                          : (uint8_t)(kinds[i].type == 3 ? p % 2 : p * 7);
      if (kinds[i].type == 3)
        made_png_chunk (png, "PLTE", "\0\0\0\200\0\0", 6);
      made_png_pixels (png, rows, row * height);
      made_png_end (png);
      g_ptr_array_add (corpus, png);
    }
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  const MadeJpeg jpeg = { W, H, MADE_JPEG_GREY };
  add_pngs (corpus, W, H);
  add_pngs (corpus, 7, 40);
  g_ptr_array_add (corpus, made_jpeg (&jpeg));
  g_ptr_array_add (corpus, made_png (W, H, TRUE));
  return corpus;
}
