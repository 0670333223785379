/* SPDX-License-Identifier: MIT */
#include "ui/save/export_names.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_NAMES 1000
#define PNG       ".png"

/* The limit of an object's name within a file's name, which has 255 bytes at most. */
#define MAX_CALLED_BYTES 80

/* Without the ending of a format. g_free. */
static char *
stem_of (const char *chosen)
{
  return g_strndup (chosen, strlen (chosen) - fs_export_format_count_ending (chosen));
}

char *
fs_export_names_change_format (const char *name, FsExportFormat format)
{
  g_autofree char *stem = stem_of (name);
  return g_strconcat (stem, fs_export_format_get_ending (format), NULL);
}

/* "-Pot", without what some system does not have in the name of a file; "" where nothing is left.
 */
static char *
file_name_part (const char *name)
{
  g_autoptr (GString) part = g_string_new (NULL);
  for (const char *at = name; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    gsize n = part->len;
    g_string_append_unichar (part,
                             c < 0x20 || (c < 0x80 && strchr ("/\\:*?\"<>|", (int)c)) ? '-' : c);
    if (part->len > MAX_CALLED_BYTES) {
      g_string_truncate (part, n);
      break;
    }
  }
  while (part->len > 0 && strchr (" .", part->str[part->len - 1]) != NULL)
    g_string_truncate (part, part->len - 1);
  g_autofree char *shown =
      part->len > 0 ? g_filename_from_utf8 (part->str, -1, NULL, NULL, NULL) : NULL;
  return shown != NULL ? g_strconcat ("-", shown, NULL) : g_strdup ("");
}

char *
fs_export_names_object (const char *chosen, int object, const char *name)
{
  g_autofree char *stem = stem_of (chosen);
  g_autofree char *called = name != NULL ? file_name_part (name) : g_strdup ("");
  const char *ending = chosen + strlen (stem);
  return g_strdup_printf ("%s-%d%s%s", stem, object, called, *ending != '\0' ? ending : PNG);
}

/* Added to the photo's name. */
const char *
fs_export_names_suffix (FsExportWhat what, FsExportFormat format)
{
  if (format == FS_EXPORT_SVG && what != FS_EXPORT_WHAT_EACH)
    /* Translators: added to the photo's name to make a file name */
    return C_ ("file name", "outline");
  switch (what) {
  case FS_EXPORT_WHAT_LABELS:
    /* Translators: added to the photo's name to make a file name */
    return C_ ("file name", "objects");
  case FS_EXPORT_WHAT_EACH:
    /* Translators: added to the photo's name, and a number to it, to make a file name */
    return C_ ("file name", "object");
  case FS_EXPORT_WHAT_MASK:
    return C_ ("file name", "mask");
  default:
    return C_ ("file name", "cutout");
  }
}

static void
cut_at_dot (char *name)
{
  char *dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
}

/* Returns whether the folder has a file of an object, whatever that is called. */
static gboolean
has_object_of (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *stem = stem_of (path);
  g_autofree char *base = g_path_get_basename (stem);
  gsize n = strlen (base);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (strncmp (name, base, n) == 0 && name[n] == '-' && g_ascii_isdigit (name[n + 1]))
      return TRUE;
  return FALSE;
}

static gboolean
is_free (const char *path, FsExportWhat what)
{
  return !g_file_test (path, G_FILE_TEST_EXISTS)
         && (what != FS_EXPORT_WHAT_EACH || !has_object_of (path));
}

/* STEM-cutout.png, or the first of STEM-cutout-2.png, … from `number` on that is not there; NULL
 * where all of them are. Numbers of objects come last, so that of their set comes before. */
static char *
find_free_name (const char *folder, const char *stem, FsExportWhat what, guint number,
                FsExportFormat format)
{
  const char *suffix = fs_export_names_suffix (what, format);
  const char *ending = fs_export_format_get_ending (format);
  for (guint i = number; i < MAX_NAMES; i++) {
    g_autofree char *set = i > 1 ? g_strdup_printf ("-%u", i) : g_strdup ("");
    g_autofree char *name = what == FS_EXPORT_WHAT_EACH
                                ? g_strdup_printf ("%s%s-%s%s", stem, set, suffix, ending)
                                : g_strdup_printf ("%s-%s%s%s", stem, suffix, set, ending);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (is_free (path, what))
      return g_steal_pointer (&name);
  }
  return NULL;
}

/* Splits "robin-cutout-2" into "robin", which stays, and 2; 1 where there is no number. */
static guint
take_number (char *stem, FsExportFormat format)
{
  g_autofree char *suffix =
      g_strconcat ("-", fs_export_names_suffix (FS_EXPORT_WHAT_CUTOUT, format), NULL);
  char *at = g_strrstr (stem, suffix);
  const char *rest = at != NULL ? at + strlen (suffix) : NULL;
  guint64 number = 1;
  if (rest == NULL
      || (*rest != '\0'
          && (*rest != '-'
              || !g_ascii_string_to_unsigned (rest + 1, 10, 2, MAX_NAMES - 1, &number, NULL))))
    return 1;
  *at = '\0';
  return (guint)number;
}

/* The mask's file beside the cut-out's: nobody was asked about it, so it replaces none. */
char *
fs_export_names_mask_of (const char *cutout_path)
{
  g_autofree char *folder = g_path_get_dirname (cutout_path);
  g_autofree char *stem = g_path_get_basename (cutout_path);
  cut_at_dot (stem);
  guint number = take_number (stem, fs_export_format_of (cutout_path));
  g_autofree char *name = find_free_name (folder, stem, FS_EXPORT_WHAT_MASK, number, FS_EXPORT_PNG);
  return name != NULL ? g_build_filename (folder, name, NULL)
                      : g_strconcat (cutout_path, ".mask.png", NULL);
}

char *
fs_export_names_suggest (const char *folder, const char *photo_name, FsExportWhat what,
                         FsExportFormat format)
{
  g_autofree char *stem = g_strdup (photo_name);
  cut_at_dot (stem);
  g_autofree char *name = folder != NULL ? find_free_name (folder, stem, what, 1, format) : NULL;
  return name != NULL ? g_steal_pointer (&name)
                      : g_strdup_printf ("%s-%s%s", stem, fs_export_names_suffix (what, format),
                                         fs_export_format_get_ending (format));
}
