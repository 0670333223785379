/* SPDX-License-Identifier: MIT */
#include "app/edge/live_edge.h"

#include "app/edge/edge_job.h"
#include "app/files/task_source.h"
#include "app/live/document_edge.h"

#include <stdbool.h>
#include <string.h>

enum { PLANE_MASK = 1, PLANE_MARKS = 2, PLANE_ZONES = 4 };

struct _FsLiveEdge {
  GObject parent_instance;

  FsDocument *document; /* NULL after closing */
  FsEdgePlanes planes;  /* the worker's, while there is a job */
  gboolean has_planes;  /* FALSE where memory was short */
  gsize n_tiles;
  FsEdgeSettings settings; /* of the document, when it was looked at last */

  /* For each tile; rectangles lie in it and are mostly empty. */
  uint8_t *stale;     /* PLANE_…: planes that may differ from the document's         */
  FsRect *dirty;      /* pixels whose words may be others                            */
  FsRect *changed;    /* since planes.alpha was computed                             */
  FsEdgeTile **words; /* NULL: as mask and photo have it. The worker reads them, too */

  FsEdgeJob *job;
  gboolean stuck; /* the last job had no memory: another edit tries again */
  gboolean busy;
  GSource *start;
  GArray *rects; /* of FsRect, scratch for "updated" */
};

G_STATIC_ASSERT (sizeof (FsEdgeTile)
                 <= (FS_LIVE_EDGE_BYTES_PER_PIXEL - 4) * FS_EDGE_TILE * FS_EDGE_TILE);

enum { PROP_BUSY = 1, N_PROPS };
static GParamSpec *props[N_PROPS];
enum { UPDATED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsLiveEdge, fs_live_edge, G_TYPE_OBJECT)

/* --- tiles ------------------------------------------------------------------------------------ */

static void
mark_stale (FsLiveEdge *self, FsRect rect, uint8_t plane)
{
  const FsEdgePlanes *p = &self->planes;
  for (int ty = MAX (rect.y0, 0) / FS_EDGE_TILE; ty < p->rows && ty * FS_EDGE_TILE < rect.y1; ty++)
    for (int tx = MAX (rect.x0, 0) / FS_EDGE_TILE; tx < p->columns && tx * FS_EDGE_TILE < rect.x1;
         tx++)
      self->stale[ty * p->columns + tx] |= plane;
}

static gboolean
has_work (FsLiveEdge *self)
{
  for (gsize i = 0; i < self->n_tiles; i++)
    if (self->stale[i] || !fs_rect_is_empty (self->dirty[i]))
      return TRUE;
  return FALSE;
}

static void
update_busy (FsLiveEdge *self)
{
  gboolean busy =
      self->document && self->has_planes && (self->job || (!self->stuck && has_work (self)));
  if (busy == self->busy)
    return;
  self->busy = busy;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_BUSY]);
}

/* Neighbouring tiles of a row become one rectangle. */
static void
emit_updated (FsLiveEdge *self, const uint8_t *tiles)
{
  const FsEdgePlanes *p = &self->planes;
  g_array_set_size (self->rects, 0);
  for (int i = 0; i < (int)self->n_tiles; i++) {
    if (!tiles[i])
      continue;
    FsRect r = fs_edge_planes_tile (p, i);
    while ((i + 1) % p->columns != 0 && tiles[i + 1])
      r = fs_rect_union (r, fs_edge_planes_tile (p, ++i));
    g_array_append_val (self->rects, r);
  }
  if (self->rects->len > 0)
    g_signal_emit (self, signals[UPDATED], 0, self->rects->data, self->rects->len);
}

/* --- the worker ------------------------------------------------------------------------------- */

static void
note_difference (FsLiveEdge *self, FsRect rect)
{
  fs_edge_planes_add (&self->planes, self->changed, rect, 0);
  fs_edge_planes_add (&self->planes, self->dirty, rect, fs_edge_get_radius (&self->settings));
}

/* Takes over what differs in a tile. */
static void
copy_tile (FsLiveEdge *self, int i, uint8_t *to, const uint8_t *from)
{
  const FsEdgePlanes *p = &self->planes;
  const FsRect r = fs_edge_planes_compare (p, i, to, from);
  for (int y = r.y0; y < r.y1; y++) {
    const gsize at = (gsize)y * (gsize)p->image->width + (gsize)r.x0;
    memcpy (to + at, from + at, (gsize)(r.x1 - r.x0));
  }
  note_difference (self, r);
}

