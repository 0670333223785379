/* SPDX-License-Identifier: MIT */
#include "app/problems/mrf.h"

#include "app/files/free_memory.h"
#include "app/photo/input/photo_input.h"
#include "energy/labels/labels_costs.h"
#include "solver/system/checked_memory.h"
#include "app/photo/photo.h"

#include <string.h>
#include <unistd.h>

typedef struct {
  FsPhotoInput *input; /* words refusals */
  const char *path;
  char *bytes;
  gsize n_bytes, at;
  FsMrf *mrf;
  GError **error;
} Reader;

#define refuse(reader, code, ...)                                                                  \
  (fs_photo_input_refuse ((reader)->input, (reader)->error, code, __VA_ARGS__), FALSE)

void
fs_mrf_free (FsMrf *mrf)
{
  if (mrf == NULL)
    return;
  fs_mrf_header_clear (&mrf->header);
  fs_montage_free (mrf->montage);
  fs_memory_free (mrf->data);
  g_free (mrf->table);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (mrf->weight[d]);
  g_free (mrf->present);
  g_free (mrf);
}

/* --- Planes ----------------------------------------------------------------------------------- */

static gboolean
is_text (const Reader *reader)
{
  return reader->mrf->header.is_text;
}

static void
skip_space (Reader *reader)
{
  while (reader->at < reader->n_bytes && g_ascii_isspace (reader->bytes[reader->at]))
    reader->at++;
}

/* Returns whether n numbers can follow, before there is memory for them. */
static gboolean
can_follow (Reader *reader, const char *what, gsize n, gsize number_bytes)
{
  gsize left = reader->n_bytes - reader->at;
  gsize min = is_text (reader) ? 2 * n - 1 : n * number_bytes;
  return left >= min
         || refuse (reader, FS_PHOTO_ERROR_DAMAGED,
                    "ends within the %s, which are %" G_GSIZE_FORMAT " numbers", what, n);
}

static gboolean
read_digits (Reader *reader, int64_t max, int64_t *number)
{
  skip_space (reader);
  gsize first = reader->at;
  for (*number = 0; reader->at < reader->n_bytes && g_ascii_isdigit (reader->bytes[reader->at]);
       reader->at++) {
    *number = 10 * *number + (reader->bytes[reader->at] - '0');
    if (*number > max)
      return FALSE;
  }
  return reader->at > first
         && (reader->at == reader->n_bytes || g_ascii_isspace (reader->bytes[reader->at]));
}

/* Little-endian; a sign bit makes it too large. */
static gboolean
read_binary (Reader *reader, gsize number_bytes, int64_t max, int64_t *number)
{
  if (reader->n_bytes - reader->at < number_bytes)
    return FALSE;
  *number = 0;
  for (gsize i = 0; i < number_bytes; i++)
    *number |= (int64_t)(guint8)reader->bytes[reader->at + i] << 8 * i;
  reader->at += number_bytes;
  return *number <= max;
}

static void
store_number (void *plane, gsize i, gsize number_bytes, int64_t number)
{
  if (number_bytes == 4)
    ((int32_t *)plane)[i] = (int32_t)number;
  else if (number_bytes == 2)
    ((uint16_t *)plane)[i] = (uint16_t)number;
  else
    ((uint8_t *)plane)[i] = (uint8_t)number;
}

static gboolean
read_plane (Reader *reader, const char *what, gsize n, gsize number_bytes, int64_t max, void *plane)
{
  for (gsize i = 0; i < n; i++) {
    int64_t number = 0;
    if (!(is_text (reader) ? read_digits (reader, max, &number)
                           : read_binary (reader, number_bytes, max, &number)))
      return refuse (reader, FS_PHOTO_ERROR_DAMAGED,
                     "number %" G_GSIZE_FORMAT " of the %s is not one from 0 to %" G_GINT64_FORMAT,
                     i + 1, what, max);
    store_number (plane, i, number_bytes, number);
  }
  return TRUE;
}

/* --- Images ----------------------------------------------------------------------------------- */

