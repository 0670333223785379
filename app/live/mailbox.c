/* SPDX-License-Identifier: MIT */
#include "app/live/mailbox.h"

#include <string.h>

struct _FsMailbox {
  GMutex lock;
  int width, height;
  int columns, rows; /* of tiles                                        */
  uint8_t *mask;
  uint8_t *dirty; /* tiles not collected yet                            */
  uint8_t *fresh; /* the publisher's: tiles that the solver says changed */
  FsLiveState state;
  gboolean collected; /* the edits in `state` have been seen             */
  GError *error;
  guint64 failed_at; /* the generation of `error` */

  void (*wake) (gpointer user_data);
  gpointer user_data;
};

FsMailbox *
fs_mailbox_new (int width, int height, void (*wake) (gpointer user_data), gpointer user_data)
{
  g_autoptr (FsMailbox) mailbox = g_new0 (FsMailbox, 1);
  g_mutex_init (&mailbox->lock);
  mailbox->width = width;
  mailbox->height = height;
  mailbox->columns = (width + FS_MASK_TILE - 1) / FS_MASK_TILE;
  mailbox->rows = (height + FS_MASK_TILE - 1) / FS_MASK_TILE;
  mailbox->mask = g_try_malloc0 ((gsize)width * (gsize)height);
  if (!mailbox->mask)
    return NULL;
  mailbox->dirty = g_malloc0 ((gsize)mailbox->columns * (gsize)mailbox->rows);
  mailbox->fresh = g_malloc0 ((gsize)mailbox->columns * (gsize)mailbox->rows);
  mailbox->collected = TRUE;
  mailbox->wake = wake;
  mailbox->user_data = user_data;
  return g_steal_pointer (&mailbox);
}

void
fs_mailbox_free (FsMailbox *mailbox)
{
  if (!mailbox)
    return;
  g_mutex_clear (&mailbox->lock);
  g_clear_error (&mailbox->error);
  g_free (mailbox->mask);
  g_free (mailbox->dirty);
  g_free (mailbox->fresh);
  g_free (mailbox);
}

typedef struct {
  int x, y, width, height;
  size_t offset; /* of its first pixel in a plane */
} Tile;

static Tile
tile_at (const FsMailbox *mailbox, int i)
{
  Tile tile = { .x = i % mailbox->columns * FS_MASK_TILE,
                .y = i / mailbox->columns * FS_MASK_TILE };
  tile.width = MIN (FS_MASK_TILE, mailbox->width - tile.x);
  tile.height = MIN (FS_MASK_TILE, mailbox->height - tile.y);
  tile.offset = (size_t)tile.y * (size_t)mailbox->width + (size_t)tile.x;
  return tile;
}

static void
clear_mask (FsMailbox *mailbox)
{
  memset (mailbox->mask, 0, (size_t)mailbox->width * (size_t)mailbox->height);
  memset (mailbox->dirty, 1, (size_t)mailbox->columns * (size_t)mailbox->rows);
}

/* Copies a tile if it differs: a new solver publishes every tile, and few differ. */
static gboolean
copy_tile (FsMailbox *mailbox, Tile t, const uint8_t *pixels, size_t stride)
{
  gboolean differs = FALSE;
  for (int j = 0; j < t.height; j++) {
    uint8_t *row = mailbox->mask + t.offset + (size_t)j * (size_t)mailbox->width;
    if (memcmp (row, pixels + (size_t)j * stride, (size_t)t.width) == 0)
      continue;
    memcpy (row, pixels + (size_t)j * stride, (size_t)t.width);
    differs = TRUE;
  }
  return differs;
}

static void
copy_solver (FsMailbox *mailbox, FsSolver *solver)
{
  uint8_t pixels[FS_MASK_TILE * FS_MASK_TILE];
  for (int i = 0; i < mailbox->columns * mailbox->rows; i++) {
    if (!mailbox->fresh[i])
      continue;
    Tile t = tile_at (mailbox, i);
    fs_solver_read_mask (solver, t.x, t.y, t.width, t.height, pixels, FS_MASK_TILE);
    mailbox->dirty[i] |= (uint8_t)copy_tile (mailbox, t, pixels, FS_MASK_TILE);
  }
}

