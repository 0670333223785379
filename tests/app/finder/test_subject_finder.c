/* SPDX-License-Identifier: MIT */
/* Subject finders that work, and those that hang, flood, die, or write what is no picture. The stub
 * (stub_finder.c) is every one of them. */
#include "app/finder/finder_settings.h"
#include "app/finder/guess_cache.h"
#include "app/finder/guess_file.h"
#include "app/finder/subject_finder.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char *home, *temporary, *process_log, *stub;

/* --- the ground ------------------------------------------------------------------------------- */

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  for (const char *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir)) {
    g_autofree char *inside = g_build_filename (path, name, NULL);
    remove_tree (inside);
  }
  g_remove (path);
}

static guint
count_files (const char *path)
{
  guint n = 0;
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  while (dir && g_dir_read_name (dir))
    n++;
  return n;
}

/* Processes that the stub has started so far, none of which may be there any more. */
static guint
count_runs (void)
{
  g_autofree char *text = NULL;
  guint n = 0;
  if (!g_file_get_contents (process_log, &text, NULL, NULL))
    return 0;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; **line; line++, n++) {
    const pid_t pid = (pid_t)g_ascii_strtoll (*line, NULL, 10);
    /* An orphan is a zombie until init looks. */
    for (int i = 0; i < 200 && kill (pid, 0) == 0; i++) {
      g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int)pid), *state = NULL;
      if (g_file_get_contents (path, &state, NULL, NULL) && strstr (state, ") Z "))
        break;
      g_usleep (10000);
      g_assert_cmpint (i, <, 199);
    }
  }
  return n;
}

static void
check_nothing_is_left (void)
{
  count_runs ();
  g_assert_cmpuint (count_files (temporary), ==, 0);
}

/* Red on the left third, green elsewhere. */
static FsImage *
make_photo (int width, int height)
{
  FsImage *image = fs_image_new (width, height);
  for (int i = 0; i < width * height; i++)
    image->pixels[i] =
        i % width < width / 3 ? FS_PIXEL (255, 200, 10, 10) : FS_PIXEL (255, 10, 200, 10);
  return image;
}

static FsSubjectFinder *
make_finder (const char *way, const char *rest)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = g_shell_quote (stub);
  g_autofree char *command = g_strdup_printf ("%s %s %s", program, way, rest);
  FsSubjectFinder *finder = fs_subject_finder_new (command, &error);
  g_assert_no_error (error);
  return finder;
}

/* The guess's probability in the middle of the left and of the right half. */
static void
check_sides (const FsGuess *guess)
{
  const int w = fs_guess_get_width (guess), h = fs_guess_get_height (guess);
  const uint16_t *row = fs_guess_get_probability (guess) + (gsize)(h / 2) * (gsize)w;
  g_assert_cmpint (row[w / 6], ==, FS_GUESS_FOUND_MAX);
  g_assert_cmpint (row[w * 5 / 6], ==, FS_GUESS_FOUND_MIN);
}

static FsGuess *
find (const char *way, const char *rest, GError **error)
{
  g_autoptr (FsSubjectFinder) finder = make_finder (way, rest);
  g_autoptr (FsImage) image = make_photo (60, 40);
  return fs_subject_finder_find (finder, image, NULL, NULL, error);
}

/* --- that work -------------------------------------------------------------------------------- */

static void
test_works (void)
{
  static const char *const ways[][2] = {
    { "red", "{photo} {mask}" },         { "alpha", "{photo} {mask}" },
    { "red", "{photo} {mask}.png" },     { "folder", "{photo} {folder}" },
    { "red", "'{photo}' \"{mask}\" x" }, { "orphan", "{photo} {mask}" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (FsGuess) guess = find (ways[i][0], ways[i][1], &error);
    g_assert_no_error (error);
    g_assert_cmpint (fs_guess_get_height (guess), ==, 40);
    /* However sharp it is, it is evidence. */
    g_assert_false (fs_guess_is_mask (guess));
    check_sides (guess);
    check_nothing_is_left ();
  }
}

static void
test_other_size (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsGuess) guess = find ("size", "{photo} {mask}", &error);
  g_assert_no_error (error);
  g_assert_cmpint (fs_guess_get_width (guess), ==, 7);
  g_assert_cmpint (fs_guess_get_probability (guess)[17], ==, FS_GUESS_FOUND_MAX);
  check_nothing_is_left ();
}