/* The same for a plane that has become empty. */
static void
clear_tile (FsLiveEdge *self, int i, uint8_t *to)
{
  const FsEdgePlanes *p = &self->planes;
  const FsRect r = fs_edge_planes_tile (p, i);
  uint8_t any = 0;
  for (int y = r.y0; y < r.y1; y++)
    for (int x = r.x0; x < r.x1; x++) {
      uint8_t *pixel = to + (gsize)y * (gsize)p->image->width + (gsize)x;
      any |= *pixel;
      *pixel = 0;
    }
  if (any)
    note_difference (self, r);
}

/* FALSE where there is no memory for the zones. */
static gboolean
copy_planes (FsLiveEdge *self)
{
  FsEdgePlanes *p = &self->planes;
  const uint8_t *mask = fs_document_get_mask (self->document);
  const uint8_t *marks = fs_document_get_marks (self->document);
  const uint8_t *zones = fs_document_get_zones (self->document);
  if (zones && !p->zones)
    p->zones = g_try_malloc0 ((gsize)p->image->width * (gsize)p->image->height);
  if (zones && !p->zones)
    return FALSE;
  for (int i = 0; i < (int)self->n_tiles; i++) {
    if (self->stale[i] & PLANE_MASK)
      copy_tile (self, i, p->mask, mask);
    if (self->stale[i] & PLANE_MARKS)
      copy_tile (self, i, p->marks, marks);
    if (zones && self->stale[i] & PLANE_ZONES)
      copy_tile (self, i, p->zones, zones);
    else if (p->zones && self->stale[i] & PLANE_ZONES)
      clear_tile (self, i, p->zones);
    self->stale[i] = 0;
  }
  return TRUE;
}

static gboolean
are_equal (const FsEdgeTile *a, const FsEdgeTile *b)
{
  return a == b || (a && b && memcmp (a, b, sizeof *a) == 0);
}

/* Most dirty tiles come out as they were. Afterwards `done` has those that look different. */
static void
take_words (FsLiveEdge *self, FsEdgeJob *job)
{
  for (gsize i = 0; i < self->n_tiles; i++) {
    if (!job->done[i])
      self->dirty[i] = fs_rect_union (self->dirty[i], job->dirty[i]);
    if (!job->has_alpha)
      self->changed[i] = fs_rect_union (self->changed[i], job->changed[i]);
    if (!job->done[i])
      continue;
    job->done[i] = !are_equal (self->words[i], job->words[i]);
    g_free (self->words[i]);
    self->words[i] = g_steal_pointer (&job->words[i]);
  }
}

static void start_later (FsLiveEdge *self);

static void
on_job_done (GObject *source, GAsyncResult *result, gpointer data)
{
  FsLiveEdge *self = FS_LIVE_EDGE (source);
  FsEdgeJob *job = g_steal_pointer (&self->job);
  take_words (self, job);
  gboolean was_cancelled = atomic_load (&job->cancel);
  self->stuck = !was_cancelled && has_work (self);
  if (self->document)
    emit_updated (self, job->done);
  fs_edge_job_free (job);
  start_later (self);
  update_busy (self);
}

static void
run_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  fs_edge_job_run (data);
  g_task_return_boolean (task, TRUE);
}

/* Previews are about to be replaced, and a growing stroke changes the mask again. */
static gboolean
can_start (FsLiveEdge *self)
{
  FsDocumentStatus status = fs_document_get_status (self->document);
  return !fs_document_is_drawing (self->document) && (status.exact || !status.has_mask);
}

