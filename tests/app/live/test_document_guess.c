/* SPDX-License-Identifier: MIT */
/* A guess in a document: an edit among the strokes, and a mask that is that of a fresh cut. */
#include "app/live/document.h"
#include "tests/app/live/random_sessions.h"
#include "tests/gui/fresh_cut.h"

#include <string.h>

enum { W = 60, H = 44, N_RANDOM = 12 };

/* Grey noise with a brighter disc: strokes say little, the guess much. */
static FsImage *
make_image (GRand *rand)
{
  FsImage *image = fs_image_new (W, H);
  for (int p = 0; p < W * H; p++) {
    int dx = p % W - 30, dy = p / W - 22;
    int base = dx * dx + dy * dy < 150 ? 120 : 90;
    uint8_t grey = (uint8_t)(base + g_rand_int_range (rand, 0, 40));
    image->pixels[p] = FS_PIXEL (255, grey, grey, grey);
  }
  return image;
}

/* For a photo of so many times the size. */
static FsGuess *
make_disc (int x0, int y0, int factor)
{
  guint16 plane[15 * 11];
  for (int p = 0; p < 15 * 11; p++) {
    int dx = p % 15 * 4 + 2 - x0, dy = p / 15 * 4 + 2 - y0;
    plane[p] = dx * dx + dy * dy < 150 ? 65535 : 0;
  }
  return fs_guess_new (plane, 15, 11, W * factor, H * factor);
}

static void
dab (FsDocument *document, uint8_t label, float x, float y)
{
  g_assert_true (fs_document_begin_stroke (document, label, 2));
  fs_document_extend_stroke (document, &(FsSample){ x, y, 1, 0 }, 1);
  fs_document_end_stroke (document);
}

static void
assert_is_fresh (FsDocument *document)
{
  wait_for_final (document);
  g_autoptr (GPtrArray) strokes = g_ptr_array_new ();
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++)
    g_ptr_array_add (strokes, (gpointer)fs_document_get_stroke (document, i));
  FsSettings settings = fs_document_get_settings (document);
  FsImage *image = fs_document_get_image (document);
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *mask = fresh_cut (image, &settings, strokes, strokes->len);
  g_assert_cmpmem (fs_document_get_mask (document), n, mask, n);
}

static gboolean
is_object (FsDocument *document, int x, int y)
{
  return fs_document_get_mask (document)[y * W + x];
}

static void
on_edited (FsDocument *document, int edit, gpointer data)
{
  g_array_append_val ((GArray *)data, edit);
}

static void
test_one_edit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (FsImage) image = make_image (rand);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (GArray) edits = g_array_new (FALSE, FALSE, sizeof (int));
  g_signal_connect (document, "edited", G_CALLBACK (on_edited), edits);
  g_autoptr (FsGuess) guess = make_disc (30, 22, 1), other = make_disc (12, 12, 1);

  g_assert_false (fs_document_set_guess (document, NULL, NULL));
  g_assert_true (fs_document_set_guess (document, guess, "a.png"));
  g_assert_false (fs_document_set_guess (document, guess, "a.png"));
  g_assert_true (fs_document_get_guess (document) == guess);
  g_assert_cmpstr (fs_document_get_guess_name (document), ==, "a.png");
  assert_is_fresh (document);
  g_assert_true (fs_document_get_status (document).has_mask);
  g_assert_true (is_object (document, 30, 22) && !is_object (document, 3, 3));

  g_assert_true (fs_document_set_guess (document, other, NULL));
  g_assert_null (fs_document_get_guess_name (document));
  assert_is_fresh (document);
  g_assert_true (!is_object (document, 30, 22) && is_object (document, 12, 12));
  g_assert_true (fs_document_undo (document));
  g_assert_true (fs_document_get_guess (document) == guess);
  assert_is_fresh (document);
  g_assert_true (is_object (document, 30, 22));
  g_assert_true (fs_document_undo (document) && !fs_document_can_undo (document));
  g_assert_null (fs_document_get_guess (document));
  assert_is_fresh (document);
  g_assert_false (fs_document_get_status (document).has_mask);
  g_assert_false (is_object (document, 30, 22));
  g_assert_true (fs_document_redo (document) && fs_document_redo (document));
  assert_is_fresh (document);
  g_assert_true (is_object (document, 12, 12));

  static const int wanted[] = { FS_DOCUMENT_GUESS, FS_DOCUMENT_GUESS, FS_DOCUMENT_UNDO,
                                FS_DOCUMENT_UNDO,  FS_DOCUMENT_REDO,  FS_DOCUMENT_REDO };
  g_assert_cmpmem (edits->data, edits->len * sizeof (int), wanted, sizeof wanted);
}

