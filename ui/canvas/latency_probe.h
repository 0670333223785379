/* SPDX-License-Identifier: MIT */
/* Measurement of latencies from an event to its visible effect.   Layer: ui.
 *
 *   stroke     from a motion of the brush to the end of the frame that painted its marks
 *   mask       from that motion to the end of the frame that painted the first mask with it
 *   view       from an event that moves or zooms the photo to the end of its frame
 *   main_loop  duration of one iteration of the main loop, sources and frames, without waiting
 *
 * An event's time is that of its handler's call. A mask with the effects of several events counts
 * from the oldest. The newest FS_LATENCY_SAMPLES of each kind are stored.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_LATENCY_PROBE_H
#define FS_UI_CANVAS_LATENCY_PROBE_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_LATENCY_SAMPLES 8192

typedef enum {
  FS_LATENCY_STROKE,
  FS_LATENCY_MASK,
  FS_LATENCY_VIEW,
  FS_LATENCY_MAIN_LOOP,
  FS_N_LATENCIES
} FsLatencyKind;

/* Percentiles by nearest rank; all 0 without samples. `n` and `max_us` are over all samples, not
 * only the stored ones. */
typedef struct {
  guint64 n;
  gint64 p50_us, p95_us, p99_us, max_us;
} FsLatencyQuantiles;

typedef struct _FsLatencyProbe FsLatencyProbe;

/* Adds a source to the default main context. */
FsLatencyProbe *fs_latency_probe_new (void);
void fs_latency_probe_free (FsLatencyProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLatencyProbe, fs_latency_probe_free)

/* Notes an event of FS_LATENCY_STROKE or FS_LATENCY_VIEW. */
void fs_latency_probe_note_event (FsLatencyProbe *probe, FsLatencyKind kind);
/* Notes that the document has been given the samples of all strokes' events so far. */
void fs_latency_probe_note_posted (FsLatencyProbe *probe);
/* Notes a mask that will be visible, the first with an edit made at `edit_us` (monotonic); 0:
 * without a new edit. */
void fs_latency_probe_note_mask (FsLatencyProbe *probe, gint64 edit_us);
/* Notes the end of a frame. */
void fs_latency_probe_note_painted (FsLatencyProbe *probe);

/* "stroke", "mask", "view", "main_loop". */
const char *fs_latency_probe_name (FsLatencyKind kind);
FsLatencyQuantiles fs_latency_probe_sum_up (FsLatencyProbe *probe, FsLatencyKind kind);
/* Discards all samples. */
void fs_latency_probe_reset (FsLatencyProbe *probe);
/* { "stroke": { "n": …, "p50_us": …, "p95_us": …, "p99_us": …, "max_us": … }, … }. g_free. */
char *fs_latency_probe_to_json (FsLatencyProbe *probe);

G_END_DECLS

#endif
