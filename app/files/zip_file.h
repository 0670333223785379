/* SPDX-License-Identifier: MIT */
/* ZIP archives of stored entries (PKWARE, "APPNOTE.TXT", 6.3.3), for formats made of files that are
 * packed already.   Layer: app.
 *
 * Local headers have sizes, sums and no extra fields, so that the content of a first entry
 * "mimetype" stands where programs look for it; libarchive, which writes extra fields and sizes
 * after the content, cannot do that. All dates are the first that a ZIP can have: the same entries
 * are the same bytes. At most 65,535 entries and 4 GB, as without ZIP64.
 *
 * Threads: any, one at a time.
 */
#ifndef FS_APP_FILES_ZIP_FILE_H
#define FS_APP_FILES_ZIP_FILE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  /* Takes every byte or sets an error. */
  gboolean (*write) (gpointer user_data, const void *bytes, gsize n_bytes, GError **error);
  gpointer user_data;
  const char *name;      /* of the archive, for messages */
  GByteArray *directory; /* the central one so far */
  guint n_entries;
  guint64 n_bytes;
} FsZipFile;

/* `zip` has its first three fields set, all others 0. Errors: those of its `write`, and
 * FS_EXPORT_ERROR_WRITE where it is too large. `path` is ASCII. */
gboolean fs_zip_file_add (FsZipFile *zip, const char *path, const void *bytes, gsize n_bytes,
                          GError **error);

/* Writes the directory, after all entries. */
gboolean fs_zip_file_finish (FsZipFile *zip, GError **error);
void fs_zip_file_clear (FsZipFile *zip);

G_END_DECLS

#endif
