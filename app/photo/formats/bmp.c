/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/bmp.h"

#include <glib/gi18n.h>
#include <gdk-pixbuf/gdk-pixbuf.h>

/* Run-length coding puts 255 pixels into two bytes. It may skip pixels, too, but a file that could
 * fill less than half of them is refused: fs_photo_input_admit() takes a sixteenth of this. */
#define MAX_PIXELS_PER_BYTE 128
#define RUN_LENGTH_FACTOR   8

/* The loader's own picture of at most 4 bytes a pixel, beside ours. */
#define LOADER_BYTES_PER_PIXEL 4

/* Where the file's header says how long the next one is and where the pixels begin. */
#define FILE_HEADER_BYTES    14
#define PIXELS_AT            10
#define BITS_AT              28
#define BRIEF_BITS_AT        24
#define COMPRESSION_AT       30
#define COLOURS_AT           46
#define MIN_HEADER_BYTES     12
#define LONGEST_HEADER_BYTES 124

typedef struct {
  FsPhotoInput *input;
  gboolean sized;
  gboolean painted;
  GError *error;
} BmpLoad;

static guint64
read_u16 (const uint8_t *at)
{
  return (guint64)at[0] | (guint64)at[1] << 8;
}

static guint32
read_u32 (const uint8_t *at)
{
  return (guint32)at[0] | (guint32)at[1] << 8 | (guint32)at[2] << 16 | (guint32)at[3] << 24;
}

static gboolean
is_run_length_coded (const FsPhotoInput *input)
{
  const guint32 coding =
      input->n_head >= COMPRESSION_AT + 4 ? read_u32 (input->head + COMPRESSION_AT) : 0;
  return coding == 1 || coding == 2;
}

static gboolean
is_brief (const FsPhotoInput *input)
{
  return read_u32 (input->head + FILE_HEADER_BYTES) == MIN_HEADER_BYTES;
}

static guint64
bits_of (const FsPhotoInput *input)
{
  return read_u16 (input->head + (is_brief (input) ? BRIEF_BITS_AT : BITS_AT));
}

/* The bytes of a file with uncompressed pixels, up to the last one. */
static guint64
whole_bytes (const FsPhotoInput *input, guint64 width, guint64 height)
{
  guint64 row_bits, n_bytes;
  if (!g_uint64_checked_mul (&row_bits, width, bits_of (input))
      || !g_uint64_checked_mul (&n_bytes, row_bits / 32 * 4 + (row_bits % 32 ? 4 : 0), height)
      || !g_uint64_checked_add (&n_bytes, n_bytes, read_u32 (input->head + PIXELS_AT)))
    return G_MAXUINT64;
  return n_bytes;
}

static void
on_size_prepared (GdkPixbufLoader *loader, int width, int height, gpointer user_data)
{
  BmpLoad *load = user_data;
  FsPhotoClaim claim = { .width = (guint64)MAX (width, 0), .height = (guint64)MAX (height, 0) };
  guint64 n_pixels;
  load->sized = TRUE;
  if (!g_uint64_checked_mul (&n_pixels, claim.width, claim.height)
      || !g_uint64_checked_mul (&claim.work_bytes, n_pixels, LOADER_BYTES_PER_PIXEL))
    n_pixels = claim.work_bytes = G_MAXUINT64;
  claim.min_file_bytes = is_run_length_coded (load->input)
                             ? n_pixels / MAX_PIXELS_PER_BYTE * RUN_LENGTH_FACTOR
                             : whole_bytes (load->input, claim.width, claim.height);

  /* A size of nothing is how this signal makes the loader to stop before it allocates. */
  if (!fs_photo_input_admit (load->input, &claim, &load->error))
    gdk_pixbuf_loader_set_size (loader, 0, 0);
}

static void
on_area_prepared (GdkPixbufLoader *loader, gpointer user_data)
{
  const BmpLoad *load = user_data;
  /* The loader leaves the pixels of a file that ends early as it found the memory. Runs may skip
   * pixels on purpose, and those it clears itself. */
  if (!is_run_length_coded (load->input))
    gdk_pixbuf_fill (gdk_pixbuf_loader_get_pixbuf (loader), 0x808080ff);
}

static void
on_area_updated (GdkPixbufLoader *loader, int x, int y, int width, int height, gpointer user_data)
{
  BmpLoad *load = user_data;
  load->painted = TRUE;
}

