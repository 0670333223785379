/* SPDX-License-Identifier: MIT */
/* Errors of data sets of labels.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_LABEL_ERROR_H
#define FS_APP_LABELS_LABEL_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_LABEL_ERROR (fs_label_error_quark ())
GQuark fs_label_error_quark (void);

typedef enum {
  FS_LABEL_ERROR_READ,   /* a file cannot be opened or read */
  FS_LABEL_ERROR_FORMAT, /* it is not of the format */
  FS_LABEL_ERROR_CLASS,  /* a class is not in the list */
  FS_LABEL_ERROR_NAME,   /* a photo's name cannot be in the set, or is there already */
  FS_LABEL_ERROR_LIMIT,  /* the format holds no more */
} FsLabelError;

G_END_DECLS

#endif
