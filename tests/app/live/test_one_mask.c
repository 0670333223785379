/* SPDX-License-Identifier: MIT */
/* One session, one mask: whichever way a session is played, saved, opened or written, what comes of
 * it is the same, to the bit. */
#include "app/live/objects/document_objects.h"
#include "app/photo/photo.h"
#include "app/replay/replay.h"
#include "solver/system/checked_memory.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/live/random_sessions.h"
#include "tests/gui/fresh_cut.h"
#include "tests/app/replay/replay_check.h"
#include "energy/energy.h"

#include <jansson.h>
#include <string.h>

/* As many as make a few seconds; SCALE makes so many times more. */
enum { N_SESSIONS = 200 };

/* A photo with one session, and the mask that its window showed last. */
typedef struct {
  guint32 seed;
  char *folder, *photo, *path;
  FsImage *image;
  FsProject *project;
  size_t n; /* pixels */
  uint8_t *mask;
  uint8_t *numbers; /* of the objects */
} Scene;

typedef struct {
  guint sessions, keeping, several, outlined, guessed, imported, undone, recovered;
} Counts;

static Counts counts;

/* --- windows ---------------------------------------------------------------------------------- */

static FsDocument *
document_of (Scene *scene)
{
  return fs_project_get_document (scene->project);
}

static void
open_window (Scene *scene, const FsSettings *settings)
{
  g_autoptr (FsDocument) document = fs_document_new (scene->image, settings, NULL);
  scene->project = fs_project_new (document, scene->photo);
}

static void
close_window (Scene *scene)
{
  fs_project_close (scene->project);
  g_clear_object (&scene->project);
}

static void
scene_init (Scene *scene, guint32 seed, const FsImage *image, const FsSettings *settings)
{
  *scene = (Scene){ .seed = seed, .folder = made_folder () };
  scene->photo = write_photo (scene->folder, image);
  scene->path = g_build_filename (scene->folder, "s.fretsaw", NULL);
  g_autoptr (FsPhoto) photo = fs_photo_load (scene->photo, NULL, NULL, NULL);
  scene->image = fs_image_ref (photo->image);
  scene->n = (size_t)scene->image->width * (size_t)scene->image->height;
  open_window (scene, settings);
}

static void
scene_clear (Scene *scene)
{
  fs_project_discard (scene->project);
  close_window (scene);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  made_folder_remove (scene->folder);
  fs_image_unref (scene->image);
  fs_memory_free (scene->numbers);
  g_free (scene->mask);
  g_free (scene->folder);
  g_free (scene->photo);
  g_free (scene->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (!*result)
    g_main_context_iteration (NULL, TRUE);
}

static uint8_t *
share (FsDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  fs_document_map_objects_async (document, NULL, on_done, &result);
  wait_for (&result);
  uint8_t *numbers = fs_document_map_objects_finish (document, result, &error);
  g_assert_no_error (error);
  return numbers;
}

static void
save (Scene *scene)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  fs_project_save_async (scene->project, scene->path, FALSE, NULL, on_done, &result);
  wait_for (&result);
  fs_project_save_finish (scene->project, result, &error);
  g_assert_no_error (error);
}

static FsSession *
read_session (Scene *scene)
{
  g_autoptr (GError) error = NULL;
  FsSession *session = fs_session_read (scene->path, &error);
  g_assert_no_error (error);
  return session;
}

/* --- what is the same ------------------------------------------------------------------------- */

static void
assert_same (Scene *scene, const char *way, const uint8_t *plane, const uint8_t *expected)
{
  size_t n_different = 0;
  for (size_t i = 0; i < scene->n; i++)
    n_different += plane[i] != expected[i];
  if (n_different > 0)
    g_error ("session %u, %s: %zu of %zu pixels differ", scene->seed, way, n_different, scene->n);
}

static void
assert_shows_the_same (Scene *scene, const char *way, FsDocument *document)
{
  wait_for_final (document);
  assert_same (scene, way, fs_document_get_mask (document), scene->mask);
  uint8_t *numbers = share (document);
  assert_same (scene, way, numbers, scene->numbers);
  fs_memory_free (numbers);
}

/* --- ways ------------------------------------------------------------------------------------- */