char *
fs_mrf_image_path (const char *path, const char *name)
{
  g_autofree char *folder = g_path_get_dirname (path);
  return g_path_is_absolute (name) ? g_strdup (name) : g_build_filename (folder, name, NULL);
}

static FsImage *
load_image (Reader *reader, const char *name)
{
  const FsMrfHeader *header = &reader->mrf->header;
  g_autofree char *path = fs_mrf_image_path (reader->path, name);
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, reader->error);
  if (photo == NULL) {
    g_prefix_error (reader->error, "%s: ", reader->input->name);
    return NULL;
  }
  if (photo->warning != NULL) {
    fs_photo_input_refuse (reader->input, reader->error, FS_PHOTO_ERROR_DAMAGED,
                           "costs cannot be made from it: %s", photo->warning);
    return NULL;
  }
  if (photo->image->width == header->width && photo->image->height == header->height)
    return fs_image_ref (photo->image);
  fs_photo_input_refuse (reader->input, reader->error, FS_PHOTO_ERROR_FORMAT,
                         "%s is %d × %d pixels, but the grid is %d × %d", name, photo->image->width,
                         photo->image->height, header->width, header->height);
  return NULL;
}

static gboolean
load_images (Reader *reader, FsImage **images)
{
  const FsMrfHeader *header = &reader->mrf->header;
  for (int i = 0; i < header->n_images; i++)
    if ((images[i] = load_image (reader, header->images[i])) == NULL)
      return FALSE;
  return TRUE;
}

/* --- Data costs ------------------------------------------------------------------------------- */

static gboolean
allocate_data (Reader *reader)
{
  const FsMrfHeader *header = &reader->mrf->header;
  size_t n = (size_t)header->width * (size_t)header->height;
  reader->mrf->data = fs_memory_new (n * (size_t)header->n_labels, sizeof (int32_t));
  return reader->mrf->data != NULL
         || refuse (reader, FS_PHOTO_ERROR_LIMIT, "there is not enough memory for its costs");
}

static gboolean
make_data (Reader *reader, FsImage **images)
{
  const FsMrfHeader *header = &reader->mrf->header;
  FsMrf *mrf = reader->mrf;
  if (!allocate_data (reader))
    return FALSE;
  if (header->data == FS_MRF_DATA_STEREO)
    fs_labels_fill_stereo (images[0], images[1], header->n_labels, header->squared,
                           header->data_max, mrf->data);
  else if (header->data == FS_MRF_DATA_RESTORATION)
    fs_labels_fill_restoration (images[0], images[1], header->n_labels, mrf->data);
  else {
    mrf->montage = fs_montage_new (images, header->n_images, header->data_max, reader->error);
    if (mrf->montage == NULL)
      return FALSE;
    fs_montage_fill_data (mrf->montage, mrf->data);
  }
  return TRUE;
}

static gboolean
read_data (Reader *reader)
{
  const FsMrfHeader *header = &reader->mrf->header;
  size_t n = (size_t)header->width * (size_t)header->height * (size_t)header->n_labels;
  if (header->data == FS_MRF_DATA_PLANES)
    return can_follow (reader, "data costs", n, 4) && allocate_data (reader)
           && read_plane (reader, "data costs", n, 4, FS_LABEL_COST_MAX, reader->mrf->data);
  FsImage *images[FS_MONTAGE_SOURCES_MAX] = { NULL };
  gboolean done = load_images (reader, images) && make_data (reader, images);
  for (int i = 0; i < FS_MONTAGE_SOURCES_MAX; i++)
    g_clear_pointer (&images[i], fs_image_unref);
  return done;
}

/* --- Smoothness, weights, presence ------------------------------------------------------------ */

