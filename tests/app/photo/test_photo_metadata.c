/* SPDX-License-Identifier: MIT */
/* What files say beside their pixels, in all the places and forms in which programs write it. */
#include "app/photo/metadata_reader.h"
#include "app/photo/input/xmp.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <string.h>
#include <time.h>
#include <zlib.h>

static char *folder;

#define XMP_NAME "http://ns.adobe.com/xap/1.0/"

/* --- Bytes ------------------------------------------------------------------------------------ */

static GByteArray *
make_bytes (const void *bytes, gsize n_bytes)
{
  return g_byte_array_append (g_byte_array_new (), bytes, (guint)n_bytes);
}

static void
append_array (GByteArray *to, const GByteArray *from)
{
  g_byte_array_append (to, from->data, from->len);
}

/* `as_element`: or an attribute; `prefix` stands for TIFF's namespace. */
static GByteArray *
make_xmp (int orientation, gboolean as_element, const char *prefix)
{
  g_autofree char *text = g_strdup_printf (
      as_element ? "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta "
                   "xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='rdf#'><rdf:Description "
                   "xmlns:%s='http://ns.adobe.com/tiff/1.0/'><%s:Orientation> %d\n</%s:Orientation>"
                   "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
                 : "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='rdf#'><rdf:Description "
                   "xmlns:%s='http://ns.adobe.com/tiff/1.0/' %s:Orientation='%d'/><!-- %s -->"
                   "</rdf:RDF></x:xmpmeta>",
      prefix, prefix, orientation, prefix);
  return make_bytes (text, strlen (text));
}

/* A profile of n bytes with one tag at its end, as it should be: a little of everything in it. */
static GByteArray *
make_icc (guint n_bytes, const char *space)
{
  GByteArray *icc = g_byte_array_new ();
  g_byte_array_set_size (icc, n_bytes);
  for (guint i = 0; i < n_bytes; i++)
    icc->data[i] = (guint8)(i * 37 + i / 256);
  memset (icc->data, 0, 144);
  for (int i = 0; i < 4; i++) {
    icc->data[i] = (guint8)(n_bytes >> (24 - 8 * i));
    icc->data[140 + i] = (guint8)((n_bytes - 144) >> (24 - 8 * i));
  }
  icc->data[8] = 4;
  memcpy (icc->data + 16, space, 4);
  memcpy (icc->data + 36, "acsp", 4);
  icc->data[131] = 1;
  memcpy (icc->data + 132, "desc", 4);
  icc->data[139] = 144;
  return icc;
}

static void
append_marker (GByteArray *jpeg, guint8 marker, guint n_fill, const GByteArray *data)
{
  for (guint i = 0; i < n_fill; i++)
    g_byte_array_append (jpeg, (const guint8 *)"\xff", 1);
  const guint8 head[] = { 0xff, marker, (guint8)((data->len + 2) >> 8), (guint8)(data->len + 2) };
  g_byte_array_append (jpeg, head, sizeof head);
  append_array (jpeg, data);
}

/* `blocks` go in front of all others of a JPEG. */
static GByteArray *
make_jpeg (const GByteArray *blocks)
{
  const MadeJpeg spec = { 24, 16, MADE_JPEG_YCC };
  g_autoptr (GByteArray) plain = made_jpeg (&spec);
  GByteArray *jpeg = make_bytes (plain->data, 2);
  append_array (jpeg, blocks);
  return g_byte_array_append (jpeg, plain->data + 2, plain->len - 2);
}

typedef void (*PutChunks) (GByteArray *png, gconstpointer data);

static GByteArray *
make_png (PutChunks put, gconstpointer data, gboolean after_pixels)
{
  guint8 rows[16 * (1 + 3 * 24)] = { 0 };
  GByteArray *png = made_png_begin (24, 16, 8, 2, FALSE);
  if (!after_pixels)
    put (png, data);
  made_png_pixels (png, rows, sizeof rows);
  if (after_pixels)
    put (png, data);
  made_png_end (png);
  return png;
}

