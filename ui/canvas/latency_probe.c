/* SPDX-License-Identifier: MIT */
#include "ui/canvas/latency_probe.h"

#include <string.h>

/* The newest posts; masks arrive for one of them. */
enum { N_POSTS = 256 };

/* Kinds that have events. */
enum { STROKE, VIEW, N_EVENTS };

typedef struct {
  gint64 samples[FS_LATENCY_SAMPLES]; /* a ring */
  guint64 n;
  gint64 max_us;
} Series;

typedef struct {
  gint64 event_us; /* its oldest event */
  gint64 end_us;   /* when the document had it */
} Post;

typedef struct {
  GSource source;
  FsLatencyProbe *probe;
} Watch;

struct _FsLatencyProbe {
  Series series[FS_N_LATENCIES];
  GArray *events[N_EVENTS];  /* of gint64: times of events not yet posted */
  GArray *waiting[N_EVENTS]; /* of gint64: times of events whose frame is not done */
  gint64 mask_us;            /* the same for a mask: the time of its event; 0: none */
  Post posts[N_POSTS];       /* a ring */
  guint n_posts;
  gint64 woken_us; /* since then the main loop has been working; 0 while it waits */
  GSource *watch;
};

static const char *const names[FS_N_LATENCIES] = { "stroke", "mask", "view", "main_loop" };

static void
add_sample (FsLatencyProbe *probe, FsLatencyKind kind, gint64 us)
{
  Series *series = &probe->series[kind];
  series->samples[series->n++ % FS_LATENCY_SAMPLES] = us;
  series->max_us = MAX (series->max_us, us);
}

/* ---- The main loop ---- */

/* Called before the loop waits, when all pending work is done. */
static gboolean
prepare_watch (GSource *source, int *timeout)
{
  FsLatencyProbe *probe = ((Watch *)source)->probe;
  if (probe->woken_us != 0)
    add_sample (probe, FS_LATENCY_MAIN_LOOP, g_get_monotonic_time () - probe->woken_us);
  probe->woken_us = 0;
  *timeout = -1;
  return FALSE;
}

static gboolean
check_watch (GSource *source)
{
  ((Watch *)source)->probe->woken_us = g_get_monotonic_time ();
  return FALSE;
}

