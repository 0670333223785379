/* SPDX-License-Identifier: MIT */
#include "ui/status/latency_log.h"

#include <glib/gstdio.h>
#include <stdio.h>

struct _FsLatencyLog {
  FsDocument *document;
  FILE *file;             /* NULL without FRETSAW_LOG */
  gint64 stroke_ended_us; /* 0: no stroke is waiting for its mask */
};

static void
write_line (FsLatencyLog *log, const char *line)
{
  g_debug ("%s", line);
  if (log->file != NULL) {
    fprintf (log->file, "%s\n", line);
    fflush (log->file);
  }
}

static void
on_mask_updated (FsLatencyLog *log)
{
  FsDocumentStatus status = fs_document_get_status (log->document);
  g_autofree char *line =
      g_strdup_printf ("mask generation=%" G_GUINT64_FORMAT " latency_us=%" G_GINT64_FORMAT
                       " solve_us=%" G_GINT64_FORMAT " exact=%s",
                       status.generation, status.latency_us, status.solve_us,
                       status.exact ? "true" : "false");
  write_line (log, line);
}

static void
log_status (FsLatencyLog *log)
{
  FsDocumentStatus status = fs_document_get_status (log->document);
  if (log->stroke_ended_us == 0 || !status.is_final)
    return;
  g_autofree char *line = g_strdup_printf ("stroke latency_us=%" G_GINT64_FORMAT " exact=%s",
                                           g_get_monotonic_time () - log->stroke_ended_us,
                                           status.exact ? "true" : "false");
  log->stroke_ended_us = 0;
  write_line (log, line);
}

FsLatencyLog *
fs_latency_log_new (FsDocument *document)
{
  FsLatencyLog *log = g_new0 (FsLatencyLog, 1);
  const char *path = g_getenv ("FRETSAW_LOG");
  log->document = g_object_ref (document);
  if (path != NULL && *path != '\0')
    log->file = g_fopen (path, "ae");
  g_signal_connect_swapped (document, "mask-updated", G_CALLBACK (on_mask_updated), log);
  g_signal_connect_swapped (document, "status-changed", G_CALLBACK (log_status), log);
  return log;
}

void
fs_latency_log_free (FsLatencyLog *log)
{
  if (log == NULL)
    return;
  g_signal_handlers_disconnect_by_data (log->document, log);
  g_object_unref (log->document);
  if (log->file != NULL)
    fclose (log->file);
  g_free (log);
}

void
fs_latency_log_stroke_ended (FsLatencyLog *log)
{
  log->stroke_ended_us = g_get_monotonic_time ();
}