#ifdef HAVE_WEBP
static GByteArray *
make_webp (const char *name, const GByteArray *data)
{
  const MadeWebp spec = { 24, 16 };
  GByteArray *webp = made_webp (&spec);
  const guint8 size[] = { (guint8)data->len, (guint8)(data->len >> 8), (guint8)(data->len >> 16),
                          0 };
  g_byte_array_append (webp, (const guint8 *)name, 4);
  g_byte_array_append (webp, size, sizeof size);
  append_array (webp, data);
  if (data->len % 2)
    g_byte_array_append (webp, (const guint8 *)"", 1);
  const guint32 n = webp->len - 8;
  for (int i = 0; i < 4; i++)
    webp->data[4 + i] = (guint8)(n >> 8 * i);
  return webp;
}
#endif

/* --- What is found ---------------------------------------------------------------------------- */

static FsPhotoMetadata *
read_metadata (const GByteArray *bytes)
{
  g_autofree char *path = made_file (folder, "photo", bytes->data, bytes->len);
  return fs_photo_metadata_read (path);
}

/* The photo itself is turned so, too. Takes the bytes. */
static void
assert_orientation (GByteArray *bytes, int orientation)
{
  g_autoptr (GByteArray) taken = bytes;
  g_autoptr (FsPhotoMetadata) metadata = read_metadata (taken);
  g_autofree char *path = made_file (folder, "photo", taken->data, taken->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_cmpint (metadata->orientation, ==, orientation);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  g_assert_cmpint (photo->metadata->orientation, ==, orientation);
  g_assert_cmpint (photo->image->width, ==, orientation >= 5 ? 16 : 24);
}

/* Takes the bytes; `icc` NULL: there is none. */
static void
assert_icc (GByteArray *bytes, const GByteArray *icc)
{
  g_autoptr (GByteArray) taken = bytes;
  g_autoptr (FsPhotoMetadata) metadata = read_metadata (taken);
  if (!icc) {
    g_assert_null (metadata->icc);
    return;
  }
  g_assert_nonnull (metadata->icc);
  g_assert_cmpmem (g_bytes_get_data (metadata->icc, NULL), g_bytes_get_size (metadata->icc),
                   icc->data, icc->len);
}

/* --- JPEG ------------------------------------------------------------------------------------- */

static GByteArray *
make_app1_xmp (int orientation, gboolean as_element)
{
  g_autoptr (GByteArray) xmp = make_xmp (orientation, as_element, "tiff");
  GByteArray *app1 = make_bytes (XMP_NAME, sizeof XMP_NAME);
  append_array (app1, xmp);
  return app1;
}

static void
test_jpeg_orientation (void)
{
  for (int orientation = 1; orientation <= 8; orientation++)
    for (guint n_fill = 0; n_fill < 4; n_fill++) {
      g_autoptr (GByteArray) blocks = g_byte_array_new ();
      g_autoptr (GByteArray) exif = made_exif (orientation, n_fill & 1, TRUE);
      append_marker (blocks, 0xe1, n_fill, exif);
      assert_orientation (make_jpeg (blocks), orientation);
      g_autoptr (GByteArray) other = g_byte_array_new ();
      g_autoptr (GByteArray) xmp = make_app1_xmp (orientation, n_fill & 1);
      append_marker (other, 0xe1, n_fill, xmp);
      assert_orientation (make_jpeg (other), orientation);
    }
}

/* Whichever comes first in the file. */
static void
test_exif_before_xmp (void)
{
  for (int exif_says = 0; exif_says <= 9; exif_says += 3)
    for (int xmp_first = 0; xmp_first < 2; xmp_first++) {
      g_autoptr (GByteArray) blocks = g_byte_array_new ();
      g_autoptr (GByteArray) exif = made_exif (exif_says, FALSE, TRUE);
      g_autoptr (GByteArray) xmp = make_app1_xmp (8, TRUE);
      append_marker (blocks, 0xe1, 0, xmp_first ? xmp : exif);
      append_marker (blocks, 0xe1, 0, xmp_first ? exif : xmp);
      assert_orientation (make_jpeg (blocks), exif_says >= 1 && exif_says <= 8 ? exif_says : 8);
    }
}

static void
append_part (GByteArray *jpeg, guint n_fill, guint8 number, guint8 n_parts, const guint8 *bytes,
             gsize n_bytes)
{
  g_autoptr (GByteArray) data = make_bytes ("ICC_PROFILE", 12);
  const guint8 numbers[] = { number, n_parts };
  g_byte_array_append (data, numbers, sizeof numbers);
  g_byte_array_append (data, bytes, (guint)n_bytes);
  append_marker (jpeg, 0xe2, n_fill, data);
}

/* Parts as the digits of `order` say, which all parts must make up; `from`: the number of the
 * first. */
static void
check_parts (const char *order, guint8 n_parts, guint8 from, guint n_fill, gboolean is_whole)
{
  g_autoptr (GByteArray) icc = make_icc (1001, "RGB ");
  g_autoptr (GByteArray) blocks = g_byte_array_new ();
  const gsize n_part = (icc->len + n_parts - 1) / n_parts;
  for (const char *c = order; *c; c++) {
    const gsize at = (gsize)(*c - '1') * n_part;
    append_part (blocks, n_fill, (guint8)(*c - '1' + from), n_parts, icc->data + at,
                 MIN (n_part, icc->len - at));
  }
  assert_icc (make_jpeg (blocks), is_whole ? icc : NULL);
}

/* A part may hold nothing. */
static void
check_empty_part (guint8 number)
{
  g_autoptr (GByteArray) icc = make_icc (580, "RGB "), blocks = g_byte_array_new ();
  const guint half = icc->len / 2;
  for (guint8 i = 1, n = 0; i <= 3; i++)
    if (i == number)
      append_part (blocks, 0, i, 3, icc->data, 0);
    else
      append_part (blocks, 0, i, 3, icc->data + n++ * half, half);
  assert_icc (make_jpeg (blocks), icc);
}

static void
test_jpeg_parts (void)
{
  for (guint8 number = 1; number <= 3; number++)
    check_empty_part (number);
  static const char *const orders[] = { "123", "132",  "213",   "231",    "312",
                                        "321", "1123", "12233", "321321", "31213" };
  for (guint n_fill = 0; n_fill < 4; n_fill++)
    for (gsize i = 0; i < G_N_ELEMENTS (orders); i++)
      check_parts (orders[i], 3, 1, n_fill, TRUE);
  check_parts ("1", 1, 1, 2, TRUE);
  check_parts ("123", 3, 0, 0, TRUE);
  check_parts ("12", 3, 1, 0, FALSE);
  check_parts ("23", 3, 1, 0, FALSE);
}

/* --- PNG -------------------------------------------------------------------------------------- */

static void
put_exif (GByteArray *png, gconstpointer data)
{
  const GByteArray *exif = data;
  made_png_chunk (png, "eXIf", exif->data, exif->len);
}

typedef struct {
  const char *key, *type; /* type: tEXt, zTXt, iTXt, or iTXz for a packed one */
  GByteArray *text;
} Text;

static void
put_text (GByteArray *png, gconstpointer data)
{
  const Text *text = data;
  const gboolean is_packed = text->type[0] == 'z' || text->type[3] == 'z';
  g_autoptr (GByteArray) chunk = make_bytes (text->key, strlen (text->key) + 1);
  uLongf n = compressBound (text->text->len);
  g_autofree guint8 *packed = g_malloc (n);
  g_assert_cmpint (compress (packed, &n, text->text->data, text->text->len), ==, Z_OK);
  if (text->type[0] == 'z')
    g_byte_array_append (chunk, (const guint8 *)"", 1);
  else if (text->type[0] == 'i')
    g_byte_array_append (chunk, (const guint8 *)(is_packed ? "\1\0en\0key" : "\0\0en\0key"), 9);
  g_byte_array_append (chunk, is_packed ? packed : text->text->data,
                       is_packed ? (guint)n : text->text->len);
  const char type[] = { text->type[0], text->type[1], text->type[2], 't', 0 };
  made_png_chunk (png, type, chunk->data, chunk->len);
}

static GByteArray *
make_raw (const char *name, const GByteArray *bytes)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "\n%s\n%8u", name, bytes->len);
  for (guint i = 0; i < bytes->len; i++)
    g_string_append_printf (text, i % 36 == 0 ? "\n%02x" : "%02x", bytes->data[i]);
  g_string_append_c (text, '\n');
  GByteArray *raw = make_bytes (text->str, text->len);
  g_string_free (text, TRUE);
  return raw;
}

