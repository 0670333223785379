/* SPDX-License-Identifier: MIT */
#include "app/commands/command_line.h"

#include "app/backend/backend_choice.h"
#include "app/backend/device_choice.h"
#include "app/commands/number_options.h"
#include "app/export/export_format.h"
#include "app/export/parts/background.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const GOptionEntry *
find_option (const GOptionEntry *entries, const char *word, gsize n)
{
  for (const GOptionEntry *entry = entries; entry->long_name; entry++)
    if (strlen (entry->long_name) == n && strncmp (word, entry->long_name, n) == 0)
      return entry;
  return NULL;
}

/* Checks a number, and takes its leading zeros off: GLib would read it as an octal one. */
static gboolean
check_number (const char *option, const char *value, char **word, GError **error)
{
  const char *number = fs_number_option_check (option, value, error);
  if (!number)
    return FALSE;
  if (number == value)
    return TRUE;
  g_autofree char *plain =
      value == *word ? g_strdup (number) : g_strconcat ("--", option, "=", number, NULL);
  *word = (char *)g_intern_string (plain);
  return TRUE;
}

/* Refuses what GLib lets pass: numbers out of range or with more than digits, a value of a flag,
 * which it ignores, and a second value of an option that takes one, of which the last one would
 * win. */
static gboolean
check_words (const GOptionEntry *entries, int argc, char **argv, GError **error)
{
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
    const char *word = g_str_has_prefix (argv[i], "--") ? argv[i] + 2 : "";
    const char *value = strchr (word, '=');
    const GOptionEntry *entry =
        find_option (entries, word, value ? (gsize)(value - word) : strlen (word));
    g_autofree char *reason = NULL;
    if (!entry || *word == '\0')
      continue;
    const gboolean is_flag = entry->arg == G_OPTION_ARG_NONE;
    const gboolean is_list =
        entry->arg == G_OPTION_ARG_FILENAME_ARRAY || entry->arg == G_OPTION_ARG_STRING_ARRAY;
    if (is_flag && value)
      reason = g_strdup_printf ("--%s takes no value", entry->long_name);
    else if (!is_flag && !is_list && !g_hash_table_add (given, (gpointer)entry))
      reason = g_strdup_printf ("--%s is given twice", entry->long_name);
    if (reason)
      return fs_command_usage (error, reason);
    if (is_flag)
      continue;
    i += !value;
    if (i < argc && !check_number (entry->long_name, value ? value + 1 : argv[i], &argv[i], error))
      return FALSE;
  }
  return TRUE;
}

