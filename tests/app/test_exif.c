/* SPDX-License-Identifier: MIT */
/* The reader of the one Exif tag, on data that lies. */
#include "app/exif.h"
#include "tests/app/made_files.h"

#include <string.h>

static void
test_values (void)
{
  for (int big_endian = 0; big_endian < 2; big_endian++)
    for (int value = 0; value <= 10; value++) {
      g_autoptr (GByteArray) exif = made_exif (value, big_endian, FALSE);
      g_assert_cmpint (fs_exif_orientation (exif->data, exif->len), ==,
                       value >= 1 && value <= 8 ? value : 1);
    }
}

/* Reads of a copy that ends exactly at its last byte: a sanitizer sees one byte too far. */
static int
orientation_of_copy (const uint8_t *bytes, gsize n_bytes)
{
  g_autofree uint8_t *copy = g_malloc (MAX (n_bytes, 1));
  memcpy (copy, bytes, n_bytes);
  return fs_exif_orientation (copy, n_bytes);
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

/* A tag of another type or with two values says nothing. */
static void
test_other_type (void)
{
  g_autoptr (GByteArray) type = made_exif (6, TRUE, FALSE);
  type->data[8 + 2 + 12 + 3] = 4;
  g_assert_cmpint (orientation_of_copy (type->data, type->len), ==, 1);
  g_autoptr (GByteArray) count = made_exif (6, TRUE, FALSE);
  count->data[8 + 2 + 12 + 7] = 2;
  g_assert_cmpint (orientation_of_copy (count->data, count->len), ==, 1);
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
  return g_test_run ();
}
