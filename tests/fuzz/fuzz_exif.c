/* SPDX-License-Identifier: MIT */
/* Exif and XMP that lie: what they say is within its range, and nothing beyond the bytes is read.
 * The first byte chooses. */
#include "app/export/parts/exif_write.h"
#include "app/photo/input/exif.h"
#include "app/photo/input/xmp.h"
#include "tests/app/photo/made_files.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* A block that goes along is upright, and says what it is given and did not say. */
static void
carry_block (const uint8_t *bytes, size_t n_bytes)
{
  FsByteSource source;
  g_autofree guint8 *upright = g_memdup2 (bytes, n_bytes);
  if (!fs_exif_make_upright (upright, n_bytes))
    return;
  g_autoptr (GBytes) block = g_bytes_new (upright, n_bytes);
  const FsPhotoMetadata given = { .block = block,
                                  .dpi_x = 300,
                                  .dpi_y = 300,
                                  .artist = (char *)"A",
                                  .description = (char *)"A robin" };
  g_autoptr (GByteArray) whole = fs_exif_complete_block (&given);
  g_autoptr (FsPhotoMetadata) own = fs_photo_metadata_new (), found = fs_photo_metadata_new ();
  fs_exif_read (fs_byte_source_init_memory (&source, upright, n_bytes), own);
  found->orientation = 0;
  fs_exif_read (fs_byte_source_init_memory (&source, whole->data, whole->len), found);
  g_assert_true (found->orientation <= 1);
  g_assert_true (own->dpi_x > 0 || found->dpi_x > 0);
  g_assert_true (own->artist || g_strcmp0 (found->artist, "A") == 0);
  g_assert_true (own->description || g_strcmp0 (found->description, "A robin") == 0);
  g_assert_true (fs_exif_make_upright (whole->data, whole->len));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  FsByteSource source;
  FsPhotoMetadata metadata = { 0 };
  if (n_bytes > 0 && bytes[0] == '<')
    fs_xmp_read ((const char *)bytes, n_bytes, &metadata);
  else
    fs_exif_read (fs_byte_source_init_memory (&source, bytes, n_bytes), &metadata);
  carry_block (bytes, n_bytes);
  g_assert_true (metadata.orientation >= 0 && metadata.orientation <= 8);
  g_assert_true (metadata.dpi_x >= 0 && metadata.dpi_y >= 0);
  char *texts[] = { metadata.artist, metadata.copyright, metadata.description };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_assert_true (!texts[i] || (*texts[i] && g_utf8_validate (texts[i], -1, NULL)));
    g_free (texts[i]);
  }
  return 0;
}

GPtrArray *
fuzz_corpus (void)
{
  static const char xmp[] =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='rdf#'><rdf:Description "
      "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' "
      "tiff:Orientation='6' tiff:XResolution='300/1'><dc:creator><rdf:Seq><rdf:li>A &amp; "
      "B</rdf:li>"
      "</rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>";
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (int orientation = 0; orientation <= 9; orientation++)
    for (int big_endian = 0; big_endian < 2; big_endian++)
      g_ptr_array_add (corpus, made_exif (orientation, big_endian, FALSE));
  GByteArray *packet = g_byte_array_new ();
  g_byte_array_append (packet, (const guint8 *)xmp, sizeof xmp - 1);
  g_ptr_array_add (corpus, packet);
  return corpus;
}