static gboolean
dispatch_watch (GSource *source, GSourceFunc callback, gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static GSource *
watch_new (FsLatencyProbe *probe)
{
  static GSourceFuncs funcs = { .prepare = prepare_watch,
                                .check = check_watch,
                                .dispatch = dispatch_watch };
  GSource *source = g_source_new (&funcs, sizeof (Watch));
  ((Watch *)source)->probe = probe;
  g_source_set_static_name (source, "fretsaw latency probe");
  /* The loop does not prepare sources of a lower priority than one that is ready. */
  g_source_set_priority (source, G_MININT);
  g_source_attach (source, NULL);
  return source;
}

FsLatencyProbe *
fs_latency_probe_new (void)
{
  FsLatencyProbe *probe = g_new0 (FsLatencyProbe, 1);
  for (int i = 0; i < N_EVENTS; i++) {
    probe->events[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
    probe->waiting[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
  }
  probe->watch = watch_new (probe);
  return probe;
}

void
fs_latency_probe_free (FsLatencyProbe *probe)
{
  if (probe == NULL)
    return;
  g_source_destroy (probe->watch);
  g_source_unref (probe->watch);
  for (int i = 0; i < N_EVENTS; i++) {
    g_array_unref (probe->events[i]);
    g_array_unref (probe->waiting[i]);
  }
  g_free (probe);
}

/* ---- From event to frame ---- */

void
fs_latency_probe_note_event (FsLatencyProbe *probe, FsLatencyKind kind)
{
  gint64 now = g_get_monotonic_time ();
  g_array_append_val (probe->events[kind == FS_LATENCY_VIEW ? VIEW : STROKE], now);
}

/* Moves events, whose effects will be in the next frame, to `waiting`. */
static void
take_events (FsLatencyProbe *probe, int i)
{
  GArray *events = probe->events[i];
  g_array_append_vals (probe->waiting[i], events->data, events->len);
  g_array_set_size (events, 0);
}

void
fs_latency_probe_note_posted (FsLatencyProbe *probe)
{
  const GArray *events = probe->events[STROKE];
  if (events->len == 0)
    return;
  probe->posts[probe->n_posts++ % N_POSTS] =
      (Post){ g_array_index (events, gint64, 0), g_get_monotonic_time () };
  take_events (probe, STROKE);
}

/* The first post that ended at or after `posted_us`; the beginning of a stroke has no post of its
 * own. */
static const Post *
find_post (const FsLatencyProbe *probe, gint64 posted_us)
{
  const Post *found = NULL;
  for (guint i = 0; i < MIN (probe->n_posts, N_POSTS); i++) {
    const Post *post = &probe->posts[i];
    if (post->end_us >= posted_us && (found == NULL || post->end_us < found->end_us))
      found = post;
  }
  return found;
}

void
fs_latency_probe_note_mask (FsLatencyProbe *probe, gint64 edit_us)
{
  if (edit_us == 0 || probe->mask_us != 0)
    return;
  const Post *post = find_post (probe, edit_us);
  if (post != NULL)
    probe->mask_us = post->event_us;
}

void
fs_latency_probe_note_painted (FsLatencyProbe *probe)
{
  static const FsLatencyKind kinds[N_EVENTS] = { FS_LATENCY_STROKE, FS_LATENCY_VIEW };
  gint64 now = g_get_monotonic_time ();
  take_events (probe, VIEW);
  for (int i = 0; i < N_EVENTS; i++) {
    for (guint k = 0; k < probe->waiting[i]->len; k++)
      add_sample (probe, kinds[i], now - g_array_index (probe->waiting[i], gint64, k));
    g_array_set_size (probe->waiting[i], 0);
  }
  if (probe->mask_us != 0)
    add_sample (probe, FS_LATENCY_MASK, now - probe->mask_us);
  probe->mask_us = 0;
}

/* ---- Results ---- */

const char *
fs_latency_probe_name (FsLatencyKind kind)
{
  g_return_val_if_fail (kind < FS_N_LATENCIES, NULL);
  return names[kind];
}

static int
compare_latencies (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
  return (x > y) - (x < y);
}

static gint64
percentile_of (const gint64 *sorted, guint n, guint percent)
{
  return sorted[(n * percent + 99) / 100 - 1];
}

FsLatencyQuantiles
fs_latency_probe_sum_up (FsLatencyProbe *probe, FsLatencyKind kind)
{
  const Series *series = &probe->series[kind];
  guint n = (guint)MIN (series->n, FS_LATENCY_SAMPLES);
  if (n == 0)
    return (FsLatencyQuantiles){ 0 };
  g_autofree gint64 *sorted = g_memdup2 (series->samples, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_latencies);
  return (FsLatencyQuantiles){ .n = series->n,
                               .p50_us = percentile_of (sorted, n, 50),
                               .p95_us = percentile_of (sorted, n, 95),
                               .p99_us = percentile_of (sorted, n, 99),
                               .max_us = series->max_us };
}

void
fs_latency_probe_reset (FsLatencyProbe *probe)
{
  memset (probe->series, 0, sizeof probe->series);
  probe->woken_us = 0;
}

char *
fs_latency_probe_to_json (FsLatencyProbe *probe)
{
  GString *json = g_string_new ("{");
  for (int kind = 0; kind < FS_N_LATENCIES; kind++) {
    FsLatencyQuantiles q = fs_latency_probe_sum_up (probe, (FsLatencyKind)kind);
    g_string_append_printf (json,
                            "%s\n  \"%s\": { \"n\": %" G_GUINT64_FORMAT
                            ", \"p50_us\": %" G_GINT64_FORMAT ", \"p95_us\": %" G_GINT64_FORMAT
                            ", \"p99_us\": %" G_GINT64_FORMAT ", \"max_us\": %" G_GINT64_FORMAT
                            " }",
                            kind > 0 ? "," : "", names[kind], q.n, q.p50_us, q.p95_us, q.p99_us,
                            q.max_us);
  }
  g_string_append (json, "\n}\n");
  return g_string_free (json, FALSE);
}
