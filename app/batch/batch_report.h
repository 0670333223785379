/* SPDX-License-Identifier: MIT */
/* The report of a batch.   Layer: app.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_BATCH_BATCH_REPORT_H
#define FS_APP_BATCH_BATCH_REPORT_H

#include "app/batch/batch.h"

#include <jansson.h>

G_BEGIN_DECLS

typedef struct FsBatchReport FsBatchReport;

FsBatchReport *fs_batch_report_new (void);
void fs_batch_report_free (FsBatchReport *report);

void fs_batch_report_add_reused (FsBatchReport *report, const char *photo);
/* `line`: as app/batch/batch_cut.h has it. */
void fs_batch_report_add_cut (FsBatchReport *report, const char *photo, const json_t *line);
/* `item`: the photo's place in the list; `reason`: with or without the photo's name before it. */
void fs_batch_report_add_failure (FsBatchReport *report, guint item, const char *photo,
                                  const char *reason);

/* "PHOTO: reason", in the order of the list. g_ptr_array_unref. */
GPtrArray *fs_batch_report_list_failures (const FsBatchReport *report);

/* g_free. */
char *fs_batch_report_to_json (const FsBatchReport *report, const FsBatchJob *job,
                               const FsBatchResult *result);

G_END_DECLS

#endif
