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

gboolean
fs_label_writer_add (FsLabelWriter *writer, const FsLabelPhoto *photo, const char *path,
                     GError **error)
{
  g_return_val_if_fail (writer && photo, FALSE);

  g_autofree char *stem = fs_label_writer_make_stem (photo->file_name);
  if (writer->format->is_folder && !check_stem (writer, photo, stem, error))
    return FALSE;
  writer->out.photo = path;
  const gboolean done = writer->format->add (writer->self, photo, stem, error);
  writer->out.photo = NULL;
  if (!done)
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
  return writer->format->end (writer->self, error);
}
