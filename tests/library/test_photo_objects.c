/* SPDX-License-Identifier: MIT */
/* Several objects of a photo while strokes grow: the exact cut of all together, and its object map.
 */
#include "app/live/document.h"
#include "cut/mask_objects.h"
#include "library/fretsaw.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { N_OBJECTS = 3, N_CHANGES = 40 };

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

/* --- a scene --- */

typedef struct {
  int width, height;
  size_t n;
  uint8_t *rgb;
  uint8_t *truth; /* numbers */
} Scene;

static void
scene_clear (Scene *scene)
{
  g_free (scene->rgb);
  g_free (scene->truth);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

/* Two objects side by side, and one apart. */
static uint8_t
find_object (const Scene *scene, int x, int y)
{
  int w = scene->width, h = scene->height;
  if (y < h / 6 || y >= h - h / 6 || x < w / 10 || x >= w - w / 10)
    return 1;
  if (x < w * 3 / 10)
    return 2;
  if (x < w / 2)
    return 3;
  return x >= w * 2 / 3 ? 4 : 1;
}

static Scene
make_scene (GRand *rand, int width, int height)
{
  static const uint8_t colours[N_OBJECTS + 1][3] = {
    { 60, 90, 130 }, { 200, 120, 60 }, { 90, 160, 60 }, { 170, 60, 140 }
  };
  Scene scene = { width, height, (size_t)width * (size_t)height, NULL, NULL };
  int noise = g_rand_int_range (rand, 10, 50);
  scene.rgb = g_malloc (3 * scene.n);
  scene.truth = g_malloc (scene.n);
  for (size_t p = 0; p < scene.n; p++) {
    scene.truth[p] = find_object (&scene, (int)p % width, (int)p / width);
    for (int c = 0; c < 3; c++)
      scene.rgb[3 * p + (size_t)c] =
          (uint8_t)CLAMP (colours[scene.truth[p] - 1][c] + g_rand_int_range (rand, -noise, noise),
                          0, 255);
  }
  return scene;
}

static fretsaw_photo *
make_photo (const Scene *scene)
{
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  fretsaw_photo *photo;
  fretsaw_error error;
  image.width = scene->width;
  image.height = scene->height;
  image.pixels = scene->rgb;
  ok (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), &error);
  return photo;
}

/* --- the program --- */

static FsImage *
make_image (const Scene *scene)
{
  FsImage *image = fs_image_new (scene->width, scene->height);
  for (size_t p = 0; p < scene->n; p++)
    image->pixels[p] =
        FS_PIXEL (255, scene->rgb[3 * p], scene->rgb[3 * p + 1], scene->rgb[3 * p + 2]);
  return image;
}

/* The labels are the window's object map of the mask. */
static void
check_map (fretsaw_photo *photo, const Scene *scene, const uint8_t *labels, FsGuess *guess)
{
  g_autofree uint8_t *mask = g_malloc (scene->n), *numbers = g_malloc (scene->n),
                     *expected = g_malloc (scene->n);
  g_autoptr (FsImage) image = make_image (scene);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (scene->width, scene->height);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (GError) failure = NULL;
  fretsaw_error error;
  fs_seed_map_set (seeds, labels);
  ok (fretsaw_photo_get_mask (photo, mask, 0, &error), &error);
  ok (fretsaw_photo_get_labels (photo, numbers, 0, &error), &error);
  fs_mask_map_objects (image, &settings, seeds, guess, mask, NULL, expected, &failure);
  g_assert_no_error (failure);
  g_assert_cmpmem (numbers, scene->n, expected, scene->n);
}

/* --- strokes --- */

typedef struct {
  double x0, y0, x1, y1, radius;
  int label;
} Stroke;

/* Of the label that most of it crosses, or of a wrong one. */
static Stroke
make_stroke (GRand *rand, const Scene *scene)
{
  Stroke stroke = { .x0 = g_rand_double_range (rand, 0, scene->width),
                    .y0 = g_rand_double_range (rand, 0, scene->height),
                    .radius = g_rand_double_range (rand, 0.5, 4) };
  stroke.x1 = stroke.x0 + g_rand_double_range (rand, -9, 9);
  stroke.y1 = stroke.y0 + g_rand_double_range (rand, -9, 9);
  stroke.label = scene->truth[(int)stroke.y0 * scene->width + (int)stroke.x0];
  if (g_rand_int_range (rand, 0, 8) == 0)
    stroke.label = g_rand_int_range (rand, 0, N_OBJECTS + 2);
  return stroke;
}

