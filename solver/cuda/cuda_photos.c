/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_photos.h"

typedef struct {
  const FsEngineTable *table;
  uint64_t number;
  FsEnginePhoto *photo;
  int n_users;
} Held;

static GMutex mutex;
static GList *all; /* of Held */

static Held *
find (const FsEngineTable *table, uint64_t number)
{
  for (GList *link = all; link != NULL; link = link->next) {
    Held *held = link->data;
    if (held->table == table && held->number == number)
      return held;
  }
  return NULL;
}

static Held *
load_held (const FsEngineTable *table, const FsLinkSource *source, const FsGrid *grid,
           FsEngineError *failure)
{
  FsEnginePhoto *photo;
  if (table->load_photo (&source->links, grid->width, grid->height, &photo, failure)
      != FS_ENGINE_DONE)
    return NULL;
  Held *held = g_new0 (Held, 1);
  *held = (Held){ .table = table, .number = source->photo, .photo = photo };
  all = g_list_prepend (all, held);
  return held;
}

const FsEnginePhoto *
fs_cuda_photos_take (const FsEngineTable *table, const FsLinkSource *source, const FsGrid *grid,
                     FsEngineError *failure)
{
  g_mutex_lock (&mutex);
  Held *held = find (table, source->photo);
  if (held == NULL)
    held = load_held (table, source, grid, failure);
  if (held != NULL)
    held->n_users++;
  const FsEnginePhoto *photo = held != NULL ? held->photo : NULL;
  g_mutex_unlock (&mutex);
  return photo;
}

static void
drop (GList *link)
{
  Held *held = link->data;
  if (--held->n_users > 0)
    return;
  held->table->unload_photo (held->photo);
  g_free (held);
  all = g_list_delete_link (all, link);
}

void
fs_cuda_photos_give_back (const FsEnginePhoto *photo)
{
  if (photo == NULL)
    return;
  g_mutex_lock (&mutex);
  for (GList *link = all; link != NULL; link = link->next)
    if (((Held *)link->data)->photo == photo) {
      drop (link);
      break;
    }
  g_mutex_unlock (&mutex);
}