/* Copies a row if it differs; most do not, and reading both planes is the cost. */
static void
copy_row (FsMailbox *mailbox, int y, const uint8_t *from)
{
  int width = mailbox->width;
  uint8_t *to = mailbox->mask + (size_t)y * (size_t)width;
  uint8_t *dirty = mailbox->dirty + (ptrdiff_t)(y / FS_MASK_TILE) * mailbox->columns;
  if (memcmp (to, from, (size_t)width) == 0)
    return;
  for (int x = 0; x < width; x += FS_MASK_TILE)
    dirty[x / FS_MASK_TILE] |=
        memcmp (to + x, from + x, (size_t)MIN (FS_MASK_TILE, width - x)) != 0;
  memcpy (to, from, (size_t)width);
}

static void
copy_plane (FsMailbox *mailbox, const uint8_t *mask)
{
  for (int y = 0; y < mailbox->height; y++)
    copy_row (mailbox, y, mask + (size_t)y * (size_t)mailbox->width);
}

/* Under the lock. */
static void
set_state (FsMailbox *mailbox, const FsLiveState *state)
{
  g_warn_if_fail (state->generation >= mailbox->state.generation);
  gint64 oldest_us = mailbox->state.oldest_edit_us;
  mailbox->state = *state;
  if (!mailbox->collected && oldest_us != 0)
    mailbox->state.oldest_edit_us =
        state->oldest_edit_us != 0 ? MIN (oldest_us, state->oldest_edit_us) : oldest_us;
  mailbox->collected = FALSE;
}

void
fs_mailbox_publish (FsMailbox *mailbox, FsSolver *solver, gboolean whole, const FsLiveState *state)
{
  if (solver)
    fs_solver_take_changed_tiles (solver, mailbox->fresh);
  if (whole)
    memset (mailbox->fresh, 1, (size_t)mailbox->columns * (size_t)mailbox->rows);

  g_mutex_lock (&mailbox->lock);
  if (solver)
    copy_solver (mailbox, solver);
  else
    clear_mask (mailbox);
  set_state (mailbox, state);
  g_mutex_unlock (&mailbox->lock);
  mailbox->wake (mailbox->user_data);
}

void
fs_mailbox_publish_plane (FsMailbox *mailbox, const uint8_t *mask, const FsLiveState *state)
{
  g_mutex_lock (&mailbox->lock);
  copy_plane (mailbox, mask);
  set_state (mailbox, state);
  g_mutex_unlock (&mailbox->lock);
  mailbox->wake (mailbox->user_data);
}

void
fs_mailbox_post_error (FsMailbox *mailbox, const GError *error, guint64 generation)
{
  g_mutex_lock (&mailbox->lock);
  g_clear_error (&mailbox->error);
  mailbox->error = g_error_copy (error);
  mailbox->failed_at = generation;
  g_mutex_unlock (&mailbox->lock);
  mailbox->wake (mailbox->user_data);
}

static void
copy_dirty_tiles (FsMailbox *mailbox, uint8_t *mask)
{
  size_t stride = (size_t)mailbox->width;
  for (int i = 0; i < mailbox->columns * mailbox->rows; i++) {
    if (!mailbox->dirty[i])
      continue;
    Tile t = tile_at (mailbox, i);
    for (int j = 0; j < t.height; j++) {
      size_t row = t.offset + (size_t)j * stride;
      memcpy (mask + row, mailbox->mask + row, (size_t)t.width);
    }
  }
}

gboolean
fs_mailbox_collect (FsMailbox *mailbox, uint8_t *mask, uint8_t *tiles, FsLiveState *state,
                    GError **error)
{
  size_t n_tiles = (size_t)mailbox->columns * (size_t)mailbox->rows;
  g_mutex_lock (&mailbox->lock);
  copy_dirty_tiles (mailbox, mask);
  memcpy (tiles, mailbox->dirty, n_tiles);
  memset (mailbox->dirty, 0, n_tiles);
  mailbox->collected = TRUE;
  *state = mailbox->state;
  state->failed_at = mailbox->failed_at;
  GError *failure = g_steal_pointer (&mailbox->error);
  g_mutex_unlock (&mailbox->lock);

  if (failure)
    g_propagate_error (error, failure);
  return failure == NULL;
}