static void
paint (fretsaw_photo *photo, const Stroke *stroke, int label)
{
  fretsaw_error error;
  ok (fretsaw_photo_paint (photo, stroke->x0, stroke->y0, stroke->x1, stroke->y1, stroke->radius,
                           label, &error),
      &error);
}

static void
paint_labels (const Scene *scene, const Stroke *stroke, uint8_t *labels)
{
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (scene->width, scene->height);
  const FsCapsule capsule = { stroke->x0, stroke->y0, stroke->x1, stroke->y1, stroke->radius };
  fs_seed_map_set (seeds, labels);
  fs_seed_map_paint (seeds, &capsule, (uint8_t)stroke->label, NULL, NULL);
  memcpy (labels, seeds->label, scene->n);
}

/* --- tests --- */

/* Mask, preview and solution are those of a photo with all objects in one number. */
static void
compare_with_union (fretsaw_photo *photo, fretsaw_photo *all, size_t n)
{
  g_autofree uint8_t *mask = g_malloc (n), *expected = g_malloc (n);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT, other = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  ok (fretsaw_photo_preview (photo, NULL, mask, 0, &error), &error);
  ok (fretsaw_photo_preview (all, NULL, expected, 0, &error), &error);
  g_assert_cmpmem (mask, n, expected, n);
  ok (fretsaw_photo_update (photo, NULL, &solution, &error), &error);
  ok (fretsaw_photo_update (all, NULL, &other, &error), &error);
  ok (fretsaw_photo_get_mask (photo, mask, 0, &error), &error);
  ok (fretsaw_photo_get_mask (all, expected, 0, &error), &error);
  g_assert_cmpmem (mask, n, expected, n);
  g_assert_true (solution.exact);
  g_assert_cmpint (solution.energy, ==, other.energy);
  g_assert_cmpint (solution.bound, ==, other.bound);
}

/* Objects are told apart by the labels of the update, whatever is painted before somebody asks. */
static void
check_update (GRand *rand, fretsaw_photo *photo, const Scene *scene, const uint8_t *labels)
{
  g_autofree uint8_t *numbers = g_malloc (scene->n), *again = g_malloc (scene->n);
  fretsaw_error error;
  if (g_rand_int_range (rand, 0, 2)) {
    const Stroke stroke = { 3, 3, scene->width - 3, 3, 1, 3 };
    paint (photo, &stroke, 3);
    ok (fretsaw_photo_preview (photo, NULL, numbers, 0, &error), &error);
    check_map (photo, scene, labels, NULL);
    ok (fretsaw_photo_set_labels (photo, labels, 0, &error), &error);
  } else {
    if (g_rand_int_range (rand, 0, 2))
      ok (fretsaw_photo_separate (photo, NULL, &error), &error);
    check_map (photo, scene, labels, NULL);
    ok (fretsaw_photo_get_labels (photo, numbers, 0, &error), &error);
    ok (fretsaw_photo_update (photo, NULL, NULL, &error), &error);
    ok (fretsaw_photo_get_labels (photo, again, 0, &error), &error);
    g_assert_cmpmem (numbers, scene->n, again, scene->n);
  }
}

static gboolean
has_several (const Scene *scene, const uint8_t *labels)
{
  uint8_t first = 0;
  for (size_t p = 0; p < scene->n; p++)
    if (labels[p] > 1 && first == 0)
      first = labels[p];
    else if (labels[p] > 1 && labels[p] != first)
      return TRUE;
  return FALSE;
}

