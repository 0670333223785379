/* SPDX-License-Identifier: MIT */
#include "app/finder/subject_finder.h"

#include "app/files/display_name.h"
#include "app/finder/finder_folder.h"
#include "app/finder/finder_interrupt.h"
#include "app/finder/finder_pictures.h"
#include "app/finder/finder_process.h"
#include "app/finder/finder_settings.h"
#include "app/finder/guess_cache.h"
#include "app/finder/guess_file.h"
#include "app/photo/photo.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

/* A guess has a few megapixels; a mask of the photo's own size may be asked of a large one. */
#define MAX_MASK_BYTES  (G_GUINT64_CONSTANT (128) << 20)
#define MAX_MASK_PIXELS G_GUINT64_CONSTANT (128000000)

G_DEFINE_QUARK (fs - subject - finder - error - quark, fs_subject_finder_error)

struct _FsSubjectFinder {
  gatomicrefcount n_refs;
  char *name;
  char *command;
  GStrv arguments; /* with placeholders */
  int time_limit_s;
};

G_GNUC_PRINTF (4, 5)
static gboolean
set_finder_error (const FsSubjectFinder *finder, GError **error, FsSubjectFinderError code,
                  const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_SUBJECT_FINDER_ERROR, code, "%s: %s", finder->name, reason);
  return FALSE;
}

/* --- the command line ------------------------------------------------------------------------- */

static gboolean
names (const FsSubjectFinder *finder, const char *placeholder)
{
  for (char **argument = finder->arguments; *argument; argument++)
    if (strstr (*argument, placeholder))
      return TRUE;
  return FALSE;
}

/* FALSE with a sentence about the line itself. */
static gboolean
read_command (FsSubjectFinder *finder, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *shown = fs_display_name (finder->command);
  const char *lack = NULL;
  if (!g_shell_parse_argv (finder->command, NULL, &finder->arguments, &failure)) {
    g_set_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_COMMAND,
                 _ ("the command “%s” of a subject finder cannot be split into words: %s"), shown,
                 failure->message);
    return FALSE;
  }
  if (!names (finder, "{photo}"))
    lack = "{photo}";
  else if (!names (finder, "{mask}") && !names (finder, "{folder}"))
    lack = "{mask}";
  if (!lack)
    return TRUE;
  g_set_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_COMMAND,
               _ ("the command “%s” of a subject finder lacks %s"), shown, lack);
  return FALSE;
}

static gboolean
refuse_name (const char *text, GError **error)
{
  g_autofree char *shown = fs_display_name (text);
  g_autofree char *known = g_strjoinv (", ", (char **)fs_finder_presets_get_names ());
  g_set_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_COMMAND,
               _ ("“%s” is neither a subject finder that is known by name (%s) nor a command with "
                  "{photo} and {mask}"),
               shown, known);
  return FALSE;
}

/* `text` where it is a command; the command of the preset that it names. */
static gboolean
set_command (FsSubjectFinder *finder, const char *text, GError **error)
{
  finder->command = fs_finder_preset_get_command (text);
  if (finder->command) {
    finder->name = g_strdup (text);
    return read_command (finder, error);
  }
  if (!strchr (text, ' ') && !strchr (text, '{'))
    return refuse_name (text, error);
  finder->command = g_strdup (text);
  if (!read_command (finder, error))
    return FALSE;
  g_autofree char *base = g_path_get_basename (finder->arguments[0]);
  finder->name = fs_display_name (base);
  return TRUE;
}

/* NULL: none. */
static const char *
first_installed_preset (void)
{
  for (const char *const *name = fs_finder_presets_get_names (); *name; name++)
    if (fs_finder_preset_is_installed (*name))
      return *name;
  return NULL;
}

FsSubjectFinder *
fs_subject_finder_new (const char *text, GError **error)
{
  g_auto (FsFinderSettings) settings = { 0 };
  g_autoptr (FsSubjectFinder) finder = g_new0 (FsSubjectFinder, 1);
  g_atomic_ref_count_init (&finder->n_refs);
  fs_finder_settings_load (&settings);
  finder->time_limit_s = settings.time_limit_s;
  const char *wanted = text               ? text
                       : settings.command ? settings.command
                                          : first_installed_preset ();
  if (!wanted) {
    g_autofree char *known = g_strjoinv (", ", (char **)fs_finder_presets_get_names ());
    g_set_error (error, FS_SUBJECT_FINDER_ERROR, FS_SUBJECT_FINDER_ERROR_NONE,
                 _ ("no subject finder is installed (%s), and none is set up"), known);
    return NULL;
  }
  return set_command (finder, wanted, error) ? g_steal_pointer (&finder) : NULL;
}

