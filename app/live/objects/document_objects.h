/* SPDX-License-Identifier: MIT */
/* The object map of a document's mask, computed by a worker.   Layer: app.
 *
 * Threads: the document's; the work is a worker's.
 */
#ifndef FS_APP_LIVE_OBJECTS_DOCUMENT_OBJECTS_H
#define FS_APP_LIVE_OBJECTS_DOCUMENT_OBJECTS_H

#include "app/live/document.h"

G_BEGIN_DECLS

/* Computes the object map of the present mask (mask_objects.h) from copies that are taken at once.
 * Errors: FS_SOLVER_ERROR, or G_IO_ERROR_CANCELLED. */
void fs_document_map_objects_async (FsDocument *document, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/* width·height numbers, as fs_mask_map_objects; fs_memory_free. */
uint8_t *fs_document_map_objects_finish (FsDocument *document, GAsyncResult *result,
                                         GError **error);

G_END_DECLS

#endif
