/* SPDX-License-Identifier: MIT */
/* libheif packs the pictures; the boxes are put together here, so that they can lie. */
#include "tests/app/photo/made_files.h"

#ifdef HAVE_HEIF
#include "app/photo/heif/boxes.h"
#include <libheif/heif.h>
#include <string.h>

/* What libheif gave, and where in it the picture is. */
typedef struct {
  GByteArray *file;
  FsHeifSpan settings, data;
} Packed;

typedef struct {
  guint32 id;
  const char *type;
  const FsHeifSpan *data; /* NULL: in the box idat, at the item's place in it */
  FsHeifSpan inner;
  guint properties[8]; /* numbers from 1 on; 0 ends */
} Item;

typedef struct {
  const MadeHeif *spec;
  GArray *items;     /* Item       */
  GPtrArray *packed; /* Packed     */
  GByteArray *properties, *references, *idat;
  guint n_properties;
  GByteArray *exif;
  FsHeifSpan exif_span;
} Heif;

enum {
  PRIMARY = 1,
  ALPHA,
  EXIF,
  FIRST_TILE = 100,
  FIRST_NOTE = 1000,
  N_COPIES = 2000,
  N_MANY = 5000
};

/* --- Packing ---------------------------------------------------------------------------------- */

static enum heif_compression_format
format_of (const MadeHeif *spec)
{
  return spec->av1 ? heif_compression_AV1 : heif_compression_HEVC;
}

/* Of 10 bits libheif 1.15 tells libaom the profile of 4:2:2, whatever they are: without colours it
 * refuses, of 4:4:4 it aborts. */
static gboolean
is_mistaken (const MadeHeif *spec)
{
  return spec->av1 && spec->bits == 10;
}

gboolean
made_heif_can (const MadeHeif *spec)
{
  if (is_mistaken (spec) && (spec->grey || spec->with_alpha))
    return FALSE;
  return heif_have_encoder_for_format (format_of (spec))
         && heif_have_decoder_for_format (format_of (spec));
}

static void
assert_ok (struct heif_error why)
{
  if (why.code != heif_error_Ok)
    g_error ("libheif: %s", why.message);
}

/* An 8-bit value in the picture's bits, and where those are more a little more than it. */
static guint
widen (guint value, int bits)
{
  const guint max = (1u << bits) - 1;
  return bits == 8 ? value : MIN ((value * max + 127) / 255 + 3 * max / (4 * 255), max);
}

static void
put_sample (uint8_t *row, int i, guint value, int bits)
{
  if (bits == 8)
    row[i] = (uint8_t)value;
  else {
    row[2 * i] = (uint8_t)value;
    row[2 * i + 1] = (uint8_t)(value >> 8);
  }
}

/* The part at x0, y0 of a picture of the whole's size: its alpha, or its colours, or one of them.
 */
static struct heif_image *
draw (const MadeHeif *spec, int x0, int y0, int width, int height, gboolean alpha)
{
  const gboolean flat = alpha || spec->grey;
  struct heif_image *image = NULL;
  int stride;
  const enum heif_channel channel = flat ? heif_channel_Y : heif_channel_interleaved;
  const enum heif_chroma colours =
      spec->bits == 8 ? heif_chroma_interleaved_RGB : heif_chroma_interleaved_RRGGBB_LE;
  assert_ok (heif_image_create (spec->width, spec->height,
                                flat ? heif_colorspace_monochrome : heif_colorspace_RGB,
                                flat ? heif_chroma_monochrome : colours, &image));
  assert_ok (heif_image_add_plane (image, channel, spec->width, spec->height, spec->bits));
  uint8_t *plane = heif_image_get_plane (image, channel, &stride);
  for (int y = 0; y < spec->height; y++)
    for (int x = 0; x < spec->width; x++) {
      uint8_t *row = plane + (gsize)y * (gsize)stride;
      const int whole_x = MIN (x0 + x, width - 1), whole_y = MIN (y0 + y, height - 1);
      const uint32_t colour = made_colour (whole_x, whole_y, width, height);
      const guint a = made_alpha (whole_x, whole_y);
      for (int i = 0; i < (flat ? 1 : 3); i++) {
        guint value = alpha ? a : colour >> (spec->grey ? 8 : 16 - 8 * i) & 0xff;
        if (spec->multiplied && !alpha)
          value = (value * a + 127) / 255;
        put_sample (row, flat ? x : 3 * x + i, widen (value, spec->bits), spec->bits);
      }
    }
  return image;
}