/* A gigabyte, read and dropped; and nobody waits for it. */
static void
test_prints_much (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsGuess) guess = find ("much", "{photo} {mask}", &error);
  g_assert_no_error (error);
  check_sides (guess);
  check_nothing_is_left ();
}

/* A large photo is reduced, a thin stroke survives, and what is transparent is white. */
static void
test_what_it_is_given (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSubjectFinder) finder = make_finder ("strokes", "{photo} {mask} {strokes}");
  g_autoptr (FsSubjectFinder) other = make_finder ("red", "{photo} {mask}");
  g_autoptr (FsImage) image = make_photo (5000, 100), clear = make_photo (9, 9);
  g_autofree uint8_t *marks = g_malloc0 (5000 * 100);
  g_assert_true (fs_subject_finder_wants_strokes (finder));
  g_assert_false (fs_subject_finder_wants_strokes (other));
  for (int y = 0; y < 100; y++) {
    marks[5000 * y + 3001] = 2;
    marks[5000 * y + 4001] = 1;
  }
  g_autoptr (FsGuess) guess = fs_subject_finder_find (finder, image, marks, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fs_guess_get_width (guess), ==, 2048);
  g_assert_cmpint (fs_guess_get_height (guess), ==, 40);
  for (int x = 0; x < 2048; x++)
    g_assert_cmpint (fs_guess_get_probability (guess)[2048 * 20 + x], ==,
                     x == 3001 * 2048 / 5000 ? FS_GUESS_FOUND_MAX : FS_GUESS_FOUND_MIN);
  for (int i = 0; i < 81; i++)
    clear->pixels[i] = FS_PIXEL (i < 36 ? 0 : 255, 0, 0, 0);
  g_autoptr (FsGuess) white = fs_subject_finder_find (other, clear, NULL, NULL, &error);
  g_assert_no_error (error);
  const int width = fs_guess_get_width (white);
  for (int i = 0; i < 9 * width; i++)
    g_assert_cmpint (fs_guess_get_probability (white)[i], ==,
                     i < 4 * width ? FS_GUESS_FOUND_MAX : FS_GUESS_FOUND_MIN);
  g_autoptr (FsGuess) none = fs_subject_finder_find (finder, clear, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fs_guess_get_probability (none)[40], ==, FS_GUESS_FOUND_MIN);
  check_nothing_is_left ();
}

/* --- that do not ------------------------------------------------------------------------------ */