static void
check_updates (GRand *rand)
{
  g_auto (Scene) scene =
      make_scene (rand, g_rand_int_range (rand, 80, 150), g_rand_int_range (rand, 60, 110));
  g_autofree uint8_t *labels = g_malloc0 (scene.n);
  fretsaw_photo *photo = make_photo (&scene), *all = make_photo (&scene);
  fretsaw_error error;
  for (int i = 0; i < N_CHANGES; i++) {
    Stroke stroke = make_stroke (rand, &scene);
    if (i == 0) /* there is something */
      stroke.label = 2;
    paint (photo, &stroke, stroke.label);
    paint (all, &stroke, MIN (stroke.label, 2));
    paint_labels (&scene, &stroke, labels);
    if (g_rand_int_range (rand, 0, 3) > 0)
      continue;
    compare_with_union (photo, all, scene.n);
    if (g_rand_int_range (rand, 0, 3) > 0)
      check_update (rand, photo, &scene, labels);
    /* With several objects an update goes on from the cut that it made, whatever was finished
     * meanwhile; with one it begins with the model of the end. */
    if (g_rand_int_range (rand, 0, 4) == 0) {
      ok (fretsaw_photo_finish (photo, NULL, NULL, &error), &error);
      if (!has_several (&scene, labels))
        ok (fretsaw_photo_finish (all, NULL, NULL, &error), &error);
    }
  }
  fretsaw_photo_free (photo);
  fretsaw_photo_free (all);
}

static void
test_updates (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20);
  for (int i = 0; i < 6; i++)
    check_updates (rand);
}

/* --- Guesses with objects --- */

static fretsaw_guess
describe_numbers (const Scene *scene, const uint8_t *numbers)
{
  fretsaw_guess guess = FRETSAW_GUESS_INIT;
  guess.width = scene->width;
  guess.height = scene->height;
  guess.numbers = numbers;
  return guess;
}

/* Without strokes the result is the guess, to the pixel. */
static void
test_guessed_alone (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  g_auto (Scene) scene = make_scene (rand, 90, 60);
  g_autofree uint8_t *result = g_malloc (scene.n), *padded = g_malloc ((size_t)(97 * 60));
  fretsaw_photo *photo = make_photo (&scene);
  fretsaw_guess guess = describe_numbers (&scene, padded + 59 * 97);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  for (int y = 0; y < 60; y++) /* from below */
    memcpy (padded + (59 - y) * 97, scene.truth + y * 90, 90);
  guess.stride = -97;
  ok (fretsaw_photo_set_guess (photo, &guess, &error), &error);
  for (int i = 0; i < 2; i++) {
    ok ((i ? fretsaw_photo_finish : fretsaw_photo_update) (photo, NULL, &solution, &error), &error);
    g_assert_true (solution.exact);
    ok (fretsaw_photo_get_labels (photo, result, 0, &error), &error);
    g_assert_cmpmem (result, scene.n, scene.truth, scene.n);
  }
  /* Another guess renames them. */
  for (size_t p = 0; p < scene.n; p++)
    result[p] = scene.truth[p] > 1 ? (uint8_t)(scene.truth[p] + 200) : scene.truth[p];
  guess = describe_numbers (&scene, result);
  ok (fretsaw_photo_set_guess (photo, &guess, &error), &error);
  ok (fretsaw_photo_update (photo, NULL, NULL, &error), &error);
  ok (fretsaw_photo_get_labels (photo, padded, 0, &error), &error);
  g_assert_cmpmem (padded, scene.n, result, scene.n);
  fretsaw_photo_free (photo);
}

static void
play_strokes (FsDocument *document, GRand *rand, const Scene *scene, int n)
{
  for (int i = 0; i < n; i++) {
    Stroke stroke = make_stroke (rand, scene);
    const FsSample samples[] = { { (float)stroke.x0, (float)stroke.y0, 1, 0 },
                                 { (float)stroke.x1, (float)stroke.y1, 1, 9 } };
    g_assert_true (
        fs_document_begin_stroke (document, (uint8_t)stroke.label, (float)stroke.radius));
    fs_document_extend_stroke (document, samples, 2);
    fs_document_end_stroke (document);
  }
  while (!fs_document_get_status (document).is_final)
    g_main_context_iteration (NULL, TRUE);
}