static struct heif_error
append_bytes (struct heif_context *context, const void *bytes, size_t n_bytes, void *file)
{
  g_byte_array_append (file, bytes, (guint)n_bytes);
  return (struct heif_error){ heif_error_Ok, heif_suberror_Unspecified, "" };
}

static Packed *
pack (const MadeHeif *spec, struct heif_image *image, gboolean flat)
{
  struct heif_context *context = heif_context_alloc ();
  struct heif_encoder *encoder = NULL;
  struct heif_writer writer = { 1, append_bytes };
  Packed *packed = g_new0 (Packed, 1);
  packed->file = g_byte_array_new ();
  assert_ok (heif_context_get_encoder_for_format (context, format_of (spec), &encoder));
  assert_ok (heif_encoder_set_lossless (encoder, 1));
  /* Other encoders than those that were thought of may have no such parameters. */
  if (!flat)
    heif_encoder_set_parameter_string (encoder, "chroma", is_mistaken (spec) ? "422" : "444");
  heif_encoder_set_parameter_string (encoder, "preset", "ultrafast");
  heif_encoder_set_parameter_integer (encoder, "speed", 9);
  struct heif_image_handle *handle = NULL;
  assert_ok (heif_context_encode_image (context, image, encoder, NULL, &handle));
  assert_ok (heif_context_set_primary_image (context, handle));
  heif_image_handle_release (handle);
  assert_ok (heif_context_write (context, &writer, packed->file));
  g_auto (FsHeifBoxes) boxes = { 0 };
  g_assert_cmpint (fs_heif_boxes_read (&boxes, packed->file->data, packed->file->len), ==,
                   FS_HEIF_SOUND);
  const FsHeifItem *item = fs_heif_boxes_find (&boxes, boxes.primary);
  /* HEVC's pictures of less than 64 a side would be in a grid of one tile. */
  g_assert_cmpuint (item->settings->len, ==, 1);
  packed->settings = g_array_index (item->settings, FsHeifSpan, 0);
  packed->data = g_array_index (item->extents, FsHeifSpan, 0);
  heif_encoder_release (encoder);
  heif_image_release (image);
  heif_context_free (context);
  return packed;
}

static void
packed_free (gpointer data)
{
  Packed *packed = data;
  g_byte_array_unref (packed->file);
  g_free (packed);
}

/* --- Boxes ------------------------------------------------------------------------------------ */

static void
put (GByteArray *bytes, guint64 value, int n_bytes)
{
  for (int i = n_bytes - 1; i >= 0; i--) {
    const uint8_t byte = (uint8_t)(value >> 8 * i);
    g_byte_array_append (bytes, &byte, 1);
  }
}

/* Returns where the box begins. */
static guint
begin (GByteArray *bytes, const char *type)
{
  const guint at = bytes->len;
  put (bytes, 0, 4);
  g_byte_array_append (bytes, (const guint8 *)type, 4);
  return at;
}

static guint
begin_full (GByteArray *bytes, const char *type, guint version, guint flags)
{
  const guint at = begin (bytes, type);
  put (bytes, version << 24 | flags, 4);
  return at;
}

static void
end (GByteArray *bytes, guint at)
{
  const guint n_bytes = bytes->len - at;
  for (int i = 0; i < 4; i++)
    bytes->data[at + (guint)i] = (guint8)(n_bytes >> (24 - 8 * i));
}

static guint
add_property (Heif *heif, const char *type, const void *data, gsize n_bytes)
{
  const guint at = begin (heif->properties, type);
  g_byte_array_append (heif->properties, data, (guint)n_bytes);
  end (heif->properties, at);
  return ++heif->n_properties;
}

static guint
add_size (Heif *heif, int width, int height)
{
  const guint at = begin_full (heif->properties, "ispe", 0, 0);
  put (heif->properties, (guint)width, 4);
  put (heif->properties, (guint)height, 4);
  end (heif->properties, at);
  return ++heif->n_properties;
}

