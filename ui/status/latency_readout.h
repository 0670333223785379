/* SPDX-License-Identifier: MIT */
/* Display of the latency probe's figures over the canvas (F12).   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_LATENCY_READOUT_H
#define FS_UI_STATUS_LATENCY_READOUT_H

#include "ui/canvas/latency_probe.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Keeps the text of `label` up to date while it is visible. The probe must live as long. */
void fs_latency_readout_attach (GtkLabel *label, FsLatencyProbe *probe);

G_END_DECLS

#endif
