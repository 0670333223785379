/* SPDX-License-Identifier: MIT */
#include "app/frames/recent_edges.h"

#include "app/export/export_edge.h"
#include "app/frames/follow/frame_strokes.h"
#include "app/frames/moved_zones.h"
#include "app/frames/steady_alpha.h"
#include "app/session/session.h"

#include <string.h>

typedef struct {
  FsFrame *frame;
  FsRecentStrokes strokes;
  char *sum;             /* of the strokes, or NULL */
  FsImage *image;        /* this and the planes: NULL until needed */
  uint8_t *mask, *alpha; /* the alpha of this frame by itself */
} RecentEdge;

struct FsRecentEdges {
  const FsFramesFolder *masks, *cutouts;
  const char *photo;
  GQueue previous;     /* of RecentEdge, the newest first */
  RecentEdge *now;     /* or NULL */
  RecentEdge *painted; /* the last one with a session, if that has zones; or NULL */
  FsMovedZones *zones; /* of it; NULL until needed */
};

static RecentEdge *
recent_edge_new (FsFrame *frame, FsRecentStrokes strokes)
{
  RecentEdge *edge = g_new0 (RecentEdge, 1);
  edge->frame = fs_frame_ref (frame);
  edge->strokes = strokes;
  edge->strokes.sum = edge->sum = g_strdup (strokes.sum);
  return edge;
}

static void
recent_edge_free (gpointer data)
{
  RecentEdge *edge = data;
  fs_frame_unref (edge->frame);
  fs_image_unref (edge->image);
  g_free (edge->sum);
  g_free (edge->mask);
  g_free (edge->alpha);
  g_free (edge);
}

FsRecentEdges *
fs_recent_edges_new (const FsFramesFolder *masks, const FsFramesFolder *cutouts, const char *photo)
{
  g_return_val_if_fail (masks && cutouts, NULL);
  FsRecentEdges *self = g_new0 (FsRecentEdges, 1);
  self->masks = masks;
  self->cutouts = cutouts;
  self->photo = photo;
  g_queue_init (&self->previous);
  return self;
}

static void
forget_zones (FsRecentEdges *self)
{
  g_clear_pointer (&self->painted, recent_edge_free);
  g_clear_pointer (&self->zones, fs_moved_zones_free);
}

void
fs_recent_edges_free (FsRecentEdges *self)
{
  if (!self)
    return;
  fs_recent_edges_forget (self);
  forget_zones (self);
  g_clear_pointer (&self->now, recent_edge_free);
  g_free (self);
}

/* ---- The frames before ---- */

void
fs_recent_edges_forget (FsRecentEdges *self)
{
  g_queue_clear_full (&self->previous, recent_edge_free);
}

/* A session that cannot be read fails when the frame is cut. */
static gboolean
has_zones (const char *path)
{
  g_autoptr (FsSession) session = fs_session_read (path, NULL);
  for (guint i = 0; session && i < session->edge->len; i++)
    if (((const FsEdgeEdit *)session->edge->pdata[i])->zone)
      return TRUE;
  return FALSE;
}

void
fs_recent_edges_begin (FsRecentEdges *self, FsFrame *frame, FsRecentStrokes strokes)
{
  g_return_if_fail (self && frame);
  const RecentEdge *last = g_queue_peek_head (&self->previous);
  /* A frame without a mask has not been added. */
  if (strokes.path || (last && last->frame->number + 1 != frame->number))
    fs_recent_edges_forget (self);
  g_clear_pointer (&self->now, recent_edge_free);
  self->now = recent_edge_new (frame, strokes);
  /* The frame that was painted on may have got no mask. */
  if (self->painted && !fs_frames_folder_get_sum (self->masks, self->painted->frame))
    forget_zones (self);
  if (!strokes.path || !strokes.is_session)
    return;
  forget_zones (self);
  if (has_zones (strokes.path))
    self->painted = recent_edge_new (frame, strokes);
}

gboolean
fs_recent_edges_has_zones (const FsRecentEdges *self)
{
  return self->painted != NULL;
}

void
fs_recent_edges_end (FsRecentEdges *self)
{
  g_return_if_fail (self && self->now);
  g_queue_push_head (&self->previous, g_steal_pointer (&self->now));
  while (self->previous.length > FS_STEADY_ALPHA_MAX)
    recent_edge_free (g_queue_pop_tail (&self->previous));
}

static void
append_sum (const FsRecentEdges *self, const RecentEdge *edge, GString *all)
{
  g_string_append_printf (all, "\n%s %s %s", edge->frame->sum,
                          fs_frames_folder_get_sum (self->masks, edge->frame),
                          edge->sum ? edge->sum : "");
}

void
fs_recent_edges_append_sums (const FsRecentEdges *self, GString *all)
{
  g_return_if_fail (self && all);
  for (GList *at = self->previous.head; at; at = at->next)
    append_sum (self, at->data, all);
  if (self->painted) {
    g_string_append (all, "\nzones");
    append_sum (self, self->painted, all);
  }
}

/* ---- Edges ---- */

static gboolean
fail_for_memory (const RecentEdge *edge, GError **error)
{
  return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, edge->frame->path, "not enough memory");
}