static gboolean
start_job (gpointer data)
{
  FsLiveEdge *self = data;
  g_clear_pointer (&self->start, g_source_unref);
  if (!self->document || self->job || self->stuck || !has_work (self) || !can_start (self))
    return G_SOURCE_REMOVE;
  if (!copy_planes (self)) {
    self->stuck = TRUE;
    update_busy (self);
    return G_SOURCE_REMOVE;
  }
  self->job = fs_edge_job_new (&self->planes);
  self->job->settings = self->settings;
  self->job->previous = self->words;
  self->job->has_zones = fs_document_get_zones (self->document) != NULL;
  memcpy (self->job->dirty, self->dirty, self->n_tiles * sizeof (FsRect));
  memcpy (self->job->changed, self->changed, self->n_tiles * sizeof (FsRect));
  memset (self->dirty, 0, self->n_tiles * sizeof (FsRect));
  memset (self->changed, 0, self->n_tiles * sizeof (FsRect));
  g_autoptr (GTask) task = g_task_new (self, NULL, on_job_done, NULL);
  g_task_set_source_tag (task, start_job);
  g_task_set_task_data (task, self->job, NULL);
  fs_task_hold_source (task);
  g_task_run_in_thread (task, run_in_thread);
  update_busy (self);
  return G_SOURCE_REMOVE;
}

static void
start_later (FsLiveEdge *self)
{
  if (self->start || self->job || !self->document || !has_work (self))
    return;
  self->start = g_idle_source_new ();
  g_source_set_callback (self->start, start_job, self, NULL);
  g_source_attach (self->start, g_main_context_get_thread_default ());
}

/* --- the document ----------------------------------------------------------------------------- */

static void
note_change (FsLiveEdge *self, const FsRect *rects, guint n_rects, uint8_t plane)
{
  if (!self->has_planes)
    return;
  for (guint i = 0; i < n_rects; i++)
    mark_stale (self, rects[i], plane);
  self->stuck = FALSE;
  if (self->job)
    atomic_store (&self->job->cancel, true);
  start_later (self);
  update_busy (self);
}

static void
on_mask_updated (FsLiveEdge *self, const FsRect *rects, guint n_rects)
{
  note_change (self, rects, n_rects, PLANE_MASK);
}

static void
on_marks_updated (FsLiveEdge *self, const FsRect *rect)
{
  note_change (self, rect, 1, PLANE_MARKS);
}

static void
take_settings (FsLiveEdge *self)
{
  const FsEdgeSettings before = self->settings;
  self->settings = fs_document_get_edge_settings (self->document);
  if (fs_edge_settings_equal (&before, &self->settings) || !self->has_planes)
    return;
  const FsImage *image = self->planes.image;
  const FsRect whole = { 0, 0, image->width, image->height };
  fs_edge_planes_add (&self->planes, self->dirty, whole, 0);
  if (before.specks_px != self->settings.specks_px || before.holes_px != self->settings.holes_px)
    fs_edge_planes_add (&self->planes, self->changed, whole, 0);
}

/* An empty rectangle is a change of settings. */
static void
on_edge_changed (FsLiveEdge *self, const FsRect *rect)
{
  take_settings (self);
  note_change (self, rect, fs_rect_is_empty (*rect) ? 0 : 1, PLANE_ZONES);
}

/* --- what it is ------------------------------------------------------------------------------- */

gboolean
fs_live_edge_is_busy (FsLiveEdge *self)
{
  g_return_val_if_fail (FS_IS_LIVE_EDGE (self), FALSE);
  return self->busy;
}

static const FsEdgeTile *
tile_at (FsLiveEdge *self, int x, int y)
{
  return self->has_planes ? self->words[y / FS_EDGE_TILE * self->planes.columns + x / FS_EDGE_TILE]
                          : NULL;
}

void
fs_live_edge_read_row (FsLiveEdge *self, int y, int x0, int x1, uint32_t *words)
{
  g_return_if_fail (FS_IS_LIVE_EDGE (self) && self->document);

  const FsImage *image = fs_document_get_image (self->document);
  const gsize row = (gsize)y * (gsize)image->width;
  const uint8_t *mask = fs_document_get_mask (self->document) + row;
  const uint32_t *pixels = image->pixels + row;
  for (int x = x0; x < x1;) {
    const FsEdgeTile *tile = tile_at (self, x, y);
    const int left = x / FS_EDGE_TILE * FS_EDGE_TILE, end = MIN (left + FS_EDGE_TILE, x1);
    const int j = y % FS_EDGE_TILE;
    const uint64_t bits = tile ? tile->mask[j] : 0;
    const uint32_t *kept = tile ? tile->words + j * FS_EDGE_TILE - left : NULL;
    for (; x < end; x++) {
      const gboolean is_object = mask[x] != 0;
      const gboolean is_kept = tile && (bits >> (x - left) & 1) == (is_object ? 1u : 0u);
      *words++ = is_kept ? kept[x] : (pixels[x] & 0xffffffu) | (is_object ? 0xff000000u : 0);
    }
  }
}