static void
refuse_damaged (BmpLoad *load)
{
  if (!load->error)
    fs_photo_input_refuse (load->input, &load->error, FS_PHOTO_ERROR_DAMAGED,
                           load->sized ? _ ("is too damaged to show anything of the photo")
                                       : _ ("is damaged before its picture begins"));
}

/* TRUE where the loader took the whole file without a complaint. */
static gboolean
feed_loader (BmpLoad *load, GdkPixbufLoader *loader)
{
  guint8 buffer[16 * 1024];
  gboolean whole = TRUE;
  while (whole && !load->error) {
    const gssize n = fs_photo_input_read (load->input, buffer, sizeof buffer, &load->error);
    if (n <= 0)
      break;
    whole = gdk_pixbuf_loader_write (loader, buffer, (gsize)n, NULL);
  }
  return gdk_pixbuf_loader_close (loader, NULL) && whole;
}

static FsImage *
image_of (BmpLoad *load, const GdkPixbuf *pixbuf)
{
  const int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf);
  const int n_channels = gdk_pixbuf_get_n_channels (pixbuf);
  FsImage *image =
      fs_photo_input_new_image (load->input, (guint64)width, (guint64)height, &load->error);
  if (!image)
    return NULL;
  image->has_alpha = gdk_pixbuf_get_has_alpha (pixbuf);
  for (int y = 0; y < height; y++) {
    const uint8_t *from =
        gdk_pixbuf_read_pixels (pixbuf) + (gsize)y * (gsize)gdk_pixbuf_get_rowstride (pixbuf);
    uint32_t *to = image->pixels + (gsize)y * (gsize)width;
    for (int x = 0; x < width; x++, from += n_channels)
      to[x] = FS_PIXEL (image->has_alpha ? from[3] : 255, from[0], from[1], from[2]);
  }
  return image;
}

/* The loader does not say whether all rows came. Runs have no length that could be foretold. */
static gboolean
is_whole (const FsPhotoInput *input, const FsImage *image)
{
  return is_run_length_coded (input)
         || input->n_bytes >= whole_bytes (input, (guint64)image->width, (guint64)image->height);
}

/* Bytes of the palette; G_MAXUINT64 where it has more colours than the pixels can name. */
static guint64
palette_bytes (const FsPhotoInput *input)
{
  const guint64 bits = bits_of (input);
  const guint64 max_colours = bits <= 8 ? 1u << bits : 256;
  guint64 n_colours = is_brief (input) ? 0 : read_u32 (input->head + COLOURS_AT);
  if (n_colours > max_colours)
    return G_MAXUINT64;
  if (!n_colours && bits <= 8)
    n_colours = max_colours;
  return n_colours * (is_brief (input) ? 3 : 4);
}

/* The loader allocates what these fields say, whatever the file's size. */
static gboolean
check_lengths (FsPhotoInput *input, GError **error)
{
  if (input->n_head >= COLOURS_AT + 4) {
    const guint64 pixels_at = read_u32 (input->head + PIXELS_AT);
    const guint64 n_header = read_u32 (input->head + FILE_HEADER_BYTES);
    if (n_header >= MIN_HEADER_BYTES && n_header <= LONGEST_HEADER_BYTES
        && palette_bytes (input) <= input->n_bytes
        && pixels_at >= FILE_HEADER_BYTES + n_header + palette_bytes (input)
        && pixels_at <= input->n_bytes)
      return TRUE;
  }
  fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED,
                         _ ("is damaged before its picture begins"));
  return FALSE;
}

gboolean
fs_bmp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error)
{
  if (!check_lengths (input, error))
    return FALSE;
  g_autoptr (GError) missing = NULL;
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type ("bmp", &missing);
  if (!loader) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("is a BMP file, and the system's BMP reader is missing"));
    return FALSE;
  }

  BmpLoad load = { .input = input };
  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size_prepared), &load);
  g_signal_connect (loader, "area-prepared", G_CALLBACK (on_area_prepared), &load);
  g_signal_connect (loader, "area-updated", G_CALLBACK (on_area_updated), &load);
  const gboolean whole = feed_loader (&load, loader);
  const GdkPixbuf *pixbuf = gdk_pixbuf_loader_get_pixbuf (loader);
  if (!load.error && pixbuf && (whole || load.painted))
    decoded->image = image_of (&load, pixbuf);
  if (!decoded->image) {
    refuse_damaged (&load);
    g_propagate_error (error, load.error);
    return FALSE;
  }
  decoded->bits = 8;
  decoded->damage = whole && is_whole (input, decoded->image)
                        ? NULL
                        : _ ("the file ends early; what is missing is grey");
  return TRUE;
}