static void
test_fails (void)
{
  static const struct {
    const char *way, *rest;
    FsSubjectFinderError code;
    const char *beginning;
  } cases[] = {
    { "fail", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_FAILED,
      "stub-finder: failed with exit status 3: Traceback (most recent call last): | 100%|##########"
      " | RuntimeError: no \357\277\275[31mmodel\357\277\275[0m" },
    { "die", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_FAILED, "stub-finder: crashed (Killed)" },
    { "nothing", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: finished, but wrote no picture" },
    { "two", "{photo} {folder}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: wrote several pictures instead of one" },
    { "empty", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: the picture that it wrote: is empty" },
    { "garbage", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: the picture that it wrote: is not a photo that can be opened here" },
    { "half", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: the picture that it wrote: " },
    { "huge", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: the picture that it wrote: claims 65536 × 65536 pixels" },
    { "pipe", "{photo} {mask}", FS_SUBJECT_FINDER_ERROR_PICTURE,
      "stub-finder: the picture that it wrote: is a device or a pipe" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (FsGuess) guess = find (cases[i].way, cases[i].rest, &error);
    g_assert_null (guess);
    g_assert_error (error, FS_SUBJECT_FINDER_ERROR, (gint)cases[i].code);
    if (!g_str_has_prefix (error->message, cases[i].beginning))
      g_error ("%s: %s", cases[i].way, error->message);
    g_assert_null (strchr (error->message, '\n'));
    g_assert_null (strstr (error->message, temporary));
    check_nothing_is_left ();
  }
}

/* So many processes there are, since the first test, when it is time to cancel. */
static guint n_awaited;

/* Once the finder runs. */
static gpointer
cancel_soon (gpointer cancellable)
{
  for (guint n = 0; n < n_awaited;) {
    g_autofree char *text = NULL;
    g_usleep (10000);
    n = 0;
    if (g_file_get_contents (process_log, &text, NULL, NULL))
      for (const char *at = text; *at; at++)
        n += *at == '\n';
  }
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* At once, also one that does not listen, with what it has started; and again. */
static void
test_cancelled (void)
{
  static const char *const ways[] = { "hang", "stubborn" };
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    g_autoptr (FsSubjectFinder) finder = make_finder (ways[i], "{photo} {mask}");
    g_autoptr (FsImage) image = make_photo (60, 40);
    const guint n_before = count_runs ();
    n_awaited = n_before + 1 + (guint)i;
    GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
    g_assert_null (fs_subject_finder_find (finder, image, NULL, cancellable, &error));
    g_thread_join (thread);
    g_assert_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_CANCELLED);
    g_assert_cmpstr (error->message, ==, "stub-finder: was cancelled");
    g_assert_cmpuint (count_runs (), ==, n_before + 1 + i);
    g_clear_error (&error);
    g_assert_null (fs_subject_finder_find (finder, image, NULL, cancellable, &error));
    g_assert_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_CANCELLED);
    g_assert_cmpuint (count_runs (), ==, n_before + 1 + i);
    check_nothing_is_left ();
  }
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static GAsyncResult *
find_in_loop (FsSubjectFinder *finder, GCancellable *cancellable, gboolean cancels)
{
  GAsyncResult *result = NULL;
  FsImage *image = make_photo (60, 40);
  n_awaited = count_runs () + 1;
  GThread *thread = cancels ? g_thread_new ("cancel", cancel_soon, cancellable) : NULL;
  fs_subject_finder_find_async (finder, image, NULL, cancellable, on_found, &result);
  fs_image_unref (image);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  if (thread)
    g_thread_join (thread);
  return result;
}

static void
test_on_a_worker (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FsSubjectFinder) finder = make_finder ("red", "{photo} {mask} worker");
  g_autoptr (GAsyncResult) result = find_in_loop (finder, cancellable, FALSE);
  g_autoptr (FsGuess) guess = fs_subject_finder_find_finish (result, &error);
  g_assert_no_error (error);
  check_sides (guess);
  check_nothing_is_left ();
  g_autoptr (FsSubjectFinder) other = make_finder ("hang", "{photo} {mask}");
  g_autoptr (GAsyncResult) cancelled = find_in_loop (other, cancellable, TRUE);
  g_assert_null (fs_subject_finder_find_finish (cancelled, &error));
  g_assert_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_CANCELLED);
  check_nothing_is_left ();
}

/* --- settings --------------------------------------------------------------------------------- */

static void
write_settings (const char *command, int time_limit_s)
{
  g_autoptr (GError) error = NULL;
  const FsFinderSettings settings = { (char *)command, time_limit_s };
  g_assert_true (fs_finder_settings_save (&settings, &error));
  g_assert_no_error (error);
}

static void
test_time_limit (void)
{
  g_autoptr (GError) error = NULL;
  write_settings (NULL, 1);
  g_assert_null (find ("hang", "{photo} {mask}", &error));
  g_assert_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_TIME);
  g_assert_cmpstr (error->message, ==, "stub-finder: took longer than 1 second and was ended");
  write_settings (NULL, FS_FINDER_TIME_LIMIT_S);
  check_nothing_is_left ();
}

static void
test_settings (void)
{
  g_auto (FsFinderSettings) settings = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = fs_finder_settings_path (), *text = NULL;
  g_file_set_contents (path,
                       "# mine\n[subject-finder]\ncommand = x \"a b\" {photo}\\\\ {mask}\n"
                       "time-limit=-4\nother=1\n",
                       -1, &error);
  g_assert_no_error (error);
  fs_finder_settings_load (&settings);
  g_assert_cmpstr (settings.command, ==, "x \"a b\" {photo}\\ {mask}");
  g_assert_cmpint (settings.time_limit_s, ==, FS_FINDER_TIME_LIMIT_S);
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fs_subject_finder_get_name (finder), ==, "x");
  g_assert_cmpstr (fs_subject_finder_get_command (finder), ==, settings.command);
  settings.time_limit_s = 7;
  g_assert_true (fs_finder_settings_save (&settings, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "# mine\n"));
  g_assert_nonnull (strstr (text, "other=1\n"));
  fs_finder_settings_clear (&settings);
  fs_finder_settings_load (&settings);
  g_assert_cmpstr (settings.command, ==, "x \"a b\" {photo}\\ {mask}");
  g_assert_cmpint (settings.time_limit_s, ==, 7);
  g_assert_true (g_file_set_contents (path, "\377[[damaged", -1, NULL));
  fs_finder_settings_clear (&settings);
  fs_finder_settings_load (&settings);
  g_assert_null (settings.command);
  g_remove (path);
}

static void
expect_no_finder (const char *text, FsSubjectFinderError code, const char *beginning)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_subject_finder_new (text, &error));
  g_assert_error (error, FS_SUBJECT_FINDER_ERROR, (gint)code);
  if (!strstr (error->message, beginning))
    g_error ("%s: %s", text, error->message);
}