static guint
add_crop (Heif *heif, int width, int height)
{
  const MadeHeif *spec = heif->spec;
  const int numbers[] = { width - spec->crop_left, 1, height - spec->crop_top, 1,
                          spec->crop_left,         2, spec->crop_top,          2 };
  const guint at = begin (heif->properties, "clap");
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    put (heif->properties, (guint)numbers[i], 4);
  end (heif->properties, at);
  return ++heif->n_properties;
}

static void
add_reference (Heif *heif, const char *type, guint32 from, guint n, guint32 first_to, guint32 step)
{
  const guint at = begin (heif->references, type);
  put (heif->references, from, 2);
  put (heif->references, n, 2);
  for (guint i = 0; i < n; i++)
    put (heif->references, first_to + i * step, 2);
  end (heif->references, at);
}

static Item *
add_item (Heif *heif, guint32 id, const char *type)
{
  const Item item = { .id = id, .type = type };
  g_array_append_val (heif->items, item);
  return &g_array_index (heif->items, Item, heif->items->len - 1);
}

static void
give (Item *item, guint property)
{
  guint i = 0;
  while (item->properties[i])
    i++;
  g_assert_cmpuint (i + 1, <, G_N_ELEMENTS (item->properties));
  item->properties[i] = property;
}

/* --- Items ------------------------------------------------------------------------------------ */

static Item *
add_packed (Heif *heif, guint32 id, Packed *packed, int width, int height)
{
  const MadeHeif *spec = heif->spec;
  Item *item = add_item (heif, id, spec->av1 ? "av01" : "hvc1");
  g_ptr_array_add (heif->packed, packed);
  item->data = &packed->data;
  give (item, add_size (heif, width, height));
  give (item, add_property (heif, spec->av1 ? "av1C" : "hvcC", packed->settings.data,
                            packed->settings.n_bytes));
  return item;
}

/* The tiles come after the grid, in the list and in their numbers. */
static void
add_grid (Heif *heif, int width, int height)
{
  const MadeHeif *spec = heif->spec;
  const gboolean is_large = spec->lie == MADE_HEIF_LARGE_GRID;
  const guint n_tiles = (guint)(spec->columns * spec->rows);
  Item *grid = add_item (heif, PRIMARY, "grid");
  put (heif->idat, 0, 2);
  put (heif->idat, (guint)spec->rows - 1, 1);
  put (heif->idat, (guint)spec->columns - 1, 1);
  put (heif->idat, is_large ? 30000 : (guint)width, 2);
  put (heif->idat, is_large ? 30000 : (guint)height, 2);
  give (grid, add_size (heif, width, height));
  if (spec->lie == MADE_HEIF_TILE_CIRCLE)
    add_reference (heif, "dimg", PRIMARY, n_tiles, PRIMARY, 0);
  else
    add_reference (heif, "dimg", PRIMARY, n_tiles, FIRST_TILE, 1);
  for (int i = 0; i < (int)n_tiles; i++) {
    struct heif_image *image = draw (spec, i % spec->columns * spec->width,
                                     i / spec->columns * spec->height, width, height, FALSE);
    add_packed (heif, FIRST_TILE + (guint)i, pack (spec, image, spec->grey), spec->width,
                spec->height);
  }
}

static void
add_picture (Heif *heif, int width, int height)
{
  const MadeHeif *spec = heif->spec;
  if (spec->columns > 0)
    add_grid (heif, width, height);
  else
    add_packed (heif, PRIMARY, pack (spec, draw (spec, 0, 0, width, height, FALSE), spec->grey),
                width, height);
  Item *primary = &g_array_index (heif->items, Item, 0);
  if (spec->type)
    primary->type = spec->type;
  if (spec->profile) {
    g_autoptr (GByteArray) profile = g_byte_array_new ();
    g_byte_array_append (profile, (const guint8 *)"prof", 4);
    g_byte_array_append (profile, spec->profile, (guint)spec->n_profile);
    give (primary, add_property (heif, "colr", profile->data, profile->len));
  }
  if (spec->primaries) {
    const uint8_t nclx[] = {
      'n', 'c', 'l', 'x', 0, (uint8_t)spec->primaries, 0, (uint8_t)spec->transfer, 0, 1, 0x80
    };
    give (primary, add_property (heif, "colr", nclx, sizeof nclx));
  }
  const uint8_t turns = (uint8_t)spec->turns, axis = (uint8_t)(spec->mirror - 1);
  if (spec->crop_left > 0 || spec->crop_top > 0)
    give (primary, add_crop (heif, width, height));
  if (spec->turns > 0)
    give (primary, add_property (heif, "irot", &turns, 1));
  if (spec->mirror > 0)
    give (primary, add_property (heif, "imir", &axis, 1));
}

