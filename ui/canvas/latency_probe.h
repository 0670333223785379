/* SPDX-License-Identifier: MIT */
/* Latencies from an event to its visible effect.   Layer: ui.
 *
 *   stroke     from a motion of the brush to the end of the frame that painted its marks
 *   mask       from that motion to the end of the frame that painted the first mask that holds it
 *   view       from an event that moves or zooms the photo to the end of its frame
 *   main_loop  what one turn of the main loop kept it from the next: sources and frames, not
 * waiting
 *
 * An event counts from the call of its handler. Of several that a mask follows the oldest counts.
 * The newest FS_LATENCY_SAMPLES of each kind are stored.
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

/* Percentiles by nearest rank; all 0 where nothing was noted. `n` and `max_us` are of all, not only
 * of the stored ones. */
typedef struct {
  guint64 n;
  gint64 p50_us, p95_us, p99_us, max_us;
} FsLatencyQuantiles;

typedef struct _FsLatencyProbe FsLatencyProbe;

/* Watches the default main context. */
FsLatencyProbe *fs_latency_probe_new (void);
void fs_latency_probe_free (FsLatencyProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLatencyProbe, fs_latency_probe_free)

/* An event of FS_LATENCY_STROKE or FS_LATENCY_VIEW has come. */
void fs_latency_probe_note_event (FsLatencyProbe *probe, FsLatencyKind kind);
/* The document has just been given all that the strokes' events brought. */
void fs_latency_probe_note_posted (FsLatencyProbe *probe);
/* A mask that will be seen is the first to hold an edit of the time `edit_us` (monotonic); 0: of
 * none. */
void fs_latency_probe_note_mask (FsLatencyProbe *probe, gint64 edit_us);
/* A frame is done. */
void fs_latency_probe_note_painted (FsLatencyProbe *probe);

/* "stroke", "mask", "view", "main_loop". */
const char *fs_latency_probe_name (FsLatencyKind kind);
FsLatencyQuantiles fs_latency_probe_sum_up (FsLatencyProbe *probe, FsLatencyKind kind);
/* Forgets what was measured. */
void fs_latency_probe_reset (FsLatencyProbe *probe);
/* { "stroke": { "n": …, "p50_us": …, "p95_us": …, "p99_us": …, "max_us": … }, … }. g_free. */
char *fs_latency_probe_to_json (FsLatencyProbe *probe);

G_END_DECLS

#endif