static void
install (const char *name)
{
  g_autofree char *path = g_build_filename (home, "bin", name, NULL);
  g_assert_true (g_file_set_contents (path, "#!/bin/sh\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

static void
expect_default (const char *name, const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fs_subject_finder_get_name (finder), ==, name);
  g_assert_cmpstr (fs_subject_finder_get_command (finder), ==, command);
}

/* What is no finder is refused in one sentence; what is found on PATH is offered. */
static void
test_which (void)
{
  g_autofree char *bin = g_build_filename (home, "bin", NULL);
  g_autofree char *models = fs_finder_models_folder ();
  g_autofree char *model = g_build_filename (models, "it's.onnx", NULL);
  g_autofree char *own =
      g_strdup_printf ("fretsaw-subject '%s/it'\\''s.onnx' {photo} {mask}", models);
  expect_no_finder ("rembg i {photo}", FS_SUBJECT_FINDER_ERROR_COMMAND, "lacks {mask}");
  expect_no_finder ("rembg i {mask}", FS_SUBJECT_FINDER_ERROR_COMMAND, "lacks {photo}");
  expect_no_finder ("a \"b {photo} {mask}", FS_SUBJECT_FINDER_ERROR_COMMAND, "cannot be split");
  expect_no_finder ("  ", FS_SUBJECT_FINDER_ERROR_COMMAND, "cannot be split");
  expect_no_finder ("", FS_SUBJECT_FINDER_ERROR_COMMAND, "neither");
  expect_no_finder ("nobody", FS_SUBJECT_FINDER_ERROR_COMMAND, "“nobody” is neither");
  g_mkdir_with_parents (bin, 0700);
  g_mkdir_with_parents (models, 0700);
  g_setenv ("PATH", bin, TRUE);
  expect_no_finder (NULL, FS_SUBJECT_FINDER_ERROR_NONE, "rembg");
  install ("transparent-background");
  expect_default ("transparent-background",
                  "transparent-background --source {photo} --dest {folder} --type map");
  install ("rembg");
  expect_default ("rembg", "rembg i -om {photo} {mask}");
  install ("fretsaw-subject");
  expect_default ("rembg", "rembg i -om {photo} {mask}");
  g_assert_true (g_file_set_contents (model, "", 0, NULL));
  expect_default ("fretsaw-subject", own);
  write_settings ("backgroundremover", 300);
  expect_default ("backgroundremover", "backgroundremover -i {photo} -om -o {mask}");
  write_settings (NULL, 300);
}

static void
test_not_installed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new ("/no/such {photo} {mask}", &error);
  g_autoptr (FsImage) image = make_photo (60, 40);
  g_assert_no_error (error);
  g_assert_null (fs_subject_finder_find (finder, image, NULL, NULL, &error));
  g_assert_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_START);
  g_assert_true (g_str_has_prefix (error->message, "such: cannot be started: "));
  check_nothing_is_left ();
}