static void
note_window (Scene *scene)
{
  wait_for_final (document_of (scene));
  scene->mask = g_memdup2 (fs_document_get_mask (document_of (scene)), scene->n);
  scene->numbers = share (document_of (scene));
}

/* The window is gone without a word; another one has what the journal kept. */
static void
check_recovered (Scene *scene)
{
  if (!fs_project_is_unsaved (scene->project))
    return;
  FsSettings settings = fs_document_get_settings (document_of (scene));
  close_window (scene);
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  g_assert_cmpuint (lost->len, ==, 1);
  FsLostWork *work = g_ptr_array_steal_index (lost, 0);
  g_assert_true (fs_settings_equal (&work->content->session->settings, &settings));
  open_window (scene, &settings);
  g_autoptr (GAsyncResult) result = NULL;
  fs_project_recover_async (scene->project, work, NULL, NULL, on_done, &result);
  wait_for (&result);
  g_assert_true (fs_project_restore_finish (scene->project, result, NULL));
  assert_shows_the_same (scene, "recovered", document_of (scene));
  counts.recovered++;
}

static void
check_reopened (Scene *scene, const FsSession *session)
{
  g_autofree char *before = NULL, *after = NULL;
  g_assert_true (g_file_get_contents (scene->path, &before, NULL, NULL));
  g_autoptr (FsDocument) window = g_object_ref (document_of (scene));
  close_window (scene);
  open_window (scene, &session->settings);
  g_autoptr (GAsyncResult) result = NULL;
  fs_project_open_async (scene->project, session, scene->path, NULL, NULL, on_done, &result);
  wait_for (&result);
  g_assert_true (fs_project_restore_finish (scene->project, result, NULL));
  assert_shows_the_same (scene, "opened again", document_of (scene));
  save (scene);
  g_assert_true (g_file_get_contents (scene->path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  /* Older states too, whose masks nobody has waited for there. */
  for (guint i = 0; i < session->strokes->len; i++)
    if (i % 2 == 0) {
      fs_document_undo (window);
      fs_document_undo (document_of (scene));
      wait_for_final (window);
      wait_for_final (document_of (scene));
      assert_same (scene, "opened again and undone", fs_document_get_mask (document_of (scene)),
                   fs_document_get_mask (window));
    }
}

/* All strokes at once, and nothing waited for. */
static void
check_unwaited (Scene *scene, const FsSession *session)
{
  g_autoptr (FsDocument) document = fs_document_new (scene->image, &session->settings, NULL);
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    g_assert_true (fs_document_begin_again (document, stroke));
    if (stroke->shape == FS_STROKE_GUESS)
      continue;
    fs_document_extend_stroke (document, (const FsSample *)(gconstpointer)stroke->samples->data,
                               stroke->samples->len);
    fs_document_end_stroke (document);
  }
  assert_shows_the_same (scene, "unwaited", document);
}

/* By hand and from nothing, with the certificate of every cut. */
static void
check_fresh (Scene *scene, const FsSession *session)
{
  g_autofree uint8_t *mask =
      fresh_cut (scene->image, &session->settings, session->strokes, session->strokes->len);
  assert_same (scene, "a fresh cut", mask, scene->mask);
}

/* --- commands --- */

static void
assert_file_has (Scene *scene, const char *way, const char *path, const uint8_t *expected)
{
  g_autofree uint8_t *plane =
      fs_seeds_load (path, scene->image->width, scene->image->height, NULL, NULL);
  g_assert_nonnull (plane);
  assert_same (scene, way, plane, expected);
}

/* What the annotations of a data set say, as numbers. */
static void
assert_set_has (Scene *scene, const char *path, const FsSession *session)
{
  g_autofree uint8_t *numbers = g_malloc (scene->n);
  memset (numbers, FS_SEED_BACKGROUND, scene->n);
  json_t *set = json_load_file (path, 0, NULL), *annotation;
  size_t i, height = (size_t)scene->image->height;
  json_array_foreach (json_object_get (set, "annotations"), i, annotation)
  {
    json_int_t category = json_integer_value (json_object_get (annotation, "category_id"));
    const char *name = json_string_value (
        json_object_get (json_array_get (json_object_get (set, "categories"), (size_t)category - 1),
                         "name"));
    guint label = 1;
    while (strcmp (g_array_index (session->labels, FsSessionLabel, label - 1).name, name) != 0)
      label++;
    json_t *counted = json_object_get (json_object_get (annotation, "segmentation"), "counts");
    size_t at = 0;
    for (size_t run = 0; run < json_array_size (counted); run++)
      for (json_int_t k = json_integer_value (json_array_get (counted, run)); k > 0; k--, at++)
        if (run % 2 == 1)
          numbers[at % height * (size_t)scene->image->width + at / height] = (uint8_t)label;
    g_assert_cmpuint (at, ==, scene->n);
  }
  json_decref (set);
  assert_same (scene, "coco", numbers, scene->numbers);
}

static void
check_replay (Scene *scene, const char *way, FsReplayJob job)
{
  g_autofree char *mask = g_build_filename (scene->folder, "mask.png", NULL);
  g_autofree char *labels = g_build_filename (scene->folder, "labels.png", NULL);
  g_autofree uint8_t *shown = g_malloc (scene->n);
  for (size_t i = 0; i < scene->n; i++)
    shown[i] = scene->mask[i] ? 255 : 0;
  job.session = scene->path;
  job.mask = mask;
  job.labels = labels;
  g_autoptr (GError) error = NULL;
  FsReplayResult result;
  if (!fs_replay_run (&job, &result, &error))
    g_error ("session %u, %s: %s", scene->seed, way, error->message);
  fs_replay_result_clear (&result);
  assert_file_has (scene, way, mask, shown);
  assert_file_has (scene, way, labels, scene->numbers);
}

/* In the strokes' own time; each mask against a fresh solve, or only the last one. */
static void
check_played (Scene *scene, gboolean each)
{
  g_autoptr (ReplayCheck) check = NULL;
  FsPlayerWatch watch = replay_check_watch (&check);
  check_replay (scene, "replay", (FsReplayJob){ .watch = each ? &watch : NULL });
}

static void
check_at_once (Scene *scene, const FsSession *session)
{
  g_autofree char *path = g_build_filename (scene->folder, "set.json", NULL);
  const FsLabelOptions options = { .path = path };
  g_autoptr (FsLabelWriter) set =
      fs_label_writer_new (&fs_label_coco, &options, fs_label_classes_new (), NULL);
  check_replay (scene, "replay --at-once", (FsReplayJob){ .at_once = TRUE, .set = set });
  g_assert_true (fs_label_writer_end (set, NULL));
  assert_set_has (scene, path, session);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void
count (FsDocument *document, const FsSession *session)
{
  gboolean keeps = FALSE, outlined = FALSE, guessed = FALSE, imported = FALSE;
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    keeps |= stroke->after > 0;
    outlined |= stroke->shape == FS_STROKE_OUTLINE;
    guessed |= stroke->guess != NULL;
    imported |= stroke->guess && fs_guess_get_numbers (stroke->guess);
  }
  counts.sessions++;
  counts.keeping += (guint)keeps;
  counts.outlined += (guint)outlined;
  counts.guessed += (guint)guessed;
  counts.imported += (guint)imported;
  counts.several += fs_document_count_objects (document) > 1;
  counts.undone += fs_document_get_n_undone (document) > 0;
}

/* A few ways each, all where SCALE says that there is time. */
static void
check_ways (Scene *scene, guint32 ways)
{
  gboolean all = g_getenv ("SCALE") != NULL;
  if (all || ways % 3 == 0)
    check_recovered (scene);
  save (scene);
  g_autoptr (FsSession) session = read_session (scene);
  count (document_of (scene), session);
  check_at_once (scene, session);
  if (all || ways % 2 == 0)
    check_fresh (scene, session);
  if (all || ways % 3 == 1)
    check_unwaited (scene, session);
  if (all || ways % 4 == 1)
    check_played (scene, ways % 8 == 5);
  if (all || ways % 3 != 0)
    check_reopened (scene, session);
}

static void
check_session (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (FsImage) image = random_image (rand);
  FsSettings settings = random_settings (rand);
  g_auto (Scene) scene;
  /* Threads take long to begin, on photos so small. */
  fs_energy_set_threads (seed % 5 == 0 ? 2 : 1);
  scene_init (&scene, seed, image, &settings);
  random_work (document_of (&scene), rand);
  note_window (&scene);
  check_ways (&scene, seed);
}

static guint
n_sessions (void)
{
  const char *scale = g_getenv ("SCALE"), *share = g_getenv ("FRETSAW_TEST_SHARE");
  return N_SESSIONS * (guint)MAX (1, scale ? atoi (scale) : 1)
         / (guint)MAX (1, share ? atoi (share) : 1);
}

static void
test_random_sessions (void)
{
  guint n = n_sessions ();
  counts = (Counts){ 0 };
  for (guint32 seed = 0; seed < n; seed++)
    check_session (seed);
  g_test_message ("%u sessions, %u with masks that strokes keep, %u with several objects, %u with "
                  "outlines, %u with guesses, %u of them with objects, %u with undone strokes, %u "
                  "recovered",
                  counts.sessions, counts.keeping, counts.several, counts.outlined, counts.guessed,
                  counts.imported, counts.undone, counts.recovered);
  g_assert_cmpuint (counts.sessions, ==, n);
  if (n < 50)
    return;
  g_assert_cmpuint (counts.keeping, >, n / 4);
  g_assert_cmpuint (counts.several, >, n / 4);
  g_assert_cmpuint (counts.outlined, >, n / 10);
  g_assert_cmpuint (counts.guessed, >, n / 6);
  g_assert_cmpuint (counts.imported, >, n / 20);
  g_assert_cmpuint (counts.undone, >, n / 20);
  g_assert_cmpuint (counts.recovered, >, n / 6);
}

/* --- the session that Fretsaw ships --- */

static FsImage *
shrink (const FsImage *image, int factor)
{
  FsImage *small = fs_image_new (image->width / factor, image->height / factor);
  for (int y = 0; y < small->height; y++)
    for (int x = 0; x < small->width; x++)
      small->pixels[y * small->width + x] =
          image->pixels[(size_t)(y * factor) * (size_t)image->width + (size_t)(x * factor)];
  return small;
}

static void
paint_stroke (FsDocument *document, const FsStroke *stroke, int factor)
{
  g_autoptr (FsStroke) small = fs_stroke_new (stroke->label, stroke->radius_px / (float)factor);
  small->after = stroke->after;
  g_assert_true (fs_document_begin_again (document, small));
  for (guint i = 0; i < stroke->samples->len; i++) {
    FsSample sample = g_array_index (stroke->samples, FsSample, i);
    sample.x /= (float)factor;
    sample.y /= (float)factor;
    sample.time_ms = i;
    fs_document_extend_stroke (document, &sample, 1);
    g_main_context_iteration (NULL, FALSE);
  }
  fs_document_end_stroke (document);
}

static void
test_shipped_session (void)
{
  const char *source = g_getenv ("FRETSAW_SOURCE");
  g_autofree char *path = g_build_filename (source, "data/sessions/sample-kept.fretsaw", NULL);
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  g_autofree char *photo_path = fs_session_photo_path (session, path);
  g_autoptr (FsPhoto) photo = fs_photo_load (photo_path, NULL, NULL, NULL);
  g_assert_true (session->settings.stability);
  int factor = g_getenv ("SCALE") ? 2 : 8;
  g_autoptr (FsImage) image = shrink (photo->image, factor);
  g_auto (Scene) scene;
  fs_energy_set_threads (factor > 2 ? 1 : 0);
  scene_init (&scene, 0, image, &session->settings);
  for (guint i = 0; i < session->strokes->len; i++) {
    paint_stroke (document_of (&scene), session->strokes->pdata[i], factor);
    wait_for_final (document_of (&scene));
  }
  note_window (&scene);
  counts = (Counts){ 0 };
  check_ways (&scene, 1);
  g_assert_cmpuint (counts.keeping, ==, 1);
  g_assert_cmpuint (counts.several, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autofree char *state = made_folder ();
  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_add_func ("/one-mask/shipped-session", test_shipped_session);
  g_test_add_func ("/one-mask/random-sessions", test_random_sessions);
  int code = g_test_run ();
  made_folder_remove (state);
  return code;
}
