/* SPDX-License-Identifier: MIT */
/* Stability in the live loop: every final mask against one that follows from the strokes and what
 * they keep, and from nothing else. */
#include "app/live/document.h"
#include "app/strokes/mask_runs.h"
#include "tests/gui/fresh_cut.h"

#include <math.h>
#include <string.h>

enum { W = 130, H = 90 };

static const FsSettings stable = { .neighbours = FS_NEIGHBOURS_8,
                                   .smoothness = 1,
                                   .model = FS_MODEL_GEODESIC,
                                   .star = TRUE,
                                   .stability = TRUE };

/* Patches of many colours, in which models from strokes jump. */
static FsImage *
make_image (guint32 seed, int patch_px)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsImage *image = fs_image_new (W, H);
  guint8 base[256];
  for (int i = 0; i < 256; i++)
    base[i] = (guint8)g_rand_int_range (rand, 0, 200);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int i = (y / patch_px * 17 + x / patch_px) & 63;
      int noise = g_rand_int_range (rand, 0, 30);
      image->pixels[y * W + x] =
          FS_PIXEL (255, base[i] + noise, base[i + 64] + noise, base[i + 128] + noise / 2);
    }
  return image;
}

/* --- a person, and what she did --- */

typedef struct {
  FsDocument *document;
  GPtrArray *strokes; /* of FsStroke, those that are undone at the end */
  guint n;            /* that are not undone */
  guint n_referring;  /* how many ever kept a mask */
} Person;

static void
person_init (Person *person, FsImage *image, const FsSettings *settings)
{
  *person = (Person){ .document = fs_document_new (image, settings, NULL) };
  person->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
}

static void
person_clear (Person *person)
{
  g_object_unref (person->document);
  g_ptr_array_unref (person->strokes);
}

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  fs_document_wait_final_finish (FS_DOCUMENT (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *)data = TRUE;
}

static void
wait_for_final (FsDocument *document)
{
  gboolean done = FALSE;
  fs_document_wait_final_async (document, NULL, on_final, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static void
paint (Person *person, GRand *rand)
{
  uint8_t label = (uint8_t)g_rand_int_range (rand, 0, 5) % 3;
  FsStroke *stroke = fs_stroke_new (label, (float)g_rand_double_range (rand, 1, 7));
  stroke->after = fs_document_get_newest_final (person->document);
  person->n_referring += stroke->after > 0;
  fs_document_begin_stroke (person->document, label, stroke->radius_px);
  float x = (float)g_rand_double_range (rand, 0, W), y = (float)g_rand_double_range (rand, 0, H);
  for (int i = 0; i < 6; i++) {
    FsSample sample = { x, y, 1, (guint)i * 8 };
    g_array_append_val (stroke->samples, sample);
    fs_document_extend_stroke (person->document, &sample, 1);
    g_main_context_iteration (NULL, FALSE);
    x += (float)g_rand_double_range (rand, -9, 9);
    y += (float)g_rand_double_range (rand, -9, 9);
  }
  fs_document_end_stroke (person->document);
  g_ptr_array_set_size (person->strokes, (int)person->n++);
  g_ptr_array_add (person->strokes, stroke);
}

static void
change_settings (Person *person, GRand *rand)
{
  FsSettings settings = fs_document_get_settings (person->document);
  settings.smoothness = g_rand_int_range (rand, 0, 3);
  settings.star = g_rand_boolean (rand);
  settings.stability = g_rand_int_range (rand, 0, 4) > 0;
  settings.model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS);
  FsSettings before = fs_document_get_settings (person->document);
  fs_document_set_settings (person->document, &settings);
  for (guint i = 0; !fs_settings_equal (&before, &settings) && i < person->strokes->len; i++)
    ((FsStroke *)person->strokes->pdata[i])->after = 0;
}

static void
check_final_mask (Person *person)
{
  wait_for_final (person->document);
  FsDocumentStatus status = fs_document_get_status (person->document);
  g_assert_true (status.is_final && status.exact);
  g_assert_cmpint (status.energy, ==, status.bound);
  FsSettings settings = fs_document_get_settings (person->document);
  g_autofree uint8_t *expected =
      fresh_cut (fs_document_get_image (person->document), &settings, person->strokes, person->n);
  g_assert_cmpmem (fs_document_get_mask (person->document), W * H, expected, W * H);
}

/* --- tests --- */

static void
random_edit (Person *person, GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 10)) {
  case 0:
  case 1:
    person->n -= (guint)fs_document_undo (person->document);
    break;
  case 2:
    person->n += (guint)fs_document_redo (person->document);
    break;
  case 3:
    change_settings (person, rand);
    break;
  case 4: {
    FsSample sample = { 20, 30, 1, 0 };
    fs_document_begin_stroke (person->document, FS_SEED_BACKGROUND, 8);
    fs_document_extend_stroke (person->document, &sample, 1);
    fs_document_cancel_stroke (person->document);
    break;
  }
  default:
    paint (person, rand);
  }
}