static gboolean
load_picture (const FsRecentEdges *self, RecentEdge *edge, GError **error)
{
  if (!edge->image && !(edge->image = fs_frame_load (edge->frame, NULL, error)))
    return FALSE;
  if (!edge->mask)
    edge->mask = fs_frames_folder_read (self->masks, edge->frame, edge->image, error);
  return edge->mask != NULL;
}

static FsFrameStrokes *
load_strokes (const FsRecentEdges *self, const RecentEdge *edge, GError **error)
{
  return edge->strokes.is_session
             ? fs_frame_strokes_load_session (edge->strokes.path, edge->frame, edge->image,
                                              self->photo, error)
             : fs_frame_strokes_load_seeds (edge->strokes.path, edge->image, error);
}

/* The zones of the frame that they were painted on. */
static gboolean
load_zones (FsRecentEdges *self, GError **error)
{
  RecentEdge *painted = self->painted;
  if (self->zones)
    return TRUE;
  if (!load_picture (self, painted, error))
    return FALSE;
  g_autoptr (FsFrameStrokes) strokes = load_strokes (self, painted, error);
  if (!strokes)
    return FALSE;
  g_autofree uint8_t *zones = fs_frame_strokes_paint_zones (strokes, painted->image);
  self->zones = zones ? fs_moved_zones_new (painted->image, painted->mask, zones) : NULL;
  return self->zones || fail_for_memory (painted, error);
}

/* Finds the zones of a frame whose picture and mask are there; NULL: there are none. */
static gboolean
find_zones (FsRecentEdges *self, const RecentEdge *edge, uint8_t **zones, GError **error)
{
  *zones = NULL;
  if (!self->painted)
    return TRUE;
  if (!load_zones (self, error))
    return FALSE;
  *zones = fs_moved_zones_place (self->zones, edge->image, edge->mask);
  return *zones || fail_for_memory (edge, error);
}

/* Fills the alpha of a frame whose picture and mask are there, and `words`, which may be NULL. */
static gboolean
compute_alone (FsRecentEdges *self, RecentEdge *edge, const uint8_t *marks, uint32_t *words,
               GError **error)
{
  const FsImage *image = edge->image;
  const gsize width = (gsize)image->width;
  g_autofree uint8_t *zones = NULL;
  if (!find_zones (self, edge, &zones, error))
    return FALSE;
  const FsExport what = { .image = edge->image,
                          .mask = edge->mask,
                          .kind = FS_EXPORT_CUTOUT,
                          .edge = self->cutouts->edge,
                          .zones = zones,
                          .marks = marks };
  g_autoptr (FsExportEdge) rows =
      fs_export_edge_new (&what, (FsRect){ 0, 0, image->width, image->height });
  g_free (edge->alpha);
  edge->alpha = g_try_malloc (width * (gsize)image->height);
  for (int y = 0; y < image->height; y++) {
    const uint32_t *row = rows && edge->alpha ? fs_export_edge_get_row (rows, y) : NULL;
    if (!row) {
      g_clear_pointer (&edge->alpha, g_free);
      return fail_for_memory (edge, error);
    }
    for (gsize x = 0; x < width; x++)
      edge->alpha[(gsize)y * width + x] = FS_PIXEL_A (row[x]);
    if (words)
      memcpy (words + (gsize)y * width, row, width * sizeof *words);
  }
  return TRUE;
}

/* A frame before, from what has been written. */
static gboolean
load_edge (FsRecentEdges *self, RecentEdge *edge, GError **error)
{
  if (edge->alpha)
    return TRUE;
  g_autofree uint8_t *marks = NULL;
  if (!load_picture (self, edge, error))
    return FALSE;
  if (edge->strokes.path) {
    g_autoptr (FsFrameStrokes) strokes = load_strokes (self, edge, error);
    if (!strokes)
      return FALSE;
    if (!(marks = fs_frame_strokes_paint (strokes, edge->image)))
      return fail_for_memory (edge, error);
  }
  return compute_alone (self, edge, marks, NULL, error);
}

static FsSteadyFrame
describe (const RecentEdge *edge)
{
  return (FsSteadyFrame){ .image = edge->image, .mask = edge->mask, .alpha = edge->alpha };
}

uint32_t *
fs_recent_edges_make (FsRecentEdges *self, const FsFramesPicture *picture, GError **error)
{
  g_return_val_if_fail (self && self->now && picture, NULL);
  RecentEdge *now = self->now;
  const gsize n_pixels = (gsize)picture->image->width * (gsize)picture->image->height;
  g_autofree uint32_t *words = g_try_malloc_n (n_pixels, sizeof *words);
  if (!now->image)
    now->image = fs_image_ref (picture->image);
  if (!now->mask && (now->mask = g_try_malloc (n_pixels)))
    memcpy (now->mask, picture->mask, n_pixels);
  if (!words || !now->mask) {
    fail_for_memory (now, error);
    return NULL;
  }
  if (!compute_alone (self, now, picture->marks, words, error))
    return NULL;
  FsSteadyFrame previous[FS_STEADY_ALPHA_MAX];
  int n = 0;
  for (GList *at = self->previous.head; at; at = at->next) {
    if (!load_edge (self, at->data, error))
      return NULL;
    previous[n++] = describe (at->data);
  }
  const FsSteadyFrame frame = describe (now);
  fs_steady_alpha_average (&frame, previous, n, picture->marks, words);
  return g_steal_pointer (&words);
}