static void
add_alpha (Heif *heif, int width, int height)
{
  static const char kind[] = "\0\0\0\0urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
  const MadeHeif *spec = heif->spec;
  const gboolean in_circle = spec->lie == MADE_HEIF_ALPHA_CIRCLE;
  Item *alpha = add_packed (heif, ALPHA, pack (spec, draw (spec, 0, 0, width, height, TRUE), TRUE),
                            width, height);
  give (alpha, add_property (heif, "auxC", kind, sizeof kind));
  add_reference (heif, "auxl", ALPHA, 1, PRIMARY, 0);
  if (spec->multiplied)
    add_reference (heif, "prem", PRIMARY, 1, ALPHA, 0);
  if (in_circle) {
    give (&g_array_index (heif->items, Item, 0), alpha->properties[2]);
    add_reference (heif, "auxl", PRIMARY, 1, ALPHA, 0);
  }
}

static void
add_exif (Heif *heif)
{
  heif->exif = made_exif (heif->spec->orientation, TRUE, FALSE);
  g_byte_array_prepend (heif->exif, (const guint8 *)"\0\0\0\0", 4);
  heif->exif_span = (FsHeifSpan){ heif->exif->data, heif->exif->len };
  add_item (heif, EXIF, "Exif")->data = &heif->exif_span;
  add_reference (heif, "cdsc", EXIF, 1, PRIMARY, 0);
}

/* Notes that are all the first packed picture, or nothing. */
static void
add_notes (Heif *heif, guint n, gboolean with_data)
{
  const Packed *packed = heif->packed->pdata[0];
  for (guint i = 0; i < n; i++) {
    Item *note = add_item (heif, FIRST_NOTE + i, "note");
    if (with_data) {
      note->data = &packed->data;
      add_reference (heif, "cdsc", note->id, 1, PRIMARY, 0);
    }
  }
}

/* --- The file --------------------------------------------------------------------------------- */

static void
put_items (GByteArray *bytes, const Heif *heif)
{
  const guint at = begin_full (bytes, "iinf", 0, 0);
  put (bytes, heif->items->len, 2);
  for (guint i = 0; i < heif->items->len; i++) {
    const Item *item = &g_array_index (heif->items, Item, i);
    const guint inner = begin_full (bytes, "infe", 2, 0);
    put (bytes, item->id, 2);
    put (bytes, 0, 2);
    g_byte_array_append (bytes, (const guint8 *)item->type, 4);
    put (bytes, 0, 1);
    end (bytes, inner);
  }
  end (bytes, at);
}

static void
put_properties (GByteArray *bytes, const Heif *heif)
{
  const guint at = begin (bytes, "iprp");
  const guint container = begin (bytes, "ipco");
  g_byte_array_append (bytes, heif->properties->data, heif->properties->len);
  end (bytes, container);
  const guint inner = begin_full (bytes, "ipma", 0, 1);
  put (bytes, heif->items->len, 4);
  for (guint i = 0; i < heif->items->len; i++) {
    const Item *item = &g_array_index (heif->items, Item, i);
    guint n = 0;
    while (item->properties[n])
      n++;
    put (bytes, item->id, 2);
    put (bytes, n, 1);
    for (guint k = 0; k < n; k++)
      put (bytes, item->properties[k], 2);
  }
  end (bytes, inner);
  end (bytes, at);
}

/* Where the item's bytes will be, from the first of the box mdat on; each stretch is there once. */
static guint
place (GPtrArray *stretches, const FsHeifSpan *data)
{
  guint at = 0;
  for (guint i = 0; i < stretches->len; i++) {
    const FsHeifSpan *stretch = stretches->pdata[i];
    if (stretch == data)
      return at;
    at += (guint)stretch->n_bytes;
  }
  g_ptr_array_add (stretches, (gpointer)data);
  return at;
}

