/* SPDX-License-Identifier: MIT */
#include "app/labels/output/label_writer.h"

#include "app/files/display_name.h"

#include <glib/gi18n.h>
#include <string.h>

struct _FsLabelWriter {
  const FsLabelFormat *format;
  FsLabelOut out;
  char *path, *place;
  gpointer self;
  GHashTable *photos; /* stem → name of the photo that has it, in a folder */
  guint n_photos, n_objects;
};

/* Gives the classes the numbers that they have in the set already. */
static gboolean
keep_numbers (FsLabelWriter *writer, const char *const *names, GError **error)
{
  FsLabelClasses *given = writer->out.classes;
  const guint n = fs_label_classes_get_n (given);
  if (fs_label_classes_is_closed (given)) {
    for (guint i = 0; names[i]; i++)
      if (i >= n || strcmp (names[i], fs_label_classes_get_name (given, i)) != 0) {
        g_autofree char *shown = fs_display_name (writer->path);
        g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_CLASS,
                     _ ("%s: its classes have other numbers; --replace writes over its files"),
                     shown);
        return FALSE;
      }
    return TRUE;
  }
  writer->out.classes = fs_label_classes_new ();
  for (; *names; names++)
    fs_label_classes_find (writer->out.classes, *names);
  for (guint i = 0; i < n; i++)
    fs_label_classes_find (writer->out.classes, fs_label_classes_get_name (given, i));
  fs_label_classes_free (given);
  return TRUE;
}

static gboolean
open_own (FsLabelWriter *writer, GError **error)
{
  const FsLabelOptions *options = &writer->out.options;
  writer->out.own = fs_own_files_open (writer->path, &options->shard, error);
  if (!writer->out.own)
    return FALSE;
  const char *const *names = fs_own_files_get_classes (writer->out.own);
  return !names || options->replace || !writer->format->has_numbers
         || keep_numbers (writer, names, error);
}

FsLabelWriter *
fs_label_writer_new (const FsLabelFormat *format, const FsLabelOptions *options,
                     FsLabelClasses *classes, GError **error)
{
  g_return_val_if_fail (format && options && options->path && classes, NULL);

  g_autoptr (FsLabelWriter) writer = g_new0 (FsLabelWriter, 1);
  writer->format = format;
  writer->path = g_strdup (options->path);
  writer->out = (FsLabelOut){ .options = *options, .classes = classes };
  writer->out.options.path = writer->path;
  writer->photos = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *absolute = g_canonicalize_filename (writer->path, NULL);
  writer->place =
      format->is_folder ? g_build_filename (absolute, "set", NULL) : g_steal_pointer (&absolute);
  if (format->is_folder && !open_own (writer, error))
    return NULL;
  writer->self = format->begin (&writer->out, error);
  return writer->self ? g_steal_pointer (&writer) : NULL;
}

void
fs_label_writer_free (FsLabelWriter *writer)
{
  if (!writer)
    return;
  if (writer->self)
    writer->format->free (writer->self);
  g_clear_pointer (&writer->out.own, fs_own_files_free);
  fs_label_classes_free (writer->out.classes);
  g_hash_table_unref (writer->photos);
  g_free (writer->path);
  g_free (writer->place);
  g_free (writer);
}

const char *
fs_label_writer_get_place (const FsLabelWriter *writer)
{
  return writer->place;
}

const FsLabelFormat *
fs_label_writer_get_format (const FsLabelWriter *writer)
{
  return writer->format;
}

const char *
fs_label_writer_get_file (const FsLabelWriter *writer)
{
  return writer->format->is_folder ? NULL : writer->path;
}

FsLabelClasses *
fs_label_writer_get_classes (const FsLabelWriter *writer)
{
  return writer->out.classes;
}

guint
fs_label_writer_get_n_photos (const FsLabelWriter *writer)
{
  return writer->n_photos;
}

guint
fs_label_writer_get_n_objects (const FsLabelWriter *writer)
{
  return writer->n_objects;
}

static gboolean
is_name_one_line (const char *name)
{
  for (; *name; name = g_utf8_next_char (name)) {
    const gunichar c = g_utf8_get_char (name);
    const GUnicodeType type = g_unichar_type (c);
    if (g_unichar_iscntrl (c) || type == G_UNICODE_LINE_SEPARATOR
        || type == G_UNICODE_PARAGRAPH_SEPARATOR)
      return FALSE;
  }
  return TRUE;
}

/* Files of a folder are named after the photo, and listed one a line. */
static gboolean
check_stem (const FsLabelWriter *writer, const FsLabelPhoto *photo, const char *stem,
            GError **error)
{
  g_autofree char *shown = fs_display_name (photo->file_name);
  if (!g_utf8_validate (photo->file_name, -1, NULL) || !is_name_one_line (photo->file_name)
      || strcmp (stem, ".") == 0 || strcmp (stem, "..") == 0) {
    g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_NAME,
                 _ ("%s: no file of the set can be named after it; give it another name first"),
                 shown);
    return FALSE;
  }
  const char *other = g_hash_table_lookup (writer->photos, stem);
  if (!other)
    return TRUE;
  g_autofree char *other_shown = fs_display_name (other);
  g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_NAME,
               _ ("%s: would have the same files in the set as %s, which is in it already"), shown,
               other_shown);
  return FALSE;
}

char *
fs_label_writer_make_stem (const char *file_name)
{
  char *stem = g_path_get_basename (file_name);
  char *dot = strrchr (stem, '.');
  if (dot && dot > stem)
    *dot = '\0';
  return stem;
}

static gboolean
add_photo (FsLabelWriter *writer, const FsLabelPhoto *photo, const char *path, const char *stem,
           GError **error)
{
  FsLabelOut *out = &writer->out;
  if (out->own && writer->format->has_numbers
      && !fs_own_files_put_classes (out->own, out->classes, error))
    return FALSE;
  out->photo = path;
  out->stem = stem;
  const gboolean done = writer->format->add (writer->self, photo, stem, error);
  out->photo = out->stem = NULL;
  return done && (!out->own || fs_own_files_remove_rest (out->own, stem, error));
}

gboolean
fs_label_writer_add (FsLabelWriter *writer, const FsLabelPhoto *photo, const char *path,
                     GError **error)
{
  g_return_val_if_fail (writer && photo, FALSE);

  g_autofree char *stem = fs_label_writer_make_stem (photo->file_name);
  if (writer->format->is_folder && !check_stem (writer, photo, stem, error))
    return FALSE;
  if (!add_photo (writer, photo, path, stem, error))
    return FALSE;
  if (g_hash_table_insert (writer->photos,
                           g_strdup (writer->format->is_folder ? stem : photo->file_name),
                           g_strdup (photo->file_name)))
    writer->n_photos++;
  writer->n_objects += photo->objects->len;
  return TRUE;
}

gboolean
fs_label_writer_end (FsLabelWriter *writer, GError **error)
{
  g_return_val_if_fail (writer, FALSE);
  return writer->format->end (writer->self, error)
         && (!writer->out.own
             || fs_own_files_save (writer->out.own, writer->out.options.replace, error));
}