static void
test_png_orientation (void)
{
  for (int orientation = 1; orientation <= 8; orientation++)
    for (int variant = 0; variant < 8; variant++) {
      g_autoptr (GByteArray) exif = made_exif (orientation, variant & 1, variant & 2);
      assert_orientation (make_png (put_exif, exif, variant & 4), orientation);
    }
}

static void
test_png_texts (void)
{
  static const char *const types[] = { "tEXt", "zTXt", "iTXt", "iTXz" };
  for (int i = 0; i < 2 * (int)G_N_ELEMENTS (types); i++) {
    g_autoptr (GByteArray) exif = made_exif (6, FALSE, TRUE);
    g_autoptr (GByteArray) bare = made_exif (5, TRUE, FALSE);
    g_autoptr (GByteArray) app1 = make_app1_xmp (7, FALSE);
    g_autoptr (GByteArray) xmp = make_xmp (8, i & 1, "t");
    g_autoptr (GByteArray) raw_exif = make_raw ("exif", exif);
    g_autoptr (GByteArray) raw_bare = make_raw ("exif", bare);
    g_autoptr (GByteArray) raw_app1 = make_raw ("generic profile", app1);
    const char *type = types[i / 2];
    const Text texts[] = { { "Raw profile type exif", type, raw_exif },
                           { "Raw profile type APP1", type, raw_exif },
                           { "Raw profile type exif", type, raw_bare },
                           { "Raw profile type APP1", type, raw_app1 },
                           { "XML:com.adobe.xmp", type, xmp } };
    static const int orientations[] = { 6, 6, 5, 7, 8 };
    for (gsize k = 0; k < G_N_ELEMENTS (texts); k++)
      assert_orientation (make_png (put_text, &texts[k], i & 1), orientations[k]);
  }
}

