/* SPDX-License-Identifier: MIT */
#include "ui/folder/thumbnail_cache.h"

#include "app/photo/photo.h"
#include "ui/view/thumbnail.h"
#include <string.h>

#define MAX_THUMBNAILS 400
#define MAX_WISHES     40
#define MAX_BYTES      (64 << 20)

struct _FsThumbnailCache {
  GObject parent_instance;
  int side_px;
  GHashTable *surfaces; /* path → cairo_surface_t, of no pixels where the photo cannot be read */
  GQueue *order;        /* its keys, the oldest first; not owned */
  GQueue *wishes;       /* paths, the newest last */
  GCancellable *closed;
  gboolean is_loading;
};

enum { LOADED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FsThumbnailCache, fs_thumbnail_cache, G_TYPE_OBJECT)

typedef struct {
  char *path;
  int side_px;
} Wish;

static void
wish_free (gpointer data)
{
  g_free (((Wish *)data)->path);
  g_free (data);
}

/* Never NULL: a photo that cannot be read is not tried again. */
static cairo_surface_t *
load_thumbnail (const Wish *wish, GCancellable *cancellable)
{
  const FsPhotoLimits limits = { .max_file_bytes = MAX_BYTES, .enough_px = 2 * wish->side_px };
  g_autoptr (FsPhoto) photo = fs_photo_load (wish->path, &limits, cancellable, NULL);
  cairo_surface_t *surface = NULL;
  if (photo != NULL) {
    const gsize n = (gsize)photo->image->width * (gsize)photo->image->height;
    g_autofree uint8_t *mask = g_try_malloc (n);
    FsExport what = { .image = photo->image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
    if (mask != NULL)
      memset (mask, 1, n);
    surface = mask != NULL ? fs_thumbnail_render (&what, wish->side_px) : NULL;
  }
  return surface != NULL ? surface : cairo_image_surface_create (CAIRO_FORMAT_RGB24, 0, 0);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, load_thumbnail (data, cancellable),
                         (GDestroyNotify)cairo_surface_destroy);
}

static void load_next (FsThumbnailCache *self);

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsThumbnailCache) self = user_data;
  const Wish *wish = g_task_get_task_data (G_TASK (result));
  cairo_surface_t *surface = g_task_propagate_pointer (G_TASK (result), NULL);
  self->is_loading = FALSE;
  if (surface == NULL || g_cancellable_is_cancelled (self->closed)) {
    g_clear_pointer (&surface, cairo_surface_destroy);
    return;
  }
  char *path = g_strdup (wish->path);
  g_hash_table_insert (self->surfaces, path, surface);
  g_queue_push_tail (self->order, path);
  if (g_queue_get_length (self->order) > MAX_THUMBNAILS)
    g_hash_table_remove (self->surfaces, g_queue_pop_head (self->order));
  g_signal_emit (self, signals[LOADED], 0);
  load_next (self);
}

static void
load_next (FsThumbnailCache *self)
{
  char *path = self->is_loading ? NULL : g_queue_pop_tail (self->wishes);
  if (path == NULL)
    return;
  self->is_loading = TRUE;
  Wish *wish = g_new (Wish, 1);
  *wish = (Wish){ path, self->side_px };
  g_autoptr (GTask) task = g_task_new (NULL, self->closed, on_loaded, g_object_ref (self));
  g_task_set_source_tag (task, load_next);
  g_task_set_task_data (task, wish, wish_free);
  g_task_run_in_thread (task, load_in_thread);
}

cairo_surface_t *
fs_thumbnail_cache_get (FsThumbnailCache *self, const char *path)
{
  cairo_surface_t *surface = g_hash_table_lookup (self->surfaces, path);
  if (surface != NULL)
    return cairo_image_surface_get_width (surface) > 0 ? surface : NULL;
  if (g_queue_find_custom (self->wishes, path, (GCompareFunc)strcmp) == NULL)
    g_queue_push_tail (self->wishes, g_strdup (path));
  if (g_queue_get_length (self->wishes) > MAX_WISHES)
    g_free (g_queue_pop_head (self->wishes));
  load_next (self);
  return NULL;
}

void
fs_thumbnail_cache_forget_wishes (FsThumbnailCache *self)
{
  g_queue_clear_full (self->wishes, g_free);
}

void
fs_thumbnail_cache_close (FsThumbnailCache *self)
{
  g_cancellable_cancel (self->closed);
  fs_thumbnail_cache_forget_wishes (self);
}

FsThumbnailCache *
fs_thumbnail_cache_new (int side_px)
{
  FsThumbnailCache *self = g_object_new (FS_TYPE_THUMBNAIL_CACHE, NULL);
  self->side_px = side_px;
  return self;
}

static void
fs_thumbnail_cache_finalize (GObject *object)
{
  FsThumbnailCache *self = FS_THUMBNAIL_CACHE (object);
  g_queue_free (self->order);
  g_queue_free_full (self->wishes, g_free);
  g_hash_table_unref (self->surfaces);
  g_object_unref (self->closed);
  G_OBJECT_CLASS (fs_thumbnail_cache_parent_class)->finalize (object);
}

static void
fs_thumbnail_cache_class_init (FsThumbnailCacheClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_thumbnail_cache_finalize;
  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
fs_thumbnail_cache_init (FsThumbnailCache *self)
{
  self->surfaces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify)cairo_surface_destroy);
  self->order = g_queue_new ();
  self->wishes = g_queue_new ();
  self->closed = g_cancellable_new ();
}
