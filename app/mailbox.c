/* SPDX-License-Identifier: MIT */
#include "app/mailbox.h"

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
};

FsMailbox *
fs_mailbox_new (int width, int height)
{
  FsMailbox *mailbox = g_new0 (FsMailbox, 1);
  g_mutex_init (&mailbox->lock);
  mailbox->width = width;
  mailbox->height = height;
  mailbox->columns = (width + FS_MASK_TILE - 1) / FS_MASK_TILE;
  mailbox->rows = (height + FS_MASK_TILE - 1) / FS_MASK_TILE;
  mailbox->mask = g_malloc0 ((gsize)width * (gsize)height);
  mailbox->dirty = g_malloc0 ((gsize)mailbox->columns * (gsize)mailbox->rows);
  mailbox->fresh = g_malloc0 ((gsize)mailbox->columns * (gsize)mailbox->rows);
  mailbox->collected = TRUE;
  return mailbox;
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

/* Copies a tile where it differs: after a change of solvers every tile is asked for and few have
 * changed. */
static gboolean
copy_tile (FsMailbox *mailbox, FsSolver *solver, Tile t)
{
  uint8_t pixels[FS_MASK_TILE * FS_MASK_TILE];
  fs_solver_read_mask (solver, t.x, t.y, t.width, t.height, pixels, FS_MASK_TILE);
  gboolean differs = FALSE;
  for (int j = 0; j < t.height; j++) {
    uint8_t *row = mailbox->mask + t.offset + (size_t)j * (size_t)mailbox->width;
    if (memcmp (row, pixels + j * FS_MASK_TILE, (size_t)t.width) == 0)
      continue;
    memcpy (row, pixels + j * FS_MASK_TILE, (size_t)t.width);
    differs = TRUE;
  }
  return differs;
}

static void
copy_fresh_tiles (FsMailbox *mailbox, FsSolver *solver)
{
  for (int i = 0; i < mailbox->columns * mailbox->rows; i++)
    if (mailbox->fresh[i] && copy_tile (mailbox, solver, tile_at (mailbox, i)))
      mailbox->dirty[i] = 1;
}

void
fs_mailbox_publish (FsMailbox *mailbox, FsSolver *solver, gboolean whole, const FsLiveState *state)
{
  if (solver)
    fs_solver_take_changed_tiles (solver, mailbox->fresh);
  if (whole)
    memset (mailbox->fresh, 1, (size_t)mailbox->columns * (size_t)mailbox->rows);

  g_mutex_lock (&mailbox->lock);
  g_warn_if_fail (state->generation >= mailbox->state.generation);
  gint64 oldest_us = mailbox->state.oldest_edit_us;
  if (solver)
    copy_fresh_tiles (mailbox, solver);
  else
    clear_mask (mailbox);
  mailbox->state = *state;
  if (!mailbox->collected)
    mailbox->state.oldest_edit_us = MIN (oldest_us, state->oldest_edit_us);
  mailbox->collected = FALSE;
  g_mutex_unlock (&mailbox->lock);
}

void
fs_mailbox_post_error (FsMailbox *mailbox, const GError *error)
{
  g_mutex_lock (&mailbox->lock);
  g_clear_error (&mailbox->error);
  mailbox->error = g_error_copy (error);
  g_mutex_unlock (&mailbox->lock);
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
  GError *failure = g_steal_pointer (&mailbox->error);
  g_mutex_unlock (&mailbox->lock);

  if (failure)
    g_propagate_error (error, failure);
  return failure == NULL;
}