typedef struct {
  const GByteArray *icc;
  const char *before; /* what comes before the profile */
  guint n_before;
  gsize n_bytes; /* of each */
} Trailing;

static void
append_trailing (GByteArray *png, gconstpointer data)
{
  const Trailing *trailing = data;
  g_autofree guint8 *text = g_malloc (trailing->n_bytes);
  memset (text, ' ', trailing->n_bytes);
  memcpy (text, "Comment", 8);
  for (guint i = 0; i < trailing->n_before; i++)
    made_png_chunk (png, trailing->before, text, trailing->n_bytes);
  guint8 *chunk = g_malloc (trailing->icc->len + 1024);
  uLongf n = trailing->icc->len + 1000;
  memcpy (chunk, "any\0", 5);
  g_assert_cmpint (compress (chunk + 5, &n, trailing->icc->data, trailing->icc->len), ==, Z_OK);
  made_png_chunk (png, "iCCP", chunk, (gsize)n + 5);
  g_free (chunk);
}

static void
test_png_trailing (void)
{
  g_autoptr (GByteArray) icc = make_icc (580, "RGB ");
  const Trailing many[] = {
    { icc, "tEXt", 0, 10 },          { icc, "tEXt", 1100, 10 },       { icc, "prIv", 5000, 9 },
    { icc, "tEXt", 1, 1100 * 1000 }, { icc, "prIv", 1, 5 * 1000000 }, { icc, "zTXt", 2000, 12 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (many); i++) {
    g_autoptr (GByteArray) png = make_png (append_trailing, &many[i], FALSE);
    g_autofree char *path = made_file (folder, "photo", png->data, png->len);
    g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, NULL);
    g_assert_nonnull (photo);
    assert_icc (g_steal_pointer (&png), icc);
  }
}

/* --- Encodings of XMP ---------------------------------------------------------------------------
 */