/* --- what is kept ----------------------------------------------------------------------------- */

static void
expect_runs (FsSubjectFinder *finder, FsImage *image, const uint8_t *marks, guint n)
{
  g_autoptr (GError) error = NULL;
  const guint n_before = count_runs ();
  g_autoptr (FsGuess) guess = fs_subject_finder_find (finder, image, marks, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (guess);
  g_assert_cmpuint (count_runs () - n_before, ==, n);
}

static void
damage_all (gboolean cuts)
{
  g_autofree char *folder = fs_guess_cache_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (cuts)
      g_assert_cmpint (truncate (path, 30), ==, 0);
    else
      g_assert_true (g_file_set_contents (path, "another picture", -1, NULL));
  }
}

static void
test_kept (void)
{
  g_autofree char *script = g_build_filename (home, "script", NULL);
  g_autofree char *rest = g_strdup_printf ("{photo} {mask} %s", script);
  g_assert_true (g_file_set_contents (script, "one", -1, NULL));
  g_autoptr (FsSubjectFinder) finder = make_finder ("red", rest);
  g_autoptr (FsSubjectFinder) painted = make_finder ("strokes", "{photo} {mask} {strokes}");
  g_autoptr (FsImage) image = make_photo (60, 40), other = make_photo (60, 41);
  g_autofree uint8_t *marks = g_malloc0 (60 * 40);
  expect_runs (finder, image, NULL, 1);
  expect_runs (finder, image, marks, 0);
  expect_runs (finder, other, NULL, 1);
  image->pixels[7] ^= 1;
  expect_runs (finder, image, NULL, 1);
  expect_runs (painted, image, marks, 1);
  expect_runs (painted, image, NULL, 0);
  marks[5] = 2;
  expect_runs (painted, image, marks, 1);
  damage_all (FALSE);
  expect_runs (finder, image, NULL, 1);
  expect_runs (finder, image, NULL, 0);
  damage_all (TRUE);
  expect_runs (finder, image, NULL, 1);
  g_assert_true (g_file_set_contents (script, "two!", -1, NULL));
  expect_runs (finder, image, NULL, 1);
  expect_runs (finder, image, NULL, 0);
}