/* Strokes before and after it, with stability, which keeps nothing from before a guess. */
static void
test_with_strokes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (FsImage) image = make_image (rand);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = TRUE;
  g_autoptr (FsDocument) document = fs_document_new (image, &settings, NULL);
  g_autoptr (FsGuess) guess = make_disc (30, 22, 1);

  dab (document, FS_SEED_BACKGROUND, 55, 40);
  wait_for_final (document);
  g_assert_true (fs_document_set_guess (document, guess, NULL));
  g_assert_cmpuint (fs_document_get_newest_final (document), ==, 0);
  dab (document, FS_SEED_BACKGROUND, 5, 40);
  assert_is_fresh (document);
  g_assert_true (is_object (document, 30, 22));
  g_assert_cmpuint (fs_document_get_stroke (document, 2)->after, ==, 0);
  g_assert_false (fs_document_begin_stroke_after (document, FS_SEED_OBJECT, 2, 1));

  g_assert_true (fs_document_begin_stroke (document, FS_SEED_OBJECT, 2));
  g_assert_false (fs_document_set_guess (document, NULL, NULL));
  fs_document_extend_stroke (document, &(FsSample){ 12, 12, 1, 0 }, 1);
  fs_document_end_stroke (document);
  g_assert_cmpuint (fs_document_get_stroke (document, 3)->after, ==, 3);
  assert_is_fresh (document);
  dab (document, FS_SEED_BACKGROUND, 30, 22);
  assert_is_fresh (document);
  g_assert_false (is_object (document, 30, 22));
  g_assert_true (fs_document_undo (document));
  g_assert_true (fs_document_set_guess (document, NULL, NULL));
  assert_is_fresh (document);
  settings.stability = FALSE;
  fs_document_set_settings (document, &settings);
  assert_is_fresh (document);
  while (fs_document_undo (document))
    assert_is_fresh (document);
}

static void
test_random (void)
{
  for (guint32 seed = 0; seed < N_RANDOM; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (FsImage) image = random_image (rand);
    FsSettings settings = random_settings (rand);
    g_autoptr (FsDocument) document = fs_document_new (image, &settings, NULL);
    g_autoptr (FsGuess) guess = random_guess (image, rand);
    g_assert_true (fs_document_set_guess (document, guess, NULL));
    for (int i = 0; i < 4; i++) {
      random_work (document, rand);
      assert_is_fresh (document);
    }
  }
}

/* Large enough for previews, and for a fit that has to give way. */
static void
test_large (void)
{
  enum { FACTOR = 16 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (FsImage) small = make_image (rand);
  g_autoptr (FsImage) image = fs_image_new (W * FACTOR, H * FACTOR);
  for (int p = 0; p < W * H * FACTOR * FACTOR; p++) {
    int x = p % (W * FACTOR), y = p / (W * FACTOR);
    image->pixels[p] = small->pixels[y / FACTOR * W + x / FACTOR];
  }
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (FsGuess) guess = make_disc (30, 22, FACTOR), other = make_disc (12, 12, FACTOR);
  g_assert_true (fs_document_set_guess (document, guess, NULL));
  g_main_context_iteration (NULL, FALSE);
  dab (document, FS_SEED_BACKGROUND, 55 * FACTOR, 40 * FACTOR);
  g_assert_true (fs_document_set_guess (document, other, NULL));
  assert_is_fresh (document);
  dab (document, FS_SEED_OBJECT, 12 * FACTOR, 12 * FACTOR);
  g_main_context_iteration (NULL, FALSE);
  g_assert_true (fs_document_undo (document) && fs_document_undo (document));
  assert_is_fresh (document);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document-guess/one-edit", test_one_edit);
  g_test_add_func ("/document-guess/with-strokes", test_with_strokes);
  g_test_add_func ("/document-guess/random", test_random);
  g_test_add_func ("/document-guess/large", test_large);
  return g_test_run ();
}