static void
put_places (GByteArray *bytes, const Heif *heif, GPtrArray *stretches, guint start)
{
  const guint at = begin_full (bytes, "iloc", 1, 0);
  const guint n_empty = heif->spec->lie == MADE_HEIF_MANY_ITEMS ? N_MANY : 0;
  put (bytes, 0x4400, 2);
  put (bytes, heif->items->len - n_empty, 2);
  for (guint i = 0; i < heif->items->len; i++) {
    const Item *item = &g_array_index (heif->items, Item, i);
    const gboolean is_grid = strcmp (item->type, "grid") == 0;
    if (!item->data && !is_grid)
      continue;
    put (bytes, item->id, 2);
    put (bytes, is_grid, 2);
    put (bytes, 0, 2);
    put (bytes, 1, 2);
    put (bytes, item->data ? start + place (stretches, item->data) : 0, 4);
    put (bytes, item->data ? item->data->n_bytes : heif->idat->len, 4);
  }
  end (bytes, at);
}

static void
put_meta (GByteArray *bytes, const Heif *heif, GPtrArray *stretches, guint start)
{
  static const guint8 handler[] = "\0\0\0\0pict\0\0\0\0\0\0\0\0\0\0\0\0";
  const guint at = begin_full (bytes, "meta", 0, 0);
  guint inner = begin_full (bytes, "hdlr", 0, 0);
  g_byte_array_append (bytes, handler, sizeof handler);
  end (bytes, inner);
  inner = begin_full (bytes, "pitm", 0, 0);
  put (bytes, PRIMARY, 2);
  end (bytes, inner);
  put_items (bytes, heif);
  inner = begin_full (bytes, "iref", 0, 0);
  g_byte_array_append (bytes, heif->references->data, heif->references->len);
  end (bytes, inner);
  put_properties (bytes, heif);
  put_places (bytes, heif, stretches, start);
  inner = begin (bytes, "idat");
  g_byte_array_append (bytes, heif->idat->data, heif->idat->len);
  end (bytes, inner);
  end (bytes, at);
}

static GByteArray *
put_file (const Heif *heif)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GPtrArray) stretches = g_ptr_array_new ();
  const char *brand = heif->spec->brand ? heif->spec->brand : heif->spec->av1 ? "avif" : "heic";
  guint at = begin (bytes, "ftyp");
  g_byte_array_append (bytes, (const guint8 *)brand, 4);
  put (bytes, 0, 4);
  g_byte_array_append (bytes, (const guint8 *)"mif1heicavif", 12);
  end (bytes, at);
  /* Once to learn how long it is. */
  g_autoptr (GByteArray) trial = g_byte_array_new ();
  put_meta (trial, heif, stretches, 0);
  put_meta (bytes, heif, stretches, bytes->len + trial->len + 8);
  at = begin (bytes, "mdat");
  for (guint i = 0; i < stretches->len; i++) {
    const FsHeifSpan *stretch = stretches->pdata[i];
    g_byte_array_append (bytes, stretch->data, (guint)stretch->n_bytes);
  }
  end (bytes, at);
  return bytes;
}

GByteArray *
made_heif (const MadeHeif *asked)
{
  MadeHeif spec = *asked;
  spec.bits = spec.bits ? spec.bits : 8;
  /* The last tiles reach over by a few pixels. */
  const int width = spec.columns ? spec.columns * spec.width - 6 : spec.width;
  const int height = spec.rows ? spec.rows * spec.height - 10 : spec.height;
  Heif heif = { .spec = &spec,
                .items = g_array_new (FALSE, FALSE, sizeof (Item)),
                .packed = g_ptr_array_new_with_free_func (packed_free),
                .properties = g_byte_array_new (),
                .references = g_byte_array_new (),
                .idat = g_byte_array_new () };
  add_picture (&heif, width, height);
  if (spec.with_alpha)
    add_alpha (&heif, width, height);
  if (spec.orientation)
    add_exif (&heif);
  if (spec.lie == MADE_HEIF_MANY_ITEMS)
    add_notes (&heif, N_MANY, FALSE);
  if (spec.lie == MADE_HEIF_MANY_COPIES)
    add_notes (&heif, N_COPIES, TRUE);
  GByteArray *bytes = put_file (&heif);
  g_array_unref (heif.items);
  g_ptr_array_unref (heif.packed);
  g_byte_array_unref (heif.properties);
  g_byte_array_unref (heif.references);
  g_byte_array_unref (heif.idat);
  g_clear_pointer (&heif.exif, g_byte_array_unref);
  return bytes;
}
#endif
