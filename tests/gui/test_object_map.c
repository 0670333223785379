/* SPDX-License-Identifier: MIT */
/* Telling objects apart beside the window: when it begins, what it gives, when it stops. */
#include "cut/mask_objects.h"
#include "solver/system/checked_memory.h"
#include "ui/view/object_map.h"

#include <string.h>

enum { W = 160, H = 100, N_PIXELS = W * H, MAX_SECONDS = 60 };

static FsDocument *
new_document (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (FsImage) image = fs_image_new (W, H);
  for (int p = 0; p < N_PIXELS; p++) {
    guint noise = (guint)g_rand_int_range (rand, 0, 40);
    gboolean is_object = p % W > 20 && p % W < 140 && p / W > 20 && p / W < 80;
    image->pixels[p] = is_object ? FS_PIXEL (255, 190 + noise, p % W < W / 2 ? 60 : 150, 40)
                                 : FS_PIXEL (255, 40, 70 + noise, 120);
  }
  return fs_document_new (image, NULL, NULL);
}

static void
paint (FsDocument *document, uint8_t label, float x, float y)
{
  const FsSample samples[] = { { .x = x, .y = y, .pressure = 1 },
                               { .x = x + 8, .y = y, .pressure = 1, .time_ms = 9 } };
  g_assert_true (fs_document_begin_stroke (document, label, 3));
  fs_document_extend_stroke (document, samples, G_N_ELEMENTS (samples));
  fs_document_end_stroke (document);
}

static gboolean
on_timeout (gpointer data)
{
  g_error ("nothing came within %d s", MAX_SECONDS);
  return G_SOURCE_REMOVE;
}

static void
count (int *n)
{
  ++*n;
}

static void
wait_for (const int *n, int wanted)
{
  guint timeout = g_timeout_add_seconds (MAX_SECONDS, on_timeout, NULL);
  while (*n < wanted)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
}

static void
on_final (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_true (fs_document_wait_final_finish (FS_DOCUMENT (source), result, NULL));
  *(int *)data = 1;
}

static void
wait_for_final (FsDocument *document)
{
  int done = 0;
  fs_document_wait_final_async (document, NULL, on_final, &done);
  wait_for (&done, 1);
}

static void
assert_map (FsObjectMap *object_map, FsDocument *document)
{
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  g_autofree uint8_t *numbers = g_malloc (N_PIXELS);
  FsSettings settings = fs_document_get_settings (document);
  fs_seed_map_set (seeds, fs_document_get_marks (document));
  g_assert_true (fs_mask_map_objects (fs_document_get_image (document), &settings, seeds, NULL,
                                      fs_document_get_mask (document), NULL, numbers, NULL));
  const uint8_t *shown = fs_object_map_get_numbers (object_map);
  g_assert_nonnull (shown);
  g_assert_cmpmem (shown, N_PIXELS, numbers, N_PIXELS);
}

static void
test_follows (void)
{
  int n_changed = 0;
  g_autoptr (FsDocument) document = new_document ();
  g_autoptr (FsObjectMap) object_map = fs_object_map_new ();
  g_signal_connect_swapped (object_map, "changed", G_CALLBACK (count), &n_changed);
  fs_object_map_set_document (object_map, document);
  paint (document, FS_SEED_OBJECT, 40, 50);
  paint (document, FS_SEED_BACKGROUND, 40, 8);
  wait_for_final (document);
  g_assert_cmpint (n_changed, ==, 0);
  g_assert_null (fs_object_map_get_numbers (object_map));

  paint (document, FS_SEED_OBJECT + 1, 110, 50);
  wait_for (&n_changed, 1);
  assert_map (object_map, document);

  /* What was found stays until the next is found. */
  paint (document, FS_SEED_OBJECT + 1, 60, 30);
  g_assert_nonnull (fs_object_map_get_numbers (object_map));
  wait_for (&n_changed, 2);
  assert_map (object_map, document);

  /* With one object there is nothing to tell apart. */
  fs_document_undo (document);
  fs_document_undo (document);
  wait_for (&n_changed, 3);
  g_assert_null (fs_object_map_get_numbers (object_map));
}

/* Edits on the heels of one another, and a document that goes in the midst of it. */
static void
test_stops (void)
{
  int n_changed = 0;
  g_autoptr (FsObjectMap) object_map = fs_object_map_new ();
  g_signal_connect_swapped (object_map, "changed", G_CALLBACK (count), &n_changed);
  for (int i = 0; i < 8; i++) {
    g_autoptr (FsDocument) document = new_document ();
    fs_object_map_set_document (object_map, document);
    paint (document, FS_SEED_OBJECT, 40, 50);
    paint (document, FS_SEED_OBJECT + 1, 110, 50);
    paint (document, FS_SEED_BACKGROUND, 40, 8);
    wait_for_final (document);
    if (i % 2 == 0)
      paint (document, FS_SEED_OBJECT + 2, 70, 60);
    if (i % 4 > 1) {
      n_changed = 0;
      wait_for (&n_changed, 1);
      assert_map (object_map, document);
    }
    fs_object_map_set_document (object_map, NULL);
    g_assert_null (fs_object_map_get_numbers (object_map));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/object-map/follows", test_follows);
  g_test_add_func ("/object-map/stops", test_stops);
  return g_test_run ();
}
