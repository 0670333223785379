/* SPDX-License-Identifier: MIT */
/* The memory that reading one file may take.   Layer: app.
 *
 * A header's claim is weighed against this before anything is allocated for it.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_FREE_MEMORY_H
#define FS_APP_FILES_FREE_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

/* 60 % of the bytes that the machine has available now, or the process may still take. */
guint64 fs_free_memory_limit (void);

G_END_DECLS

#endif