/* The truth with holes, and with parts that are unknown or another object's. */
static uint8_t *
make_numbers (GRand *rand, const Scene *scene)
{
  uint8_t *numbers = g_memdup2 (scene->truth, scene->n);
  for (int i = 0; i < 5; i++) {
    int x0 = g_rand_int_range (rand, 0, scene->width - 12);
    int y0 = g_rand_int_range (rand, 0, scene->height - 12);
    int number = g_rand_int_range (rand, 0, N_OBJECTS + 2);
    for (int y = y0; y < y0 + 12; y++)
      memset (numbers + y * scene->width + x0, number, 12);
  }
  return numbers;
}

/* With strokes mask and map are those of the window. */
static void
check_guessed (GRand *rand)
{
  g_auto (Scene) scene =
      make_scene (rand, g_rand_int_range (rand, 80, 150), g_rand_int_range (rand, 60, 110));
  g_autofree uint8_t *numbers = make_numbers (rand, &scene), *mask = g_malloc (scene.n);
  g_autoptr (FsGuess) own = fs_guess_new_objects (numbers, scene.width, scene.height);
  g_autoptr (FsImage) image = make_image (&scene);
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  fretsaw_photo *photo = make_photo (&scene);
  const fretsaw_guess guess = describe_numbers (&scene, numbers);
  fretsaw_error error;
  g_assert_true (fs_document_set_guess (document, own, NULL));
  play_strokes (document, rand, &scene, g_rand_int_range (rand, 0, 7));
  const uint8_t *labels = fs_document_get_marks (document);
  ok (fretsaw_photo_set_guess (photo, &guess, &error), &error);
  ok (fretsaw_photo_set_labels (photo, labels, 0, &error), &error);
  if (g_rand_int_range (rand, 0, 2)) {
    ok (fretsaw_photo_update (photo, NULL, NULL, &error), &error);
    check_map (photo, &scene, labels, own);
  }
  ok (fretsaw_photo_finish (photo, NULL, NULL, &error), &error);
  ok (fretsaw_photo_get_mask (photo, mask, 0, &error), &error);
  g_assert_cmpmem (mask, scene.n, fs_document_get_mask (document), scene.n);
  check_map (photo, &scene, labels, own);
  fretsaw_photo_free (photo);
}

static void
test_guessed (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (22);
  for (int i = 0; i < 20; i++)
    check_guessed (rand);
}

/* --- Cancelling --- */

typedef struct {
  fretsaw_cancellation *cancellation;
  gulong delay_us;
} Canceller;

static gpointer
cancel_later (gpointer data)
{
  Canceller *canceller = data;
  g_usleep (canceller->delay_us);
  fretsaw_cancellation_cancel (canceller->cancellation);
  return NULL;
}

typedef enum { UPDATE, SEPARATE, FINISH, N_STEPS } Step;

static fretsaw_status
run_step (fretsaw_photo *photo, Step step, const fretsaw_progress *progress, fretsaw_error *error)
{
  return step == UPDATE     ? fretsaw_photo_update (photo, progress, NULL, error)
         : step == SEPARATE ? fretsaw_photo_separate (photo, progress, error)
                            : fretsaw_photo_finish (photo, progress, NULL, error);
}

/* Cancels the step again and again, later each time, until it is done. Returns how often. */
static int
run_cancelled (fretsaw_photo *photo, Step step, gulong step_us)
{
  Canceller canceller = { .cancellation = fretsaw_cancellation_new () };
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_status status = FRETSAW_CANCELLED;
  fretsaw_error error;
  int n = 0;
  progress.cancellation = canceller.cancellation;
  for (; status == FRETSAW_CANCELLED; n++) {
    GThread *thread = g_thread_new ("cancel", cancel_later, &canceller);
    status = run_step (photo, step, &progress, &error);
    g_thread_join (thread);
    fretsaw_cancellation_reset (canceller.cancellation);
    canceller.delay_us += step_us;
  }
  ok (status, &error);
  fretsaw_cancellation_free (canceller.cancellation);
  return n - 1;
}