static void
test_random_histories (void)
{
  guint n_referring = 0, n = g_getenv ("FRETSAW_TEST_SHARE") ? 2 : 6;
  for (guint32 seed = 0; seed < n; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (FsImage) image = make_image (seed, 9);
    Person person;
    person_init (&person, image, &stable);
    for (int i = 0; i < 30; i++) {
      random_edit (&person, rand);
      if (g_rand_int_range (rand, 0, 2) == 0)
        check_final_mask (&person);
    }
    check_final_mask (&person);
    n_referring += person.n_referring;
    person_clear (&person);
  }
  g_assert_cmpuint (n_referring, >, 3 * n);
}

static void
test_undo_all_redo_all (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (FsImage) image = make_image (3, 12);
  g_autoptr (GPtrArray) masks = g_ptr_array_new_with_free_func (g_free);
  Person person;
  person_init (&person, image, &stable);
  for (int i = 0; i < 10; i++) {
    check_final_mask (&person);
    g_ptr_array_add (masks, g_memdup2 (fs_document_get_mask (person.document), W * H));
    paint (&person, rand);
  }
  check_final_mask (&person);
  g_autofree uint8_t *last = g_memdup2 (fs_document_get_mask (person.document), W * H);
  for (guint i = masks->len; i-- > 0;) {
    g_assert_true (fs_document_undo (person.document));
    wait_for_final (person.document);
    g_assert_cmpmem (fs_document_get_mask (person.document), W * H, masks->pdata[i], W * H);
  }
  while (fs_document_redo (person.document))
    ;
  check_final_mask (&person);
  g_assert_cmpmem (fs_document_get_mask (person.document), W * H, last, W * H);
  person_clear (&person);
}

/* Changed pixels that are joined to none within two pixels of a stroke are what stability is
 * against; without it this photo has them. */
static size_t
count_far_changes (const uint8_t *before, const uint8_t *after, int x, int y, int radius)
{
  size_t n = 0;
  for (int i = 0; i < W * H; i++)
    n += before[i] != after[i] && hypot (i % W - x, i / W - y) > radius;
  return n;
}

static size_t
changes_far_from_a_stroke (gboolean stability)
{
  g_autoptr (FsImage) image = make_image (8, 7);
  FsSettings settings = stable;
  settings.model = FS_MODEL_KMEANS;
  settings.stability = stability;
  g_autoptr (FsDocument) document = fs_document_new (image, &settings, NULL);
  static const FsSample dabs[] = { { 30, 45, 1, 0 }, { 100, 45, 1, 0 }, { 65, 80, 1, 0 } };
  static const uint8_t labels[] = { FS_SEED_OBJECT, FS_SEED_BACKGROUND, FS_SEED_OBJECT };
  g_autofree uint8_t *before = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (dabs); i++) {
    g_free (before);
    before = g_memdup2 (fs_document_get_mask (document), W * H);
    fs_document_begin_stroke (document, labels[i], 5);
    fs_document_extend_stroke (document, &dabs[i], 1);
    fs_document_end_stroke (document);
    wait_for_final (document);
  }
  return count_far_changes (before, fs_document_get_mask (document), 65, 80, 40);
}

static void
test_what_is_far_stays (void)
{
  size_t without = changes_far_from_a_stroke (FALSE), with = changes_far_from_a_stroke (TRUE);
  g_test_message ("%zu pixels change far from a stroke, with stability %zu", without, with);
  g_assert_cmpuint (without, >, 100);
  g_assert_cmpuint (with * 2, <, without);
}

static void
test_masks_pack (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int i = 0; i < 200; i++) {
    gsize n = (gsize)g_rand_int_range (rand, 1, 40000);
    int longest = 1 << g_rand_int_range (rand, 0, 16);
    g_autofree uint8_t *mask = g_malloc (n), *again = g_malloc (n);
    uint8_t side = (uint8_t)g_rand_int_range (rand, 0, 2);
    for (gsize k = 0; k < n; side ^= 1)
      for (int run = g_rand_int_range (rand, 1, longest + 1); run > 0 && k < n; run--)
        mask[k++] = side;
    g_autoptr (GBytes) runs = fs_mask_runs_pack (mask, n);
    memset (again, 7, n);
    fs_mask_runs_unpack (runs, again, n);
    g_assert_cmpmem (again, n, mask, n);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stability/random-histories", test_random_histories);
  g_test_add_func ("/stability/undo-all-redo-all", test_undo_all_redo_all);
  g_test_add_func ("/stability/what-is-far-stays", test_what_is_far_stays);
  g_test_add_func ("/stability/masks-pack", test_masks_pack);
  return g_test_run ();
}