static gboolean
read_smoothness (Reader *reader)
{
  const FsMrfHeader *header = &reader->mrf->header;
  FsMrf *mrf = reader->mrf;
  gsize n = (gsize)header->n_labels * (gsize)header->n_labels;
  if (header->smoothness == FS_MRF_SMOOTHNESS_MONTAGE)
    return TRUE;
  mrf->table = g_new (int32_t, n);
  if (header->smoothness == FS_MRF_SMOOTHNESS_TABLE)
    return can_follow (reader, "smoothness costs", n, 4)
           && read_plane (reader, "smoothness costs", n, 4, FS_PAIR_COST_MAX, mrf->table);
  return fs_labels_fill_table (header->power, header->scale, header->smooth_max, header->n_labels,
                               mrf->table)
         || refuse (reader, FS_PHOTO_ERROR_FORMAT, "a smoothness cost is beyond %d",
                    FS_PAIR_COST_MAX);
}

static gboolean
read_weights (Reader *reader)
{
  const FsMrfHeader *header = &reader->mrf->header;
  FsMrf *mrf = reader->mrf;
  gsize n = (gsize)header->width * (gsize)header->height;
  int n_directions = header->neighbours == 8 ? 4 : 2;
  if (header->weights == FS_MRF_WEIGHTS_NONE)
    return TRUE;
  g_autoptr (FsImage) cue = NULL;
  if (header->weights == FS_MRF_WEIGHTS_CUE) {
    if ((cue = load_image (reader, header->cue_image)) == NULL)
      return FALSE;
  } else if (!can_follow (reader, "weights", n * (gsize)n_directions, 2))
    return FALSE;
  for (int d = 0; d < n_directions; d++) {
    mrf->weight[d] = g_try_new (uint16_t, n);
    if (mrf->weight[d] == NULL)
      return refuse (reader, FS_PHOTO_ERROR_LIMIT, "there is not enough memory for its weights");
    if (cue == NULL && !read_plane (reader, "weights", n, 2, G_MAXUINT16, mrf->weight[d]))
      return FALSE;
  }
  if (cue != NULL)
    fs_labels_fill_cue (cue, header->cue_below, header->cue_factor, mrf->weight);
  return TRUE;
}

static gboolean
read_present (Reader *reader)
{
  const FsMrfHeader *header = &reader->mrf->header;
  gsize n = (gsize)header->width * (gsize)header->height;
  if (!header->has_present)
    return TRUE;
  if (!can_follow (reader, "marks of presence", n, 1))
    return FALSE;
  reader->mrf->present = g_try_malloc (n);
  if (reader->mrf->present == NULL)
    return refuse (reader, FS_PHOTO_ERROR_LIMIT, "there is not enough memory for its pixels");
  return read_plane (reader, "marks of presence", n, 1, 1, reader->mrf->present);
}

static gboolean
read_end (Reader *reader)
{
  if (!reader->mrf->header.has_planes || is_text (reader))
    skip_space (reader);
  return reader->at == reader->n_bytes
         || refuse (reader, FS_PHOTO_ERROR_DAMAGED, "%" G_GSIZE_FORMAT " bytes too many follow",
                    reader->n_bytes - reader->at);
}

/* --- The whole -------------------------------------------------------------------------------- */

/* Memory of the file and of one cut at a time: measured, and rounded up
 * (solver/expansion/expansion.h). */
enum {
  IMAGE_BYTES = 4,
  PRESENT_BYTES = 1,
  WEIGHT_BYTES = 2,
  CUT_BYTES = 80,      /* a pixel; with 8 neighbours half as much again */
  DUAL_START_BYTES = 6 /* a pixel and label, for a dual start */
};

static guint64
forecast_bytes (const FsMrfHeader *header)
{
  guint64 n = (guint64)header->width * (guint64)header->height;
  guint64 n_directions = header->neighbours == 8 ? 4 : 2;
  guint64 a_pixel = (guint64)header->n_images * IMAGE_BYTES
                    + (header->has_present ? PRESENT_BYTES : 0)
                    + (header->weights != FS_MRF_WEIGHTS_NONE ? n_directions * WEIGHT_BYTES : 0)
                    + CUT_BYTES * (n_directions + 2) / 4;
  guint64 a_label = sizeof (int32_t) + (header->start == FS_MRF_START_DUAL ? DUAL_START_BYTES : 0);
  return n * (a_pixel + a_label * (guint64)header->n_labels);
}

