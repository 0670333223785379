/* SPDX-License-Identifier: MIT */
#include "app/photo/input/photo_input.h"
#include "app/files/display_name.h"
#include "app/files/free_memory.h"

#include <glib/gi18n.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_FILE_BYTES (G_GUINT64_CONSTANT (512) << 20)
#define DEFAULT_PIXELS     G_GUINT64_CONSTANT (256000000)
#define DEFAULT_SIDE_PX    65500
#define DEFAULT_SCANS      100
#define DEFAULT_MARKERS    1024
#define DEFAULT_WARNINGS   100

/* Between two looks at whether the user has given up. */
#define BYTES_AT_ONCE (1 << 20)

/* A file that could fill less than one part in this many of its picture is not a truncated photo
 * but a false claim. */
#define MIN_SIZE_DIVISOR 16

void
fs_photo_input_refuse (const FsPhotoInput *input, GError **error, FsPhotoError code,
                       const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FS_PHOTO_ERROR, code, "%s: %s", input->name, reason);
}

static FsPhotoLimits
resolve_limits (const FsPhotoLimits *asked)
{
  FsPhotoLimits limits = asked ? *asked : (FsPhotoLimits){ 0 };
  if (!limits.max_file_bytes)
    limits.max_file_bytes = DEFAULT_FILE_BYTES;
  if (!limits.max_pixels)
    limits.max_pixels = DEFAULT_PIXELS;
  if (!limits.max_side_px)
    limits.max_side_px = DEFAULT_SIDE_PX;
  if (!limits.max_scans)
    limits.max_scans = DEFAULT_SCANS;
  if (!limits.max_markers)
    limits.max_markers = DEFAULT_MARKERS;
  if (!limits.max_warnings)
    limits.max_warnings = DEFAULT_WARNINGS;
  if (!limits.max_memory_bytes)
    limits.max_memory_bytes = fs_free_memory_limit ();
  return limits;
}

static gboolean
input_open (FsPhotoInput *input, const char *path, GError **error)
{
  /* Without O_NONBLOCK opening a FIFO waits for a writer for ever. */
  input->fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat facts;
  if (input->fd < 0 || fstat (input->fd, &facts) < 0) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_READ, _ ("cannot be opened: %s"),
                           g_strerror (errno));
    return FALSE;
  }
  if (!S_ISREG (facts.st_mode)) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_READ,
                           S_ISDIR (facts.st_mode) ? _ ("is a folder, not a file")
                                                   : _ ("is a device or a pipe, not a file"));
    return FALSE;
  }
  if (facts.st_size <= 0) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT, _ ("is empty"));
    return FALSE;
  }
  input->n_bytes = (guint64)facts.st_size;
  if (input->n_bytes > input->limits.max_file_bytes) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("has %llu bytes; at most %llu are read"),
                           (unsigned long long)input->n_bytes,
                           (unsigned long long)input->limits.max_file_bytes);
    return FALSE;
  }
  return TRUE;
}

static gboolean
input_peek (FsPhotoInput *input, GError **error)
{
  while (input->n_head < sizeof input->head) {
    gssize n = fs_photo_input_read (input, input->head + input->n_head,
                                    sizeof input->head - input->n_head, error);
    if (n < 0)
      return FALSE;
    if (n == 0)
      break;
    input->n_head += (gsize)n;
  }
  return fs_photo_input_rewind (input, error);
}

FsPhotoInput *
fs_photo_input_new (const char *path, const FsPhotoLimits *limits, GCancellable *cancellable,
                    GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsPhotoInput) input = g_new0 (FsPhotoInput, 1);
  input->fd = -1;
  input->name = fs_display_name (path);
  input->limits = resolve_limits (limits);
  input->cancellable = cancellable;
  input->metadata = fs_photo_metadata_new ();
  if (!fs_photo_input_go_on (input, error) || !input_open (input, path, error)
      || !input_peek (input, error))
    return NULL;
  return g_steal_pointer (&input);
}

void
fs_photo_input_free (FsPhotoInput *input)
{
  if (!input)
    return;
  if (input->fd >= 0)
    close (input->fd);
  fs_photo_metadata_free (input->metadata);
  g_free (input->samples);
  g_free (input->name);
  g_free (input);
}

gboolean
fs_photo_input_go_on (FsPhotoInput *input, GError **error)
{
  if (!g_cancellable_is_cancelled (input->cancellable))
    return TRUE;
  fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_CANCELLED, _ ("opening it was cancelled"));
  return FALSE;
}

void
fs_photo_input_report (const FsPhotoInput *input, guint64 done, guint64 all)
{
  if (input->limits.permille && all > 0)
    g_atomic_int_set (input->limits.permille, (gint)(MIN (done, all) * 1000 / all));
}

gssize
fs_photo_input_read (FsPhotoInput *input, void *buffer, gsize n_bytes, GError **error)
{
  if (!fs_photo_input_go_on (input, error))
    return -1;

  /* A file that grows while it is read must end somewhere. */
  n_bytes = MIN (n_bytes, input->limits.max_file_bytes - input->offset);
  ssize_t n;
  do
    n = read (input->fd, buffer, n_bytes);
  while (n < 0 && errno == EINTR);
  if (n < 0) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_READ, _ ("cannot be read: %s"),
                           g_strerror (errno));
    return -1;
  }
  input->offset += (guint64)n;
  return n;
}

