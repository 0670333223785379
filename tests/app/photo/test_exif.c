/* SPDX-License-Identifier: MIT */
/* The reader of Exif, on data that lies. */
#include "app/photo/input/exif.h"
#include "tests/app/photo/made_files.h"

#include <string.h>

static int
orientation_of (const uint8_t *bytes, gsize n_bytes)
{
  FsByteSource source;
  FsPhotoMetadata metadata = { 0 };
  fs_exif_read (fs_byte_source_init_memory (&source, bytes, n_bytes), &metadata);
  g_free (metadata.artist);
  g_free (metadata.copyright);
  g_free (metadata.description);
  return MAX (metadata.orientation, 1);
}

static void
test_values (void)
{
  for (int big_endian = 0; big_endian < 2; big_endian++)
    for (int value = 0; value <= 10; value++) {
      g_autoptr (GByteArray) exif = made_exif (value, big_endian, FALSE);
      g_assert_cmpint (orientation_of (exif->data, exif->len), ==,
                       value >= 1 && value <= 8 ? value : 1);
    }
}

/* Reads of a copy that ends exactly at its last byte: a sanitizer sees one byte too far. */
static int
orientation_of_copy (const uint8_t *bytes, gsize n_bytes)
{
  g_autofree uint8_t *copy = g_malloc (MAX (n_bytes, 1));
  memcpy (copy, bytes, n_bytes);
  return orientation_of (copy, n_bytes);
}

static void
test_cut (void)
{
  g_autoptr (GByteArray) exif = made_exif (6, TRUE, FALSE);
  const gsize end_of_entry = 8 + 2 + 2 * 12;
  for (gsize n = 0; n <= exif->len; n++)
    g_assert_cmpint (orientation_of_copy (exif->data, n), ==, n >= end_of_entry ? 6 : 1);
}

static void
test_every_byte_changed (void)
{
  g_autoptr (GByteArray) exif = made_exif (6, FALSE, FALSE);
  for (guint i = 0; i < exif->len; i++)
    for (int value = 0; value < 256; value++) {
      const guint8 old = exif->data[i];
      exif->data[i] = (guint8)value;
      const int orientation = orientation_of_copy (exif->data, exif->len);
      g_assert_cmpint (orientation, >=, 1);
      g_assert_cmpint (orientation, <=, 8);
      exif->data[i] = old;
    }
}

static void
test_directory_far_away (void)
{
  static const guint32 offsets[] = { 0, 1, 30, 33, 34, 35, 36, 0x7fffffff, 0xfffffffe, 0xffffffff };
  for (gsize i = 0; i < G_N_ELEMENTS (offsets); i++) {
    g_autoptr (GByteArray) exif = made_exif (6, FALSE, FALSE);
    for (int k = 0; k < 4; k++)
      exif->data[4 + k] = (guint8)(offsets[i] >> 8 * k);
    g_assert_cmpint (orientation_of_copy (exif->data, exif->len), ==, 1);
  }
}

/* The directory claims 65,535 entries and has two. */
static void
test_too_many_entries (void)
{
  g_autoptr (GByteArray) exif = made_exif (5, TRUE, FALSE);
  exif->data[8] = exif->data[9] = 0xff;
  g_assert_cmpint (orientation_of_copy (exif->data, exif->len), ==, 5);
}

/* What stands behind the directory's last entry is none of it. */
static void
test_behind_the_entries (void)
{
  g_autoptr (GByteArray) exif = made_exif (5, TRUE, FALSE);
  g_assert_cmpint (exif->data[9], ==, 2);
  exif->data[9] = 1;
  g_assert_cmpint (orientation_of_copy (exif->data, exif->len), ==, 1);
}

/* A tag of text, of fractions or without a value says nothing. */
static void
test_other_type (void)
{
  static const uint8_t types[] = { 0, 2, 5, 10, 11, 12, 14, 99 };
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    g_autoptr (GByteArray) type = made_exif (6, TRUE, FALSE);
    type->data[8 + 2 + 12 + 3] = types[i];
    g_assert_cmpint (orientation_of_copy (type->data, type->len), ==, 1);
  }
  g_autoptr (GByteArray) count = made_exif (6, TRUE, FALSE);
  count->data[8 + 2 + 12 + 7] = 0;
  g_assert_cmpint (orientation_of_copy (count->data, count->len), ==, 1);
}

static void
append_number (GByteArray *to, guint64 value, guint n_bytes, gboolean big_endian)
{
  for (guint i = 0; i < n_bytes; i++) {
    const guint8 byte = (guint8)(value >> 8 * (big_endian ? n_bytes - 1 - i : i));
    g_byte_array_append (to, &byte, 1);
  }
}

/* One entry of any type and count, whose values are where they belong. */
static GByteArray *
make_typed (guint type, guint n_value, guint count, gint64 value, gboolean big_endian)
{
  GByteArray *exif = g_byte_array_new ();
  g_byte_array_append (exif, (const guint8 *)(big_endian ? "MM" : "II"), 2);
  append_number (exif, 42, 2, big_endian);
  append_number (exif, 8, 4, big_endian);
  append_number (exif, 1, 2, big_endian);
  append_number (exif, 0x0112, 2, big_endian);
  append_number (exif, type, 2, big_endian);
  append_number (exif, count, 4, big_endian);
  if (n_value * count > 4) {
    append_number (exif, 26, 4, big_endian);
    append_number (exif, 0, 4, big_endian);
  }
  append_number (exif, (guint64)value, n_value, big_endian);
  for (guint i = 1; i < count; i++)
    append_number (exif, 1, n_value, big_endian);
  append_number (exif, 0, 8, big_endian);
  return exif;
}

/* Every type of whole numbers, alone, twice and many times, in both byte orders. */
static void
test_integer_types (void)
{
  static const struct {
    guint type, n_value;
  } types[] = { { 1, 1 }, { 3, 2 }, { 4, 4 }, { 6, 1 }, { 7, 1 }, { 8, 2 }, { 9, 4 }, { 16, 8 } };
  static const guint counts[] = { 1, 2, 3, 7 };
  for (gsize i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (counts) * 2; i++) {
    const guint type = types[i / 8].type, n_value = types[i / 8].n_value;
    for (gint64 value = -1; value <= 9; value++) {
      g_autoptr (GByteArray) exif = make_typed (type, n_value, counts[i / 2 % 4], value, i % 2);
      g_assert_cmpint (orientation_of_copy (exif->data, exif->len), ==,
                       value >= 1 && value <= 8 ? value : 1);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exif/values", test_values);
  g_test_add_func ("/exif/cut", test_cut);
  g_test_add_func ("/exif/every-byte-changed", test_every_byte_changed);
  g_test_add_func ("/exif/directory-far-away", test_directory_far_away);
  g_test_add_func ("/exif/too-many-entries", test_too_many_entries);
  g_test_add_func ("/exif/behind-the-entries", test_behind_the_entries);
  g_test_add_func ("/exif/other-type", test_other_type);
  g_test_add_func ("/exif/integer-types", test_integer_types);
  return g_test_run ();
}