static void
assert_xmp (const void *start, gsize n_start, const void *packet, gsize n_packet, int orientation)
{
  g_autoptr (GByteArray) xmp = make_bytes (start, n_start);
  g_byte_array_append (xmp, packet, (guint)n_packet);
  g_autoptr (FsPhotoMetadata) metadata = g_new0 (FsPhotoMetadata, 1);
  fs_xmp_read ((const char *)xmp->data, xmp->len, metadata);
  g_assert_cmpint (metadata->orientation, ==, orientation);
}

static void
test_xmp_encodings (void)
{
  g_autoptr (GByteArray) plain = make_xmp (6, TRUE, "tiff");
  const char *text = (const char *)plain->data;
  assert_xmp ("", 0, text, plain->len, 6);
  assert_xmp ("\xef\xbb\xbf", 3, text, plain->len, 6);
  assert_xmp ("<!-- \xe9 -->", 10, text, plain->len, 6);
  for (int is_big = 0; is_big < 2; is_big++) {
    gsize n_wide = 0;
    g_autofree char *wide = g_convert (text, (gssize)plain->len, is_big ? "UTF-16BE" : "UTF-16LE",
                                       "UTF-8", NULL, &n_wide, NULL);
    assert_xmp (is_big ? "\xfe\xff" : "\xff\xfe", 2, wide, n_wide, 6);
    assert_xmp (is_big ? "\xfe\xff" : "\xff\xfe", 2, wide, n_wide - 1, 6); /* half a letter lacks */
    assert_xmp (is_big ? "\xfe\xff" : "\xff\xfe", 2, "\xd8\xd8\xd8\xd8", 4, 0);
  }
}

/* --- WebP, TIFF ------------------------------------------------------------------------------- */

static void
test_webp (void)
{
#ifdef HAVE_WEBP
  for (int orientation = 1; orientation <= 8; orientation++)
    for (int variant = 0; variant < 4; variant++) {
      g_autoptr (GByteArray) exif = made_exif (orientation, variant & 1, variant & 2);
      g_autoptr (GByteArray) xmp = make_xmp (orientation, variant & 1, "tiff");
      assert_orientation (make_webp ("EXIF", exif), orientation);
      assert_orientation (make_webp ("XMP ", xmp), orientation);
    }
  for (guint n = 580; n < 584; n++) {
    g_autoptr (GByteArray) icc = make_icc (n, "RGB ");
    assert_icc (make_webp ("ICCP", icc), icc);
  }
#else
  g_test_skip ("built without WebP");
#endif
}

static void
test_tiff (void)
{
#ifdef HAVE_TIFF
  enum { ORIENTATION_TAG = 274 };
  for (int i = 0; i < 8 * 6; i++) {
    static const guint8 types[] = { 1, 3, 4, 6, 8, 9 };
    const MadeTiff spec = { 24, 16, .bits = 8, .n_samples = 3, .orientation = 1 + i % 8 };
    GByteArray *tiff = made_tiff (&spec);
    guint8 *entry = tiff->data + (tiff->data[4] | tiff->data[5] << 8) + 2;
    while ((entry[0] | entry[1] << 8) != ORIENTATION_TAG)
      entry += 12;
    entry[2] = types[i / 8];
    assert_orientation (tiff, spec.orientation);
  }
#else
  g_test_skip ("built without TIFF");
#endif
}

/* --- Profiles --------------------------------------------------------------------------------- */

static void
test_profile_lengths (void)
{
  for (guint n = 580; n < 584; n++)
    for (guint n_more = 0; n_more <= 64; n_more += n_more < 4 ? 1 : 20) {
      g_autoptr (GByteArray) icc = make_icc (n, n % 2 ? "RGB " : "CMYK");
      g_autoptr (GByteArray) longer = make_bytes (icc->data, icc->len);
      const Trailing png = { longer, "tEXt", 0, 10 };
      for (guint i = 0; i < n_more; i++)
        g_byte_array_append (longer, (const guint8 *)"x", 1);
      assert_icc (make_png (append_trailing, &png, FALSE), icc);
    }
}