FsSubjectFinder *
fs_subject_finder_ref (FsSubjectFinder *finder)
{
  g_atomic_ref_count_inc (&finder->n_refs);
  return finder;
}

void
fs_subject_finder_unref (FsSubjectFinder *finder)
{
  if (!finder || !g_atomic_ref_count_dec (&finder->n_refs))
    return;
  g_free (finder->name);
  g_free (finder->command);
  g_strfreev (finder->arguments);
  g_free (finder);
}

const char *
fs_subject_finder_get_name (const FsSubjectFinder *finder)
{
  return finder->name;
}

const char *
fs_subject_finder_get_command (const FsSubjectFinder *finder)
{
  return finder->command;
}

gboolean
fs_subject_finder_wants_strokes (const FsSubjectFinder *finder)
{
  return names (finder, "{strokes}");
}

/* --- what it is given ------------------------------------------------------------------------- */

typedef struct {
  const char *placeholder, *path;
} Replacement;

static char *
replace_placeholders (const char *argument, const Replacement *replacements, gsize n)
{
  GString *text = g_string_new (NULL);
  while (*argument) {
    gsize i = 0;
    while (i < n && !g_str_has_prefix (argument, replacements[i].placeholder))
      i++;
    if (i == n) {
      g_string_append_c (text, *argument++);
    } else {
      g_string_append (text, replacements[i].path);
      argument += strlen (replacements[i].placeholder);
    }
  }
  return g_string_free (text, FALSE);
}

static void
sum_text (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *)text, (gssize)strlen (text) + 1);
}

/* A model or script that is replaced finds something else. */
static void
sum_file (GChecksum *sum, const char *path)
{
  struct stat facts;
  if (stat (path, &facts) < 0 || !S_ISREG (facts.st_mode))
    return;
  g_autofree char *text =
      g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld", (gint64)facts.st_size,
                       (gint64)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  sum_text (sum, text);
}

/* So does fretsaw-subject where the file that describes a model changes: NAME.ini of NAME.onnx. */
static void
sum_description (GChecksum *sum, const char *model)
{
  if (!fs_name_has_ending (model, ".onnx"))
    return;
  g_autofree char *stem = g_strndup (model, strlen (model) - strlen (".onnx"));
  g_autofree char *description = g_strconcat (stem, ".ini", NULL);
  sum_file (sum, description);
}

char *
fs_subject_finder_sum (const FsSubjectFinder *finder)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *program = g_find_program_in_path (finder->arguments[0]);
  if (program)
    sum_file (sum, program);
  for (char **argument = finder->arguments; *argument; argument++) {
    sum_text (sum, *argument);
    sum_file (sum, *argument);
    sum_description (sum, *argument);
  }
  return g_strdup (g_checksum_get_string (sum));
}

static char *
make_key (const FsSubjectFinder *finder, const FsFinderPictures *pictures)
{
  g_autofree char *finder_sum = fs_subject_finder_sum (finder);
  g_autofree char *head =
      g_strdup_printf ("fretsaw-guess-1 %s %d %d", finder_sum, pictures->width, pictures->height);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const gssize n = (gssize)pictures->width * pictures->height;
  sum_text (sum, head);
  g_checksum_update (sum, pictures->rgb, 3 * n);
  if (pictures->labels)
    g_checksum_update (sum, pictures->labels, n);
  return g_strdup (g_checksum_get_string (sum));
}

/* --- one run ---------------------------------------------------------------------------------- */

typedef struct {
  const FsSubjectFinder *finder;
  const FsFinderPictures *pictures;
  int photo_width, photo_height;
  GCancellable *cancellable;
  FsFinderFolder folder;
  char *photo, *mask, *strokes;
} Run;