gboolean
fs_live_edge_has_words (FsLiveEdge *self, FsRect rect)
{
  g_return_val_if_fail (FS_IS_LIVE_EDGE (self), FALSE);

  for (int y = rect.y0 / FS_EDGE_TILE * FS_EDGE_TILE; y < rect.y1; y += FS_EDGE_TILE)
    for (int x = rect.x0 / FS_EDGE_TILE * FS_EDGE_TILE; x < rect.x1; x += FS_EDGE_TILE)
      if (tile_at (self, x, y))
        return TRUE;
  return FALSE;
}

guint
fs_live_edge_count_tiles (FsLiveEdge *self)
{
  g_return_val_if_fail (FS_IS_LIVE_EDGE (self), 0);

  guint n = 0;
  for (gsize i = 0; i < self->n_tiles; i++)
    n += self->words[i] != NULL;
  return n;
}

void
fs_live_edge_close (FsLiveEdge *self)
{
  g_return_if_fail (FS_IS_LIVE_EDGE (self));

  if (self->job)
    atomic_store (&self->job->cancel, true);
  if (self->start)
    g_source_destroy (self->start);
  g_clear_pointer (&self->start, g_source_unref);
  if (self->document)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
}

FsLiveEdge *
fs_live_edge_new (FsDocument *document)
{
  g_return_val_if_fail (FS_IS_DOCUMENT (document), NULL);

  FsLiveEdge *self = g_object_new (FS_TYPE_LIVE_EDGE, NULL);
  FsImage *image = fs_document_get_image (document);
  self->document = g_object_ref (document);
  self->has_planes = fs_edge_planes_init (&self->planes, image);
  self->n_tiles = (gsize)self->planes.columns * (gsize)self->planes.rows;
  self->stale = g_malloc0 (self->n_tiles);
  self->dirty = g_new0 (FsRect, self->n_tiles);
  self->changed = g_new0 (FsRect, self->n_tiles);
  self->words = g_new0 (FsEdgeTile *, self->n_tiles);
  take_settings (self);
  const FsRect whole = { 0, 0, image->width, image->height };
  note_change (self, &whole, 1, PLANE_MASK | PLANE_MARKS | PLANE_ZONES);
  g_signal_connect_object (document, "mask-updated", G_CALLBACK (on_mask_updated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "marks-updated", G_CALLBACK (on_marks_updated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "edge-changed", G_CALLBACK (on_edge_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "status-changed", G_CALLBACK (start_later), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "edited", G_CALLBACK (start_later), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fs_live_edge_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, FS_LIVE_EDGE (object)->busy);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fs_live_edge_dispose (GObject *object)
{
  fs_live_edge_close (FS_LIVE_EDGE (object));
  G_OBJECT_CLASS (fs_live_edge_parent_class)->dispose (object);
}

static void
fs_live_edge_finalize (GObject *object)
{
  FsLiveEdge *self = FS_LIVE_EDGE (object);
  for (gsize i = 0; i < self->n_tiles; i++)
    g_free (self->words[i]);
  g_free (self->words);
  g_free (self->stale);
  g_free (self->dirty);
  g_free (self->changed);
  fs_edge_planes_clear (&self->planes);
  g_array_unref (self->rects);
  G_OBJECT_CLASS (fs_live_edge_parent_class)->finalize (object);
}

static void
fs_live_edge_class_init (FsLiveEdgeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  object_class->get_property = fs_live_edge_get_property;
  object_class->dispose = fs_live_edge_dispose;
  object_class->finalize = fs_live_edge_finalize;

  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  props[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[UPDATED] = g_signal_new ("updated", FS_TYPE_LIVE_EDGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
}

static void
fs_live_edge_init (FsLiveEdge *self)
{
  self->rects = g_array_new (FALSE, FALSE, sizeof (FsRect));
}
