/* SPDX-License-Identifier: MIT */
/* Errors of writing files.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_FILE_ERROR_H
#define FS_APP_FILES_FILE_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_EXPORT_ERROR (fs_export_error_quark ())
GQuark fs_export_error_quark (void);

typedef enum {
  FS_EXPORT_ERROR_WRITE,     /* the file could not be written; the old one, if any, is untouched */
  FS_EXPORT_ERROR_CANCELLED, /* nothing was written                                              */
} FsExportError;

G_END_DECLS

#endif