/* A last tag whose padding counts but is not there is padded; what lacks more is no profile. */
static void
test_profile_cut (void)
{
  for (guint n_less = 1; n_less < 8; n_less++) {
    g_autoptr (GByteArray) icc = make_icc (580, "RGB ");
    g_autoptr (GByteArray) cut = make_bytes (icc->data, icc->len - n_less);
    const Trailing png = { cut, "tEXt", 0, 10 };
    memset (icc->data + icc->len - n_less, 0, n_less);
    assert_icc (make_png (append_trailing, &png, FALSE), n_less <= 3 ? icc : NULL);
  }
  g_autoptr (GByteArray) icc = make_icc (580, "RGB ");
  icc->data[143]++;
  const Trailing beyond = { icc, "tEXt", 0, 10 };
  assert_icc (make_png (append_trailing, &beyond, FALSE), NULL);
}

/* --- Texts and resolution --------------------------------------------------------------------- */

static void
test_texts (void)
{
  static const char xmp[] =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='rdf#'><rdf:Description "
      "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:t='http://ns.adobe.com/tiff/1.0/' "
      "t:XResolution='118/1' t:ResolutionUnit='3'><dc:rights><rdf:Alt><rdf:li/><rdf:li>\302\251 A "
      "&amp; B</rdf:li></rdf:Alt></dc:rights><dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B"
      "</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>";
  g_autoptr (GByteArray) bytes = make_bytes (xmp, sizeof xmp - 1);
  g_autoptr (GByteArray) latin = make_bytes ("caf\351 ", 5);
  const Text texts[] = { { "XML:com.adobe.xmp", "iTXt", bytes }, { "Description", "tEXt", latin } };
  for (int i = 0; i < 2; i++) {
    g_autoptr (GByteArray) png = make_png (put_text, &texts[i], FALSE);
    g_autoptr (FsPhotoMetadata) found = read_metadata (png);
    g_assert_cmpstr (found->artist, ==, i == 0 ? "A" : NULL);
    g_assert_cmpstr (found->copyright, ==, i == 0 ? "\302\251 A & B" : NULL);
    g_assert_cmpstr (found->description, ==, i == 0 ? NULL : "caf\303\251");
    g_assert_cmpfloat_with_epsilon (found->dpi_x, i == 0 ? 118 * 2.54 : 0, 0.001);
  }
}

static void
put_colours (GByteArray *png, gconstpointer data)
{
  static const guint8 density[] = { 0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1 };
  guint8 chrm[32] = { 0 };
  for (int i = 0; i < 8; i++)
    chrm[4 * i + 3] = (guint8)i;
  made_png_chunk (png, "gAMA", "\0\1\x86\xa0", 4);
  made_png_chunk (png, "cHRM", chrm, sizeof chrm);
  made_png_chunk (png, "cICP", "\x0c\x0d\0\1", 4);
  made_png_chunk (png, "sRGB", "\2", 1);
  made_png_chunk (png, "pHYs", density, sizeof density);
}

static void
test_png_colours (void)
{
  g_autoptr (GByteArray) png = make_png (put_colours, NULL, FALSE);
  g_autoptr (FsPhotoMetadata) found = read_metadata (png);
  g_assert_true (found->png.has_gama && found->png.has_chrm && found->png.has_srgb);
  g_assert_cmpuint (found->png.gama, ==, 100000);
  g_assert_cmpuint (found->png.srgb, ==, 2);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpuint (found->png.chrm[i], ==, i);
  g_assert_true (found->has_cicp && found->cicp[0] == 12 && found->cicp[3] == 1);
  g_assert_cmpfloat_with_epsilon (found->dpi_x, 300, 0.01);
}

/* --- Bombs ------------------------------------------------------------------------------------ */

static void
put_bombs (GByteArray *png, gconstpointer data)
{
  enum { N = 64, PACKED = 40 << 20 };
  g_autofree guint8 *zeros = g_malloc0 (PACKED);
  uLongf n = compressBound (PACKED);
  g_autofree guint8 *packed = g_malloc (n);
  static const char keys[][24] = { "Raw profile type exif", "XML:com.adobe.xmp" };
  g_assert_cmpint (compress (packed, &n, zeros, PACKED), ==, Z_OK);
  for (int i = 0; i < N; i++) {
    g_autoptr (GByteArray) chunk = make_bytes (keys[i % 2], strlen (keys[i % 2]) + 2);
    chunk->data[chunk->len - 1] = 0;
    g_byte_array_append (chunk, packed, (guint)n);
    made_png_chunk (png, "zTXt", chunk->data, chunk->len);
  }
}