/* The cache stays within its bounds: those that were not asked for longest go. */
static void
test_bounds (void)
{
  g_autofree char *folder = fs_guess_cache_folder (), *file = g_build_filename (home, "one", NULL);
  g_autofree char *first = NULL, *second = NULL;
  remove_tree (folder);
  g_assert_true (g_file_set_contents (file, "bytes", -1, NULL));
  fs_guess_cache_store ("aa", file);
  fs_guess_cache_store ("bb", file);
  for (int i = 0; i < FS_GUESS_CACHE_MAX_FILES - 2; i++) {
    g_autofree char *name = g_strdup_printf ("%s/%d-0.guess", folder, i);
    const struct utimbuf times = { 2000 + i, 2000 + i };
    g_assert_true (g_file_set_contents_full (name, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
    g_assert_cmpint (utime (name, &times), ==, 0);
  }
  first = fs_guess_cache_find ("aa");
  g_assert_nonnull (first);
  g_assert_cmpint (utime (first, &(struct utimbuf){ 1000, 1000 }), ==, 0);
  fs_guess_cache_store ("cc", file);
  g_assert_cmpuint (count_files (folder), ==, FS_GUESS_CACHE_MAX_FILES);
  g_assert_null (fs_guess_cache_find ("aa"));
  second = fs_guess_cache_find ("bb");
  g_assert_nonnull (second);
  /* One that is used again is not the first to go. */
  g_assert_cmpint (utime (second, &(struct utimbuf){ 1000, 1000 }), ==, 0);
  g_free (fs_guess_cache_find ("bb"));
  fs_guess_cache_store ("dd", file);
  g_free (second);
  second = fs_guess_cache_find ("bb");
  g_assert_nonnull (second);
  g_assert_cmpint (truncate (file, (off_t)FS_GUESS_CACHE_MAX_FILE_BYTES + 1), ==, 0);
  fs_guess_cache_store ("ee", file);
  g_assert_null (fs_guess_cache_find ("ee"));
  g_assert_cmpuint (count_files (folder), ==, FS_GUESS_CACHE_MAX_FILES);
}

/* What a program left that was killed is removed; what somebody holds, or is fresh, is not. */
static void
test_left_folders (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *old = g_build_filename (temporary, "fretsaw-finder-OLDOLD", NULL);
  g_autofree char *fresh = g_build_filename (temporary, "fretsaw-finder-FRESH1", NULL);
  g_autofree char *inside = g_build_filename (old, "photo.png", NULL);
  g_mkdir (old, 0700);
  g_mkdir (fresh, 0700);
  g_assert_true (g_file_set_contents (inside, "x", -1, NULL));
  g_assert_cmpint (utime (old, &(struct utimbuf){ 1000, 1000 }), ==, 0);
  g_autoptr (FsGuess) guess = find ("red", "{photo} {mask} left", &error);
  g_assert_no_error (error);
  g_assert_nonnull (guess);
  g_assert_false (g_file_test (old, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (fresh, G_FILE_TEST_EXISTS));
  g_rmdir (fresh);
  check_nothing_is_left ();
}

int
main (int argc, char **argv)
{
  /* GLib asks for TMPDIR once. */
  const char *ground = g_getenv ("TMPDIR");
  home = g_mkdtemp (g_build_filename (ground ? ground : "/tmp", "finder-XXXXXX", NULL));
  temporary = g_build_filename (home, "tmp", NULL);
  process_log = g_build_filename (home, "log", NULL);
  stub = g_strdup (g_getenv ("STUB_FINDER"));
  g_autofree char *config = g_build_filename (home, "config", "fretsaw", NULL);
  g_mkdir (temporary, 0700);
  g_mkdir_with_parents (config, 0700);
  g_setenv ("STUB_FINDER_LOG", process_log, TRUE);
  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  for (int i = 0; i < 3; i++) {
    static const char *const names[][2] = { { "XDG_CONFIG_HOME", "config" },
                                            { "XDG_CACHE_HOME", "cache" },
                                            { "XDG_DATA_HOME", "data" } };
    g_autofree char *path = g_build_filename (home, names[i][1], NULL);
    g_setenv (names[i][0], path, TRUE);
  }
  g_setenv ("TMPDIR", temporary, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finder/works", test_works);
  g_test_add_func ("/finder/other size", test_other_size);
  g_test_add_func ("/finder/prints much", test_prints_much);
  g_test_add_func ("/finder/what it is given", test_what_it_is_given);
  g_test_add_func ("/finder/fails", test_fails);
  g_test_add_func ("/finder/cancelled", test_cancelled);
  g_test_add_func ("/finder/on a worker", test_on_a_worker);
  g_test_add_func ("/finder/time limit", test_time_limit);
  g_test_add_func ("/finder/not installed", test_not_installed);
  g_test_add_func ("/finder/kept", test_kept);
  g_test_add_func ("/finder/bounds", test_bounds);
  g_test_add_func ("/finder/left folders", test_left_folders);
  g_test_add_func ("/finder/settings", test_settings);
  g_test_add_func ("/finder/which", test_which);
  int result = g_test_run ();
  remove_tree (home);
  return result;
}