/* Cancelled at many moments, every step ends as if it never had been. */
static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (25);
  g_auto (Scene) scene = make_scene (rand, 300, 200);
  g_autofree uint8_t *labels = g_malloc0 (scene.n), *expected = g_malloc (scene.n),
                     *result = g_malloc (scene.n);
  fretsaw_error error;
  int n = 0;
  for (int i = 0; i < 12; i++) {
    Stroke stroke = make_stroke (rand, &scene);
    paint_labels (&scene, &stroke, labels);
  }
  fretsaw_photo *undisturbed = make_photo (&scene), *photo = make_photo (&scene);
  ok (fretsaw_photo_set_labels (undisturbed, labels, 0, &error), &error);
  ok (fretsaw_photo_set_labels (photo, labels, 0, &error), &error);
  for (Step step = UPDATE; step < N_STEPS; step++) {
    gint64 start = g_get_monotonic_time ();
    ok (run_step (undisturbed, step, NULL, &error), &error);
    n += run_cancelled (photo, step, (gulong)(g_get_monotonic_time () - start) / 30 + 1);
    if (step == UPDATE)
      continue;
    ok (fretsaw_photo_get_labels (undisturbed, expected, 0, &error), &error);
    ok (fretsaw_photo_get_labels (photo, result, 0, &error), &error);
    g_assert_cmpmem (result, scene.n, expected, scene.n);
  }
  g_assert_cmpint (n, >, 0);
  g_test_message ("%d times", n);
  fretsaw_photo_free (undisturbed);
  fretsaw_photo_free (photo);
}

/* --- Refused --- */

static void
test_refuses_guesses (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);
  g_auto (Scene) scene = make_scene (rand, 60, 50);
  fretsaw_photo *photo = make_photo (&scene);
  const fretsaw_guess good = describe_numbers (&scene, scene.truth);
  fretsaw_error error;
  fretsaw_guess bad = good;
  bad.probability = scene.truth;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, &bad, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.width = 59;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, &bad, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "numbers are of 59 × 50 pixels; the photo has 60 × 50");
  bad = good;
  bad.bits = 16;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, &bad, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.is_found = true;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, &bad, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.stride = 59;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, &bad, &error), ==, FRETSAW_INVALID);
  fretsaw_photo_free (photo);
}

/* The struct as the first header had it, without numbers. */
static void
test_older_guess (void)
{
  typedef struct {
    size_t size;
    int32_t width, height;
    const void *probability;
    ptrdiff_t stride;
    int32_t bits;
    bool is_found;
  } Older;
  g_autoptr (GRand) rand = g_rand_new_with_seed (24);
  g_auto (Scene) scene = make_scene (rand, 60, 50);
  g_autofree uint8_t *probability = g_malloc (scene.n), *result = g_malloc (scene.n);
  g_autofree Older *older = g_new0 (Older, 1);
  fretsaw_photo *photo = make_photo (&scene);
  fretsaw_error error;
  for (size_t p = 0; p < scene.n; p++)
    probability[p] = scene.truth[p] > 1 ? 255 : 0;
  *older = (Older){ sizeof *older, scene.width, scene.height, probability, 0, 0, false };
  ok (fretsaw_photo_set_guess (photo, (const fretsaw_guess *)(gpointer)older, &error), &error);
  ok (fretsaw_photo_finish (photo, NULL, NULL, &error), &error);
  ok (fretsaw_photo_get_mask (photo, result, 0, &error), &error);
  for (size_t p = 0; p < scene.n; p++)
    g_assert_cmpint (result[p], ==, scene.truth[p] > 1);
  older->size -= 1;
  g_assert_cmpint (fretsaw_photo_set_guess (photo, (const fretsaw_guess *)(gpointer)older, &error),
                   ==, FRETSAW_INVALID);
  fretsaw_photo_free (photo);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/photo-objects/updates", test_updates);
  g_test_add_func ("/library/photo-objects/guessed-alone", test_guessed_alone);
  g_test_add_func ("/library/photo-objects/guessed", test_guessed);
  g_test_add_func ("/library/photo-objects/cancelled", test_cancelled);
  g_test_add_func ("/library/photo-objects/refuses-guesses", test_refuses_guesses);
  g_test_add_func ("/library/photo-objects/older-guess", test_older_guess);
  return g_test_run ();
}