gboolean
fs_photo_input_rewind (FsPhotoInput *input, GError **error)
{
  if (lseek (input->fd, 0, SEEK_SET) < 0) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_READ, _ ("cannot be read: %s"),
                           g_strerror (errno));
    return FALSE;
  }
  input->offset = 0;
  return TRUE;
}

guint8 *
fs_photo_input_read_whole (FsPhotoInput *input, gsize *n_bytes, GError **error)
{
  g_autofree guint8 *bytes = NULL;
  *n_bytes = 0;
  if (input->n_bytes <= input->limits.max_memory_bytes)
    bytes = g_try_malloc (input->n_bytes);
  if (!bytes) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to open it"));
    return NULL;
  }
  if (!fs_photo_input_rewind (input, error))
    return NULL;
  while (*n_bytes < input->n_bytes) {
    const gssize n = fs_photo_input_read (input, bytes + *n_bytes,
                                          MIN (input->n_bytes - *n_bytes, BYTES_AT_ONCE), error);
    if (n < 0)
      return NULL;
    if (n == 0)
      break;
    *n_bytes += (gsize)n;
  }
  return g_steal_pointer (&bytes);
}

static gboolean
admit_memory (FsPhotoInput *input, const FsPhotoClaim *claim, guint64 n_pixels, GError **error)
{
  guint64 n_bytes;
  /* Samples are turned upright in a second copy. */
  const guint64 n_samples = input->wish == FS_PHOTO_SAMPLES ? 2 * 4 * sizeof (guint16) : 0;
  const guint64 a_pixel = sizeof (uint32_t) + n_samples + input->limits.bytes_per_pixel;
  if (!g_uint64_checked_mul (&n_bytes, n_pixels, a_pixel)
      || !g_uint64_checked_add (&n_bytes, n_bytes, claim->work_bytes))
    n_bytes = G_MAXUINT64;
  if (n_bytes <= input->limits.max_memory_bytes)
    return TRUE;
  g_autofree char *needed = g_format_size (n_bytes);
  g_autofree char *allowed = g_format_size (input->limits.max_memory_bytes);
  fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                         _ ("opening its %llu × %llu pixels takes %s of memory; %s may be used"),
                         (unsigned long long)claim->width, (unsigned long long)claim->height,
                         needed, allowed);
  return FALSE;
}

gboolean
fs_photo_input_admit (FsPhotoInput *input, const FsPhotoClaim *claim, GError **error)
{
  const guint64 width = claim->width, height = claim->height;
  const guint64 max_side_px = (guint64)input->limits.max_side_px;
  guint64 n_pixels;

  if (!width || !height) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED, _ ("claims to have no pixels"));
    return FALSE;
  }
  if (width > max_side_px || height > max_side_px) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("claims %llu × %llu pixels; at most %d a side are opened"),
                           (unsigned long long)width, (unsigned long long)height,
                           input->limits.max_side_px);
    return FALSE;
  }
  if (!g_uint64_checked_mul (&n_pixels, width, height) || n_pixels > input->limits.max_pixels) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("claims %llu × %llu pixels; at most %.6g megapixels are opened"),
                           (unsigned long long)width, (unsigned long long)height,
                           (double)input->limits.max_pixels / 1e6);
    return FALSE;
  }
  if (input->n_bytes < claim->min_file_bytes / MIN_SIZE_DIVISOR) {
    fs_photo_input_refuse (
        input, error, FS_PHOTO_ERROR_DAMAGED,
        _ ("has %llu bytes, far too few for the %llu × %llu pixels that it claims"),
        (unsigned long long)input->n_bytes, (unsigned long long)width, (unsigned long long)height);
    return FALSE;
  }
  return admit_memory (input, claim, n_pixels, error);
}

gboolean
fs_photo_input_wants_pixels (const FsPhotoInput *input, int bits)
{
  return input->wish == FS_PHOTO_IMAGE || (input->wish == FS_PHOTO_SAMPLES && bits > 8);
}

gboolean
fs_photo_input_new_samples (FsPhotoInput *input, const FsImage *image, GError **error)
{
  if (input->wish != FS_PHOTO_SAMPLES)
    return TRUE;
  const gsize n = (gsize)image->width * (gsize)image->height;
  g_free (input->samples);
  input->samples = g_try_malloc_n (n, 4 * sizeof *input->samples);
  if (!input->samples)
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory for its %llu × %llu pixels"),
                           (unsigned long long)image->width, (unsigned long long)image->height);
  return input->samples != NULL;
}

void
fs_decoded_fill_missing (FsImage *image, int first_row)
{
  const gsize n = (gsize)image->width * (gsize)image->height;
  for (gsize i = (gsize)first_row * (gsize)image->width; i < n; i++)
    image->pixels[i] = FS_PIXEL (255, 128, 128, 128);
}

FsImage *
fs_photo_input_new_image (FsPhotoInput *input, guint64 width, guint64 height, GError **error)
{
  g_return_val_if_fail (width > 0 && width <= G_MAXINT, NULL);
  g_return_val_if_fail (height > 0 && height <= G_MAXINT, NULL);

  FsImage *image = fs_image_new_whole ((int)width, (int)height);
  if (!image)
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory for its %llu × %llu pixels"),
                           (unsigned long long)width, (unsigned long long)height);
  return image;
}
