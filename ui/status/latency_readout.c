/* SPDX-License-Identifier: MIT */
#include "ui/status/latency_readout.h"

#include <glib/gi18n.h>

#define REFRESH_MS 250

typedef struct {
  GtkLabel *label;
  FsLatencyProbe *probe;
  guint timer_id;
} Readout;

static const char *const titles[FS_N_LATENCIES] = {
  [FS_LATENCY_STROKE] = N_ ("Stroke on screen"),
  [FS_LATENCY_MASK] = N_ ("Mask on screen"),
  [FS_LATENCY_VIEW] = N_ ("View on screen"),
  [FS_LATENCY_MAIN_LOOP] = N_ ("Main loop"),
};

static void
append_line (GString *text, const char *title, const FsLatencyQuantiles *q)
{
  g_autofree char *line = NULL;
  if (q->n == 0)
    /* Translators: nothing was measured yet */
    line = g_strdup_printf (_ ("%s: nothing yet"), title);
  else
    /* Translators: the quantity, then its median, 95th and 99th percentiles and maximum in
     * milliseconds */
    line = g_strdup_printf (_ ("%s: median %.1f, 95 %% %.1f, 99 %% %.1f, worst %.1f ms"), title,
                            (double)q->p50_us / 1e3, (double)q->p95_us / 1e3,
                            (double)q->p99_us / 1e3, (double)q->max_us / 1e3);
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

static gboolean
refresh_readout (gpointer user_data)
{
  Readout *readout = user_data;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int kind = 0; kind < FS_N_LATENCIES; kind++) {
    FsLatencyQuantiles q = fs_latency_probe_sum_up (readout->probe, (FsLatencyKind)kind);
    append_line (text, _ (titles[kind]), &q);
  }
  gtk_label_set_text (readout->label, text->str);
  return G_SOURCE_CONTINUE;
}

static void
on_visible_changed (Readout *readout)
{
  gboolean visible = gtk_widget_get_visible (GTK_WIDGET (readout->label));
  g_clear_handle_id (&readout->timer_id, g_source_remove);
  if (!visible)
    return;
  refresh_readout (readout);
  readout->timer_id = g_timeout_add (REFRESH_MS, refresh_readout, readout);
}

static void
on_destroy (Readout *readout)
{
  g_clear_handle_id (&readout->timer_id, g_source_remove);
}

static void
readout_free (gpointer data, GClosure *closure)
{
  Readout *readout = data;
  g_clear_handle_id (&readout->timer_id, g_source_remove);
  g_free (readout);
}

void
fs_latency_readout_attach (GtkLabel *label, FsLatencyProbe *probe)
{
  Readout *readout = g_new0 (Readout, 1);
  readout->label = label;
  readout->probe = probe;
  g_signal_connect_swapped (label, "destroy", G_CALLBACK (on_destroy), readout);
  g_signal_connect_data (label, "notify::visible", G_CALLBACK (on_visible_changed), readout,
                         readout_free, G_CONNECT_SWAPPED);
}