static void
run_clear (Run *run)
{
  fs_finder_folder_clear (&run->folder);
  g_free (run->photo);
  g_free (run->mask);
  g_free (run->strokes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gboolean
fail_cancelled (const FsSubjectFinder *finder, GError **error)
{
  return set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_CANCELLED, _ ("was cancelled"));
}

static gboolean
write_pictures (Run *run, GError **error)
{
  g_autoptr (GError) failure = NULL;
  if (fs_finder_folder_init (&run->folder, &failure)) {
    run->photo = g_build_filename (run->folder.path, "photo.png", NULL);
    run->strokes = g_build_filename (run->folder.path, "strokes.png", NULL);
    run->mask = g_build_filename (run->folder.output, "mask.png", NULL);
    if (fs_finder_pictures_write_photo (run->pictures, run->photo, &failure)
        && (!run->pictures->labels
            || fs_finder_pictures_write_strokes (run->pictures, run->strokes, &failure)))
      return TRUE;
  }
  return set_finder_error (
      run->finder, error, FS_SUBJECT_FINDER_ERROR_START,
      _ ("the photo cannot be written for it in the folder for temporary files: %s"),
      failure->message);
}

static GStrv
make_arguments (const Run *run)
{
  const Replacement replacements[] = { { "{photo}", run->photo },
                                       { "{mask}", run->mask },
                                       { "{folder}", run->folder.output },
                                       { "{strokes}", run->strokes } };
  GPtrArray *arguments = g_ptr_array_new ();
  for (char **argument = run->finder->arguments; *argument; argument++)
    g_ptr_array_add (arguments,
                     replace_placeholders (*argument, replacements, G_N_ELEMENTS (replacements)));
  g_ptr_array_add (arguments, NULL);
  return (GStrv)g_ptr_array_free (arguments, FALSE);
}

static gboolean
check_end (const Run *run, const FsFinderEnd *end, GError **error)
{
  const FsSubjectFinder *finder = run->finder;
  g_autofree char *said =
      end->said[0] != '\0' ? g_strconcat (": ", end->said, NULL) : g_strdup ("");
  switch (end->ending) {
  case FS_FINDER_CANCELLED:
    return fail_cancelled (finder, error);
  case FS_FINDER_TIMED_OUT:
    return set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_TIME,
                             ngettext ("took longer than %d second and was ended%s",
                                       "took longer than %d seconds and was ended%s",
                                       (gulong)finder->time_limit_s),
                             finder->time_limit_s, said);
  case FS_FINDER_DIED:
    return set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_FAILED, _ ("crashed (%s)%s"),
                             g_strsignal (end->code), said);
  default:
    return end->code == 0
           || set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_FAILED,
                                _ ("failed with exit status %d%s"), end->code, said);
  }
}

static gboolean
execute (Run *run, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_auto (GStrv) arguments = make_arguments (run);
  g_auto (FsFinderEnd) end = { 0 };
  if (!fs_finder_process_run ((const char *const *)arguments, run->folder.path,
                              run->finder->time_limit_s, run->cancellable, &end, &failure))
    return set_finder_error (run->finder, error, FS_SUBJECT_FINDER_ERROR_START,
                             _ ("cannot be started: %s"), failure->message);
  return check_end (run, &end, error);
}

/* Some programs add an ending of their own to the name that they are given. */
static gboolean
find_mask (Run *run, GError **error)
{
  struct stat facts;
  guint n_found;
  if (lstat (run->mask, &facts) == 0)
    return TRUE;
  char *found = fs_finder_folder_find_picture (&run->folder, &n_found);
  if (!found)
    return set_finder_error (run->finder, error, FS_SUBJECT_FINDER_ERROR_PICTURE,
                             n_found == 0 ? _ ("finished, but wrote no picture")
                                          : _ ("wrote several pictures instead of one"));
  g_free (run->mask);
  run->mask = found;
  return TRUE;
}

/* The message of a photo's reader about the file, without its name, which nobody knows. */
static const char *
strip_name (const char *message, const char *path)
{
  g_autofree char *name = fs_display_name (path);
  const gsize n = strlen (name);
  return g_str_has_prefix (message, name) && g_str_has_prefix (message + n, ": ") ? message + n + 2
                                                                                  : message;
}

