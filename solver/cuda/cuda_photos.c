/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cuda_photos.h"

typedef struct {
  const FsEngineTable *table;
  uint64_t number;
  FsEnginePhoto *photo;
  int n_users;
} LoadedPhoto;

static GMutex mutex;
static GList *all; /* of LoadedPhoto */

static LoadedPhoto *
find (const FsEngineTable *table, uint64_t number)
{
  for (GList *link = all; link != NULL; link = link->next) {
    LoadedPhoto *loaded = link->data;
    if (loaded->table == table && loaded->number == number)
      return loaded;
  }
  return NULL;
}

static LoadedPhoto *
load_photo (const FsEngineTable *table, const FsLinkSource *source, const FsGrid *grid,
            FsEngineError *failure)
{
  FsEnginePhoto *photo;
  if (table->load_photo (&source->links, grid->width, grid->height, &photo, failure)
      != FS_ENGINE_DONE)
    return NULL;
  LoadedPhoto *loaded = g_new0 (LoadedPhoto, 1);
  *loaded = (LoadedPhoto){ .table = table, .number = source->photo, .photo = photo };
  all = g_list_prepend (all, loaded);
  return loaded;
}

const FsEnginePhoto *
fs_cuda_photos_take (const FsEngineTable *table, const FsLinkSource *source, const FsGrid *grid,
                     FsEngineError *failure)
{
  g_mutex_lock (&mutex);
  LoadedPhoto *loaded = find (table, source->photo);
  if (loaded == NULL)
    loaded = load_photo (table, source, grid, failure);
  if (loaded != NULL)
    loaded->n_users++;
  const FsEnginePhoto *photo = loaded != NULL ? loaded->photo : NULL;
  g_mutex_unlock (&mutex);
  return photo;
}

static void
drop (GList *link)
{
  LoadedPhoto *loaded = link->data;
  if (--loaded->n_users > 0)
    return;
  loaded->table->unload_photo (loaded->photo);
  g_free (loaded);
  all = g_list_delete_link (all, link);
}

void
fs_cuda_photos_give_back (const FsEnginePhoto *photo)
{
  if (photo == NULL)
    return;
  g_mutex_lock (&mutex);
  for (GList *link = all; link != NULL; link = link->next)
    if (((LoadedPhoto *)link->data)->photo == photo) {
      drop (link);
      break;
    }
  g_mutex_unlock (&mutex);
}