typedef struct {
  const char *text; /* that is repeated */
  guint n_bytes;    /* of each packet   */
} Packets;

static void
put_packets (GByteArray *png, gconstpointer data)
{
  enum { N = 60 };
  const Packets *packets = data;
  const gsize n = strlen (packets->text);
  g_autoptr (GByteArray) chunk = make_bytes ("XML:com.adobe.xmp\0\0\0\0", 22);
  for (guint i = 0; i < packets->n_bytes; i += (guint)n)
    g_byte_array_append (chunk, (const guint8 *)packets->text, (guint)n);
  for (int i = 0; i < N; i++)
    made_png_chunk (png, "iTXt", chunk->data, chunk->len);
}

/* 60 packets of a megabyte, of elements within elements or after each other. */
static void
test_packets (void)
{
  static const Packets packets[] = { { "<a>", 1000000 },
                                     { "<a/>", 1000000 },
                                     { "<a b='c'/>", 1000000 } };
  const char *slowness = g_getenv ("FRETSAW_SLOWNESS");
  for (gsize i = 0; i < G_N_ELEMENTS (packets); i++) {
    g_autoptr (GByteArray) png = make_png (put_packets, &packets[i], FALSE);
    const clock_t start = clock ();
    g_autoptr (FsPhotoMetadata) found = read_metadata (png);
    g_assert_cmpint (found->orientation, ==, 1);
    g_assert_cmpint (clock () - start, <,
                     2 * CLOCKS_PER_SEC * (slowness ? g_ascii_strtoll (slowness, NULL, 10) : 1));
  }
}

/* 64 texts of 40 MB, and a TIFF directory whose every entry is the whole file. */
static void
test_bombs (void)
{
  g_autoptr (GByteArray) png = make_png (put_bombs, NULL, FALSE);
  const clock_t start = clock ();
  g_autoptr (FsPhotoMetadata) of_png = read_metadata (png);
  static const guint16 tags[] = { 0x8773, 0x02bc, 0x010e };
  g_autoptr (GByteArray) tiff = make_bytes ("II*\0\10\0\0\0\377\377", 10);
  for (guint i = 0; i < 65535; i++) {
    const guint16 tag = tags[i % 3];
    const guint8 entry[12] = { (guint8)tag, (guint8)(tag >> 8), 1, 0, 0, 0, 12, 0, 0, 0, 0, 0 };
    g_byte_array_append (tiff, entry, sizeof entry);
  }
  g_autoptr (FsPhotoMetadata) of_tiff = read_metadata (tiff);
  g_assert_cmpint (of_png->orientation, ==, 1);
  g_assert_cmpint (of_tiff->orientation, ==, 1);
  const char *slowness = g_getenv ("FRETSAW_SLOWNESS");
  g_assert_cmpint (clock () - start, <,
                   2 * CLOCKS_PER_SEC * (slowness ? g_ascii_strtoll (slowness, NULL, 10) : 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/metadata/jpeg-orientation", test_jpeg_orientation);
  g_test_add_func ("/metadata/exif-before-xmp", test_exif_before_xmp);
  g_test_add_func ("/metadata/xmp-encodings", test_xmp_encodings);
  g_test_add_func ("/metadata/jpeg-parts", test_jpeg_parts);
  g_test_add_func ("/metadata/png-orientation", test_png_orientation);
  g_test_add_func ("/metadata/png-texts", test_png_texts);
  g_test_add_func ("/metadata/png-trailing", test_png_trailing);
  g_test_add_func ("/metadata/webp", test_webp);
  g_test_add_func ("/metadata/tiff", test_tiff);
  g_test_add_func ("/metadata/profile-lengths", test_profile_lengths);
  g_test_add_func ("/metadata/profile-cut", test_profile_cut);
  g_test_add_func ("/metadata/texts", test_texts);
  g_test_add_func ("/metadata/png-colours", test_png_colours);
  g_test_add_func ("/metadata/bombs", test_bombs);
  g_test_add_func ("/metadata/packets", test_packets);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
