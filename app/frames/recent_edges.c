/* SPDX-License-Identifier: MIT */
#include "app/frames/recent_edges.h"

#include "app/export/export_edge.h"
#include "app/frames/follow/frame_strokes.h"
#include "app/frames/steady_alpha.h"

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
  GQueue previous; /* of RecentEdge, the newest first */
  RecentEdge *now; /* or NULL */
};

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

void
fs_recent_edges_free (FsRecentEdges *self)
{
  if (!self)
    return;
  fs_recent_edges_forget (self);
  g_clear_pointer (&self->now, recent_edge_free);
  g_free (self);
}

/* ---- The frames before ---- */

void
fs_recent_edges_forget (FsRecentEdges *self)
{
  g_queue_clear_full (&self->previous, recent_edge_free);
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
  self->now = g_new0 (RecentEdge, 1);
  self->now->frame = fs_frame_ref (frame);
  self->now->strokes = strokes;
  self->now->strokes.sum = self->now->sum = g_strdup (strokes.sum);
}

void
fs_recent_edges_end (FsRecentEdges *self)
{
  g_return_if_fail (self && self->now);
  g_queue_push_head (&self->previous, g_steal_pointer (&self->now));
  while (self->previous.length > FS_STEADY_ALPHA_MAX)
    recent_edge_free (g_queue_pop_tail (&self->previous));
}

void
fs_recent_edges_append_sums (const FsRecentEdges *self, GString *all)
{
  g_return_if_fail (self && all);
  for (GList *at = self->previous.head; at; at = at->next) {
    const RecentEdge *edge = at->data;
    g_string_append_printf (all, "\n%s %s %s", edge->frame->sum,
                            fs_frames_folder_get_sum (self->masks, edge->frame),
                            edge->sum ? edge->sum : "");
  }
}

/* ---- Edges ---- */

static gboolean
fail_for_memory (const RecentEdge *edge, GError **error)
{
  return fs_frames_fail (error, FS_FRAMES_ERROR_FRAME, edge->frame->path, "not enough memory");
}

/* Fills the alpha of a frame whose picture and mask are there, and `words`, which may be NULL. */
static gboolean
compute_alone (const FsRecentEdges *self, RecentEdge *edge, const uint8_t *marks, uint32_t *words,
               GError **error)
{
  const FsImage *image = edge->image;
  const gsize width = (gsize)image->width;
  const FsExport what = { .image = edge->image,
                          .mask = edge->mask,
                          .kind = FS_EXPORT_CUTOUT,
                          .edge = self->cutouts->edge,
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
load_edge (const FsRecentEdges *self, RecentEdge *edge, GError **error)
{
  if (edge->alpha)
    return TRUE;
  g_autofree uint8_t *marks = NULL;
  if (!edge->image && !(edge->image = fs_frame_load (edge->frame, NULL, error)))
    return FALSE;
  if (!edge->mask
      && !(edge->mask = fs_frames_folder_read (self->masks, edge->frame, edge->image, error)))
    return FALSE;
  if (edge->strokes.path) {
    g_autoptr (FsFrameStrokes) strokes =
        edge->strokes.is_session
            ? fs_frame_strokes_load_session (edge->strokes.path, edge->frame, edge->image,
                                             self->photo, error)
            : fs_frame_strokes_load_seeds (edge->strokes.path, edge->image, error);
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