static FsGuess *
load_mask (const FsSubjectFinder *finder, const char *path, const Run *run, GError **error)
{
  const FsPhotoLimits limits = { .max_file_bytes = MAX_MASK_BYTES, .max_pixels = MAX_MASK_PIXELS };
  g_autoptr (GError) failure = NULL;
  g_autoptr (FsPhoto) picture = fs_photo_load (path, &limits, run->cancellable, &failure);
  FsGuess *guess = NULL;
  if (picture && !picture->warning)
    guess =
        fs_guess_load_found (path, run->photo_width, run->photo_height, run->cancellable, &failure);
  if (guess)
    return guess;
  if (g_cancellable_is_cancelled (run->cancellable))
    fail_cancelled (finder, error);
  else
    set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_PICTURE,
                      _ ("the picture that it wrote: %s"),
                      strip_name (failure ? failure->message : picture->warning, path));
  return NULL;
}

static FsGuess *
find_anew (Run *run, const char *key, GError **error)
{
  if (!write_pictures (run, error) || !execute (run, error) || !find_mask (run, error))
    return NULL;
  FsGuess *guess = load_mask (run->finder, run->mask, run, error);
  if (guess)
    fs_guess_cache_store (key, run->mask);
  return guess;
}

static FsGuess *
find_cached (const Run *run, const char *key)
{
  g_autofree char *path = fs_guess_cache_find (key);
  FsGuess *guess = path ? load_mask (run->finder, path, run, NULL) : NULL;
  if (path && !guess)
    fs_guess_cache_drop (key);
  return guess;
}

FsGuess *
fs_subject_finder_find (FsSubjectFinder *finder, const FsImage *image, const uint8_t *marks,
                        GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (finder && image, NULL);

  g_auto (FsFinderPictures) pictures = { 0 };
  const gboolean with_strokes = fs_subject_finder_wants_strokes (finder);
  if (!fs_finder_pictures_init (&pictures, image, with_strokes ? marks : NULL, with_strokes)) {
    set_finder_error (finder, error, FS_SUBJECT_FINDER_ERROR_START,
                      _ ("there is not enough memory for it"));
    return NULL;
  }
  if (g_cancellable_is_cancelled (cancellable)) {
    fail_cancelled (finder, error);
    return NULL;
  }
  g_autofree char *key = make_key (finder, &pictures);
  g_auto (Run) run = { .finder = finder,
                       .pictures = &pictures,
                       .photo_width = image->width,
                       .photo_height = image->height,
                       .cancellable = cancellable,
                       .folder.lock_fd = -1 };
  FsGuess *guess = find_cached (&run, key);
  return guess ? guess : find_anew (&run, key, error);
}

FsGuess *
fs_subject_finder_find_in_command (FsSubjectFinder *finder, const FsImage *image,
                                   const uint8_t *marks, GError **error)
{
  g_autoptr (GCancellable) cancellable = fs_finder_interrupt_begin ();
  FsGuess *guess = fs_subject_finder_find (finder, image, marks, cancellable, error);
  fs_finder_interrupt_end ();
  return guess;
}

/* --- on a worker ------------------------------------------------------------------------------ */

typedef struct {
  FsSubjectFinder *finder;
  FsImage *image;
  uint8_t *marks;
} Job;

static void
finder_job_free (gpointer data)
{
  Job *job = data;
  fs_subject_finder_unref (job->finder);
  fs_image_unref (job->image);
  g_free (job->marks);
  g_free (job);
}

static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  FsGuess *guess =
      fs_subject_finder_find (job->finder, job->image, job->marks, cancellable, &error);
  if (guess)
    g_task_return_pointer (task, guess, (GDestroyNotify)fs_guess_unref);
  else
    g_task_return_error (task, error);
}

void
fs_subject_finder_find_async (FsSubjectFinder *finder, FsImage *image, const uint8_t *marks,
                              GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (finder && image);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_subject_finder_find_async);
  /* Its own error says that it was cancelled, after it has ended. */
  g_task_set_check_cancellable (task, FALSE);
  Job *job = g_new0 (Job, 1);
  const gsize n = (gsize)image->width * (gsize)image->height;
  job->finder = fs_subject_finder_ref (finder);
  job->image = fs_image_ref (image);
  job->marks = marks && fs_subject_finder_wants_strokes (finder) ? g_memdup2 (marks, n) : NULL;
  g_task_set_task_data (task, job, finder_job_free);
  g_task_run_in_thread (task, find_in_thread);
}

FsGuess *
fs_subject_finder_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
