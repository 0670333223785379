/* SPDX-License-Identifier: MIT */
/* Limit of the memory for reading one file.   Layer: app.
 *
 * Sizes in a file's header are compared with it before anything is allocated for them.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_FREE_MEMORY_H
#define FS_APP_FILES_FREE_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

/* 60 % of the memory that is available now on the machine, or left under the process's limits. */
guint64 fs_free_memory_limit (void);

G_END_DECLS

#endif