gboolean
fs_command_parse (const GOptionEntry *entries, const char *arguments, const char *summary, int argc,
                  char **argv, char **help, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_option_context_set_summary (context, summary);
  /* GLib's own --help exits the process. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  *help = g_option_context_get_help (context, FALSE, NULL);
  return check_words (entries, argc, argv, error)
         && g_option_context_parse (context, &argc, &argv, error);
}

void
fs_command_allow_bare (int argc, char **argv, const char *option)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], option) == 0) {
      g_autofree char *with_value = g_strconcat (option, "=", NULL);
      argv[i] = (char *)g_intern_string (with_value);
    }
}

gboolean
fs_command_usage (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  return FALSE;
}

static gboolean
check_name (const char *name, GError **error)
{
  if (*name == '\0')
    return fs_command_usage (error, "the name of a file is empty");
  return strcmp (name, "-") != 0
         || fs_command_usage (error, "- does not stand for standard input or output here; a file "
                                     "of that name is ./-");
}

/* Errors: "NAME: reason". */
static gboolean
refuse_name (const char *name, const char *reason, GError **error)
{
  g_autofree char *shown = fs_display_name (name);
  g_autofree char *message = g_strdup_printf ("%s: %s", shown, reason);
  return fs_command_usage (error, message);
}

/* FALSE where the name has no ending of a picture that is not written. */
static gboolean
is_other_picture (const char *name)
{
  static const char *const others[] = { ".bmp", ".gif", ".heic", ".heif", ".avif",
                                        ".jp2", ".jxl", ".exr",  ".tga",  ".xcf",
                                        ".kra", ".pdf", ".eps",  ".svgz", NULL };
  for (const char *const *ending = others; *ending; ending++)
    if (fs_name_has_ending (name, *ending))
      return TRUE;
  return FALSE;
}

/* Other programs could not open a picture whose name has the ending of another format. */
static gboolean
check_output (const char *name, GError **error)
{
  const FsExportFormat format = fs_export_format_of (name);
  g_autofree char *base = g_path_get_basename (name);
  if (is_other_picture (name))
    return refuse_name (name,
                        "nothing is written in that format: pictures are PNG, WebP, TIFF, JPEG, "
                        "OpenRaster or PSD",
                        error);
  if (fs_export_format_is_ending (base))
    return refuse_name (name, "is the ending of a name, without a name before it", error);
  if (fs_export_format_get_writer (format))
    return TRUE;
  g_autofree char *reason =
      g_strdup_printf ("this build of Fretsaw cannot write %s", fs_export_format_get_name (format));
  return refuse_name (name, reason, error);
}

gboolean
fs_command_check_files (const char *const *files, guint n, guint n_inputs, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (files[i] && !check_name (files[i], error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    for (guint k = MAX (i + 1, n_inputs); k < n; k++)
      if (fs_same_file (files[i], files[k]))
        return refuse_name (files[k],
                            i < n_inputs ? "is an input, and would be overwritten"
                                         : "is named for two outputs",
                            error);
  for (guint i = n_inputs; i < n; i++)
    if (files[i] && !check_output (files[i], error))
      return FALSE;
  return TRUE;
}

gboolean
fs_command_check_text (const char *name, GError **error)
{
  return !name || (!is_other_picture (name) && fs_export_format_count_ending (name) == 0)
         || refuse_name (name, "has the ending of a picture, and text is written to it", error);
}

gboolean
fs_command_check_pictures (const char *mask, const char *alpha, const char *cutout,
                           const char *labels, GError **error)
{
  const char *pictures[] = { mask, alpha, cutout, labels };
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    if (pictures[i] && fs_export_format_of (pictures[i]) == FS_EXPORT_SVG)
      return refuse_name (pictures[i], "SVG is written by --outline only", error);
  const char *planes[] = { mask, alpha, labels };
  for (gsize i = 0; i < G_N_ELEMENTS (planes); i++) {
    const FsExportFormat format = planes[i] ? fs_export_format_of (planes[i]) : FS_EXPORT_PNG;
    if (fs_export_format_has_layers (format))
      return refuse_name (planes[i], "layers (OpenRaster, PSD) are written by --cutout only",
                          error);
    if (format == FS_EXPORT_JPEG)
      return refuse_name (planes[i], "JPEG changes pixels, and is written by --cutout only", error);
  }
  return !labels || fs_export_format_of (labels) != FS_EXPORT_WEBP
         || refuse_name (labels, "WebP has no palette for labels; PNG and TIFF have", error);
}

gboolean
fs_command_check_outline (const char *outline, const char *tolerance, double *tolerance_px,
                          GError **error)
{
  *tolerance_px = FS_EXPORT_OUTLINE_TOLERANCE_PX;
  if (outline && !check_name (outline, error))
    return FALSE;
  if (outline && fs_export_format_of (outline) != FS_EXPORT_SVG)
    return refuse_name (outline, "an outline is SVG, and its name has to end in .svg", error);
  if (!tolerance)
    return TRUE;
  if (!outline)
    return fs_command_usage (error, "--outline-tolerance applies to --outline only");
  *tolerance_px = g_ascii_strtod (tolerance, NULL);
  return TRUE;
}

gboolean
fs_command_check_keep_hidden (gboolean keep_hidden, const char *cutout, GError **error)
{
  return !keep_hidden || cutout
         || fs_command_usage (error, "--keep-hidden applies to cut-outs only");
}

gboolean
fs_command_check_keep_metadata (gboolean keep_metadata, const char *cutout, GError **error)
{
  return !keep_metadata || cutout
         || fs_command_usage (error, "--keep-metadata applies to cut-outs only");
}

static gboolean
check_background_name (const char *background, GError **error)
{
  uint32_t rgb;
  return fs_background_parse_colour (background, &rgb)
         || g_file_test (background, G_FILE_TEST_EXISTS)
         || refuse_name (background,
                         "is neither a colour for --background (#rrggbb, white, black, …) nor a "
                         "file with a picture",
                         error);
}

gboolean
fs_command_check_background (const FsCommandBackground *o, const char *cutout, gboolean keep_hidden,
                             GError **error)
{
  const FsExportFormat format = cutout ? fs_export_format_of (cutout) : FS_EXPORT_PNG;
  if (o->quality != FS_COMMAND_NO_QUALITY && format != FS_EXPORT_JPEG)
    return fs_command_usage (error, "--quality applies to cut-outs in JPEG only");
  if (!o->background)
    return format != FS_EXPORT_JPEG
           || refuse_name (cutout, "JPEG has no transparency, and needs --background", error);
  if (!cutout)
    return fs_command_usage (error, "--background applies to cut-outs only");
  if (keep_hidden)
    return fs_command_usage (error, "--keep-hidden cannot be combined with --background, which "
                                    "hides what was cut away");
  if (fs_export_format_has_layers (format))
    return refuse_name (cutout, "has layers, which --background would flatten", error);
  return check_background_name (o->background, error);
}

const char *
fs_command_background_file (const char *background)
{
  uint32_t rgb;
  return background && !fs_background_parse_colour (background, &rgb) ? background : NULL;
}

gboolean
fs_command_take_device (int device, const char *backend, GError **error)
{
  if (device == FS_COMMAND_NO_DEVICE)
    return TRUE;
  if (g_strcmp0 (backend, "cpu") == 0)
    return fs_command_usage (error, "--device cannot be combined with --backend cpu");
  if (!fs_device_choice_set (device, error))
    return FALSE;
  fs_backend_choice_want_device ();
  return TRUE;
}

gboolean
fs_command_read_jobs (const FsCommandJobs *o, const char *backend, int *n_jobs, char ***devices,
                      GError **error)
{
  const gboolean may_be_used = g_strcmp0 (backend, "cpu") != 0;
  *devices = NULL;
  *n_jobs = o->n != 0 ? o->n : 1;
  if (o->devices && !may_be_used)
    return fs_command_usage (error, "--devices cannot be combined with --backend cpu");
  if (o->devices) {
    *devices = fs_device_choice_parse (o->devices, error);
    if (!*devices)
      return FALSE;
    fs_backend_choice_want_device ();
    *n_jobs = o->n != 0 ? o->n : (int)g_strv_length (*devices);
  } else if (may_be_used && *n_jobs > 1) {
    *devices = fs_device_choice_list ();
  }
  return TRUE;
}

gboolean
fs_command_check_mask_page (gboolean mask_page, const char *cutout, GError **error)
{
  return !mask_page || (cutout && fs_export_format_of (cutout) == FS_EXPORT_TIFF)
         || fs_command_usage (error, "--mask-page applies to cut-outs in TIFF only");
}

void
fs_command_print_notes (const char *lines)
{
  g_auto (GStrv) each = g_strsplit (lines ? lines : "", "\n", -1);
  for (char **line = each; *line; line++)
    if (**line)
      fprintf (stderr, "fretsaw: %s\n", *line);
}

int
fs_command_finish (int code)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return code;
  g_autofree char *message =
      g_strdup_printf ("standard output cannot be written to: %s", g_strerror (errno));
  return fs_command_fail (code == FS_EXIT_DONE ? FS_EXIT_FAILED : code, message);
}

void
fs_command_print_notice (void)
{
  const char *notice = fs_backend_choice_take_notice ();
  if (notice)
    fprintf (stderr, "fretsaw: %s\n", notice);
}

int
fs_command_end_by_signal (int number)
{
  fflush (NULL);
  signal (number, SIG_DFL);
  raise (number);
  return FS_EXIT_FAILED;
}

int
fs_command_fail (int code, const char *message)
{
  fprintf (stderr, "fretsaw: %s\n", message);
  return code;
}

int
fs_command_fail_usage (const char *command, const GError *error)
{
  /* GLib quotes arguments unescaped. */
  g_autofree char *reason = fs_display_name (error->message);
  g_autofree char *message = g_strdup_printf ("%s; see fretsaw %s --help", reason, command);
  return fs_command_fail (FS_EXIT_USAGE, message);
}