static gboolean
check_memory (Reader *reader, const FsMrfHeader *header)
{
  guint64 needed = forecast_bytes (header) + reader->input->n_bytes, max = fs_free_memory_limit ();
  return needed <= max
         || refuse (reader, FS_PHOTO_ERROR_LIMIT,
                    "%d × %d pixels of %d labels take %" G_GUINT64_FORMAT
                    " MB of memory; %" G_GUINT64_FORMAT " MB may be used",
                    header->width, header->height, header->n_labels, needed >> 20, max >> 20);
}

static gboolean
check_size (Reader *reader, const FsMrfHeader *header)
{
  int64_t n = (int64_t)header->width * header->height;
  return (n <= FS_MRF_MAX_PIXELS && n * header->n_labels <= FS_MRF_MAX_COSTS)
         || refuse (reader, FS_PHOTO_ERROR_LIMIT,
                    "%d × %d pixels of %d labels; at most %d pixels and %" G_GINT64_FORMAT
                    " data costs are read",
                    header->width, header->height, header->n_labels, FS_MRF_MAX_PIXELS,
                    FS_MRF_MAX_COSTS);
}

static void
bind_problem (FsMrf *mrf)
{
  const FsMrfHeader *header = &mrf->header;
  mrf->problem = (FsLabelProblem){ .width = header->width,
                                   .height = header->height,
                                   .neighbours = (FsNeighbours)header->neighbours,
                                   .n_labels = header->n_labels,
                                   .data = mrf->data,
                                   .table = mrf->table,
                                   .present = mrf->present };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    mrf->problem.weight[d] = mrf->weight[d];
  if (header->smoothness == FS_MRF_SMOOTHNESS_MONTAGE) {
    mrf->problem.pair_cost = fs_montage_pair_cost;
    mrf->problem.pair_data = mrf->montage;
    mrf->problem.pair_cost_max = fs_montage_pair_cost_max (mrf->montage);
  }
}

/* Before anything of it is taken. What is no header is reported when the file is read. */
static gboolean
check_claims (Reader *reader)
{
  enum { HEADER_BYTES = 1 << 16 };
  g_autofree char *text = g_malloc (HEADER_BYTES);
  g_auto (FsMrfHeader) header = { 0 };
  gsize n_read;
  gssize n = pread (reader->input->fd, text, HEADER_BYTES, 0);
  if (n <= 0 || !fs_mrf_header_parse (text, (gsize)n, &header, &n_read, NULL))
    return TRUE;
  return check_size (reader, &header) && check_memory (reader, &header);
}

static gboolean
read_input (Reader *reader)
{
  reader->bytes =
      (char *)fs_photo_input_read_whole (reader->input, &reader->n_bytes, reader->error);
  return reader->bytes != NULL;
}

static gboolean
read_mrf_header (Reader *reader)
{
  if (fs_mrf_header_parse (reader->bytes, reader->n_bytes, &reader->mrf->header, &reader->at,
                           reader->error))
    return TRUE;
  g_prefix_error (reader->error, "%s: ", reader->input->name);
  return FALSE;
}

static gboolean
read_problem (Reader *reader)
{
  if (!check_claims (reader) || !read_input (reader) || !read_mrf_header (reader)
      || !check_size (reader, &reader->mrf->header) || !read_data (reader)
      || !read_smoothness (reader) || !read_weights (reader) || !read_present (reader)
      || !read_end (reader))
    return FALSE;
  bind_problem (reader->mrf);
  if (fs_label_problem_validate (&reader->mrf->problem, reader->error))
    return TRUE;
  g_prefix_error (reader->error, "%s: ", reader->input->name);
  return FALSE;
}

FsMrf *
fs_mrf_load (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  const FsPhotoLimits limits = { .max_file_bytes = FS_MRF_MAX_BYTES };
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, &limits, NULL, error);
  if (input == NULL)
    return NULL;
  g_autoptr (FsMrf) mrf = g_new0 (FsMrf, 1);
  Reader reader = { .input = input, .path = path, .mrf = mrf, .error = error };
  gboolean done = read_problem (&reader);
  g_free (reader.bytes);
  return done ? g_steal_pointer (&mrf) : NULL;
}
