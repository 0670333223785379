/* SPDX-License-Identifier: MIT */
#include "app/files/zip_file.h"

#include "app/files/file_error.h"

#include <glib/gi18n.h>
#include <string.h>
#include <zlib.h>

#define LOCAL_HEADER     0x04034b50u
#define DIRECTORY_HEADER 0x02014b50u
#define DIRECTORY_END    0x06054b50u
#define VERSION          20
#define FIRST_DAY        (1 << 5 | 1) /* of 1980 */

static void
append_le (GByteArray *to, guint32 value, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> (8 * i));
    g_byte_array_append (to, &byte, 1);
  }
}

/* Fields that both headers of an entry have. */
static void
append_facts (GByteArray *to, guint32 sum, guint32 n_bytes, guint32 n_path)
{
  append_le (to, VERSION, 2);
  append_le (to, 0, 2); /* no flags */
  append_le (to, 0, 2); /* stored */
  append_le (to, 0, 2);
  append_le (to, FIRST_DAY, 2);
  append_le (to, sum, 4);
  append_le (to, n_bytes, 4);
  append_le (to, n_bytes, 4);
  append_le (to, n_path, 2);
  append_le (to, 0, 2); /* no extra field */
}

static gboolean
put_bytes (FsZipFile *zip, const void *bytes, gsize n_bytes, GError **error)
{
  zip->n_bytes += n_bytes;
  return zip->write (zip->user_data, bytes, n_bytes, error);
}

static gboolean
fail_for_size (const FsZipFile *zip, GError **error)
{
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: is too large"), zip->name);
  return FALSE;
}

gboolean
fs_zip_file_add (FsZipFile *zip, const char *path, const void *bytes, gsize n_bytes, GError **error)
{
  const gsize n_path = strlen (path);
  g_return_val_if_fail (n_path <= G_MAXUINT16 && g_str_is_ascii (path), FALSE);
  if (zip->n_entries == G_MAXUINT16 || n_bytes > G_MAXUINT32
      || zip->n_bytes + n_bytes > G_MAXUINT32 - G_MAXUINT16)
    return fail_for_size (zip, error);
  if (!zip->directory)
    zip->directory = g_byte_array_new ();
  const guint32 offset = (guint32)zip->n_bytes, size = (guint32)n_bytes;
  const guint32 sum = (guint32)crc32_z (0, bytes, n_bytes);

  append_le (zip->directory, DIRECTORY_HEADER, 4);
  append_le (zip->directory, VERSION, 2);
  append_facts (zip->directory, sum, size, (guint32)n_path);
  append_le (zip->directory, 0, 2); /* no comment */
  append_le (zip->directory, 0, 2); /* the first disk */
  append_le (zip->directory, 0, 2); /* no attributes */
  append_le (zip->directory, 0, 4);
  append_le (zip->directory, offset, 4);
  g_byte_array_append (zip->directory, (const guint8 *)path, (guint)n_path);
  zip->n_entries++;

  g_autoptr (GByteArray) header = g_byte_array_new ();
  append_le (header, LOCAL_HEADER, 4);
  append_facts (header, sum, size, (guint32)n_path);
  g_byte_array_append (header, (const guint8 *)path, (guint)n_path);
  return put_bytes (zip, header->data, header->len, error)
         && put_bytes (zip, bytes, n_bytes, error);
}

gboolean
fs_zip_file_finish (FsZipFile *zip, GError **error)
{
  g_return_val_if_fail (zip->n_entries > 0, FALSE);
  const guint32 offset = (guint32)zip->n_bytes, size = zip->directory->len;
  if (zip->n_bytes + size > G_MAXUINT32)
    return fail_for_size (zip, error);
  append_le (zip->directory, DIRECTORY_END, 4);
  append_le (zip->directory, 0, 4); /* one disk */
  append_le (zip->directory, zip->n_entries, 2);
  append_le (zip->directory, zip->n_entries, 2);
  append_le (zip->directory, size, 4);
  append_le (zip->directory, offset, 4);
  append_le (zip->directory, 0, 2); /* no comment */
  return put_bytes (zip, zip->directory->data, zip->directory->len, error);
}

void
fs_zip_file_clear (FsZipFile *zip)
{
  g_clear_pointer (&zip->directory, g_byte_array_unref);
}
