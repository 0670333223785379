/* SPDX-License-Identifier: MIT */
/* Sessions and their photos: other metadata, other names, other folders, other pixels. */
#include "app/files/display_name.h"
#include "app/session/session_photo.h"
#include "tests/app/photo/made_files.h"

#include <glib/gstdio.h>
#include <string.h>

enum { WIDTH = 24, HEIGHT = 16 };

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = made_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  made_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* A photo whose pixels and whose bytes besides are one number each. */
static char *
make_photo (const Fixture *fixture, const char *name, guint8 pixels, guint8 text)
{
  guint8 rows[HEIGHT * (1 + 3 * WIDTH)];
  const char comment[] = { 'C', 'o', 'm', 'm', 'e', 'n', 't', 0, (char)text };
  memset (rows, pixels, sizeof rows);
  for (int y = 0; y < HEIGHT; y++)
    rows[y * (1 + 3 * WIDTH)] = 0;
  g_autoptr (GByteArray) png = made_png_begin (WIDTH, HEIGHT, 8, 2, FALSE);
  made_png_chunk (png, "tEXt", comment, sizeof comment);
  made_png_pixels (png, rows, sizeof rows);
  made_png_end (png);
  return made_file (fixture->folder, name, png->data, png->len);
}

/* A session of the photo, called `named` there; `is_old`: from before there were sums of pixels. */
static FsSession *
make_session (const char *photo, const char *named, gboolean is_old)
{
  g_autoptr (FsPhoto) loaded = fs_photo_load (photo, NULL, NULL, NULL);
  g_autofree char *sum = fs_session_sum_photo (photo, NULL, NULL);
  g_autofree char *pixels = fs_session_sum_pixels (loaded->image);
  FsSession *session = fs_session_new ();
  session->photo = g_strdup (named);
  session->width = WIDTH;
  session->height = HEIGHT;
  strcpy (session->sha256, sum);
  if (!is_old)
    strcpy (session->pixels, pixels);
  fs_session_add_usual_labels (session);
  return session;
}

/* The name of what is found for a session called `session_name`, or NULL. */
static char *
find (const Fixture *fixture, const FsSession *session, const char *session_name, const char *where,
      FsSessionFit *fit)
{
  g_auto (FsSessionPhoto) found = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->folder, session_name, NULL);
  const gboolean done =
      fs_session_photo_find (session, path, where, FS_SESSION_FIT_SIZE, &found, NULL, &error);
  g_assert_true (done == (found.photo != NULL) && done == (error == NULL));
  if (fit)
    *fit = done ? found.fit : FS_SESSION_FIT_NONE;
  g_autofree char *note = done ? fs_session_photo_note (&found) : NULL;
  if (done)
    g_assert_true ((note != NULL) == (found.fit <= FS_SESSION_FIT_SIZE || found.moved));
  return done ? g_path_get_basename (found.path) : NULL;
}

static void
assert_found (const Fixture *fixture, const FsSession *session, const char *session_name,
              const char *name, FsSessionFit fit)
{
  FsSessionFit got;
  g_autofree char *found = find (fixture, session, session_name, NULL, &got);
  g_assert_cmpstr (found, ==, name);
  g_assert_cmpint (got, ==, fit);
}

/* --- Fits ------------------------------------------------------------------------------------- */

static void
test_other_metadata (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "a.png", 70, 'x');
  g_autoptr (FsSession) session = make_session (photo, "a.png", FALSE);
  g_autoptr (FsSession) old = make_session (photo, "a.png", TRUE);
  assert_found (fixture, session, "a.fretsaw", "a.png", FS_SESSION_FIT_FILE);
  assert_found (fixture, old, "a.fretsaw", "a.png", FS_SESSION_FIT_FILE);
  g_free (make_photo (fixture, "a.png", 70, 'y'));
  assert_found (fixture, session, "a.fretsaw", "a.png", FS_SESSION_FIT_PIXELS);
  assert_found (fixture, old, "a.fretsaw", "a.png", FS_SESSION_FIT_SIZE);
  g_free (make_photo (fixture, "a.png", 71, 'x'));
  assert_found (fixture, session, "a.fretsaw", NULL, FS_SESSION_FIT_NONE);
  assert_found (fixture, old, "a.fretsaw", "a.png", FS_SESSION_FIT_SIZE);
  session->width++;
  old->width++;
  assert_found (fixture, session, "a.fretsaw", NULL, FS_SESSION_FIT_NONE);
  assert_found (fixture, old, "a.fretsaw", NULL, FS_SESSION_FIT_NONE);
}

/* Every pixel counts, where it is, each of its channels, and the shape. */
static void
test_sum_of_pixels (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (FsImage) image = fs_image_new (5, 4);
  for (int i = 0; i < 20; i++)
    image->pixels[i] = 0xff000000u;
  g_assert_true (g_hash_table_add (sums, fs_session_sum_pixels (image)));
  for (int i = 0; i < 20; i++)
    for (int bit = 0; bit < 32; bit += 8) {
      image->pixels[i] ^= 1u << bit;
      g_assert_true (g_hash_table_add (sums, fs_session_sum_pixels (image)));
      image->pixels[i] ^= 1u << bit;
    }
  g_autoptr (FsImage) tall = fs_image_new (4, 5);
  memcpy (tall->pixels, image->pixels, 20 * sizeof (uint32_t));
  g_assert_true (g_hash_table_add (sums, fs_session_sum_pixels (tall)));
  g_assert_false (g_hash_table_add (sums, fs_session_sum_pixels (image)));
}

static void
test_sum_is_as_written (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FsImage) image = fs_image_new (1, 1);
  image->pixels[0] = 0x44112233u;
  g_autofree char *sum = fs_session_sum_pixels (image);
  g_autofree char *by_hand =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, "\0\0\0\1\0\0\0\1\x11\x22\x33\x44", 12);
  g_assert_cmpstr (sum, ==, by_hand);
}

/* What is recorded comes back from the file, and a file without it is read. */
static void
test_recorded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "a.png", 70, 'x');
  for (int is_old = 0; is_old < 2; is_old++) {
    g_autoptr (FsSession) session = make_session (photo, "a.png", is_old);
    g_autofree char *text = fs_session_to_text (session);
    g_autoptr (FsSession) again = fs_session_parse ("a.fretsaw", text, strlen (text), NULL);
    g_assert_nonnull (again);
    g_assert_cmpstr (again->pixels, ==, session->pixels);
    g_assert_true ((strstr (text, "\"pixels\"") == NULL) == is_old);
  }
}

/* --- Places ----------------------------------------------------------------------------------- */

/* The photo is `name` now, with other metadata where `text` is not 'x', among others of its size.
 */
static void
check_renamed (const Fixture *fixture, const char *name, const char *session_name, guint8 text,
               gboolean is_old, FsSessionFit fit)
{
  g_autofree char *before = make_photo (fixture, "before.png", 70, 'x');
  g_free (make_photo (fixture, "another.png", 90, 'x'));
  g_free (make_photo (fixture, "zebra.png", 91, 'x'));
  g_autoptr (FsSession) session = make_session (before, "before.png", is_old);
  g_remove (before);
  g_autofree char *photo = make_photo (fixture, name, 70, text);
  assert_found (fixture, session, session_name, fit == FS_SESSION_FIT_NONE ? NULL : name, fit);
  g_remove (photo);
}

static void
test_renamed_together (Fixture *fixture, gconstpointer data)
{
  static const char *const names[][2] = { { "after.png", "after.fretsaw" },
                                          { "after.png", "after-png.fretsaw" },
                                          { "after.png", "after.png.fretsaw" },
                                          { "a.b.png", "a.b.fretsaw" } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    check_renamed (fixture, names[i][0], names[i][1], 'x', FALSE, FS_SESSION_FIT_FILE);
    check_renamed (fixture, names[i][0], names[i][1], 'y', FALSE, FS_SESSION_FIT_PIXELS);
    check_renamed (fixture, names[i][0], names[i][1], 'x', TRUE, FS_SESSION_FIT_FILE);
    check_renamed (fixture, names[i][0], names[i][1], 'y', TRUE, FS_SESSION_FIT_SIZE);
  }
}

/* By its sums, since its name says nothing. */
static void
test_renamed_alone (Fixture *fixture, gconstpointer data)
{
  check_renamed (fixture, "after.png", "work.fretsaw", 'x', FALSE, FS_SESSION_FIT_FILE);
  check_renamed (fixture, "after.png", "work.fretsaw", 'y', FALSE, FS_SESSION_FIT_PIXELS);
  check_renamed (fixture, "after.png", "work.fretsaw", 'x', TRUE, FS_SESSION_FIT_FILE);
  check_renamed (fixture, "after.png", "work.fretsaw", 'y', TRUE, FS_SESSION_FIT_NONE);
}

/* Another photo has taken the place, and the name, of the one that was painted on. */
static void
test_replaced (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "a.png", 70, 'x');
  g_autoptr (FsSession) session = make_session (photo, "a.png", FALSE);
  g_free (make_photo (fixture, "a.png", 90, 'x'));
  g_free (make_photo (fixture, "b.png", 70, 'y'));
  assert_found (fixture, session, "a.fretsaw", "b.png", FS_SESSION_FIT_PIXELS);
}

/* From other folders into one: the name that the session gives, without the way there. */
static void
test_moved (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "a.png", 70, 'x');
  g_autoptr (FsSession) session = make_session (photo, "../photos/a.png", FALSE);
  g_autoptr (FsSession) old = make_session (photo, "../photos/a.png", TRUE);
  g_free (make_photo (fixture, "a.png", 70, 'y'));
  assert_found (fixture, session, "work.fretsaw", "a.png", FS_SESSION_FIT_PIXELS);
  assert_found (fixture, old, "work.fretsaw", "a.png", FS_SESSION_FIT_SIZE);
}

static void
test_where (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "a.png", 70, 'x');
  g_autofree char *other = make_photo (fixture, "b.png", 90, 'x');
  g_autofree char *absent = g_build_filename (fixture->folder, "absent.png", NULL);
  g_autofree char *empty = g_build_filename (fixture->folder, "empty", NULL);
  g_autoptr (FsSession) session = make_session (photo, "a.png", FALSE);
  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  const struct {
    const char *where, *name;
    FsSessionFit fit;
  } cases[] = {
    { fixture->folder, "a.png", FS_SESSION_FIT_FILE },
    { photo, "a.png", FS_SESSION_FIT_FILE },
    { other, "b.png", FS_SESSION_FIT_CHANGED },
    { absent, NULL, FS_SESSION_FIT_NONE },
    { empty, NULL, FS_SESSION_FIT_NONE },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    FsSessionFit fit;
    g_autofree char *name = find (fixture, session, "elsewhere/a.fretsaw", cases[i].where, &fit);
    g_assert_cmpstr (name, ==, cases[i].name);
    g_assert_cmpint (fit, ==, cases[i].fit);
  }
}

/* A folder of very many photos is not read to its end. */
static void
test_bounded (Fixture *fixture, gconstpointer data)
{
  g_autofree char *photo = make_photo (fixture, "zz.png", 70, 'x');
  g_autoptr (FsSession) session = make_session (photo, "gone.png", FALSE);
  for (guint i = 0; i < FS_SESSION_MAX_SUMMED; i++) {
    g_autofree char *name = g_strdup_printf ("p%04u.png", i);
    g_free (make_photo (fixture, name, 90, (guint8)(i % 200 + 1)));
  }
  assert_found (fixture, session, "work.fretsaw", NULL, FS_SESSION_FIT_NONE);
  g_autofree char *one = g_build_filename (fixture->folder, "p0000.png", NULL);
  g_remove (one);
  assert_found (fixture, session, "work.fretsaw", "zz.png", FS_SESSION_FIT_FILE);
}

/* --- Names ------------------------------------------------------------------------------------ */

static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *path;
    gboolean can_be_saved;
  } names[] = { { "/a/cat.jpg", TRUE },          { "/a/k\303\244tzchen \342\200\256.jpg", TRUE },
                { "/a/k\344tzchen.jpg", FALSE }, { "/k\344tz/cat.jpg", TRUE },
                { "/a/c\nat.jpg", FALSE },       { "/a/c\033at.jpg", FALSE } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (fs_session_check_name (names[i].path, &error), ==, names[i].can_be_saved);
    g_assert_true (names[i].can_be_saved
                   || (error->domain == FS_SESSION_ERROR
                       && g_utf8_validate (error->message, -1, NULL)
                       && !strchr (error->message, '\n') && !strchr (error->message, '\033')));
  }
}

/* What would turn the text around, end the line or command a terminal does not come out. */
static void
test_shown_names (Fixture *fixture, gconstpointer data)
{
  static const char *const names[][2] = {
    { "cat\342\200\256gpj.exe", "cat\\u202egpj.exe" },
    { "a\342\201\246b\342\201\251", "a\\u2066b\\u2069" },
    { "a\342\200\217b\330\234", "a\\u200fb\\u061c" },
    { "a\342\200\250b", "a\\u2028b" },
    { "a\033[31m\n\tb\177", "a\357\277\275[31m\357\277\275\357\277\275b\357\277\275" },
    { "\327\251\327\234\327\225\327\235 k\303\244tzchen",
      "\327\251\327\234\327\225\327\235 k\303\244tzchen" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *shown = fs_display_name (names[i][0]);
    g_assert_cmpstr (shown, ==, names[i][1]);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, test) g_test_add ("/session-photo/" path, Fixture, NULL, set_up, test, tear_down)
  ADD ("other-metadata", test_other_metadata);
  ADD ("sum-of-pixels", test_sum_of_pixels);
  ADD ("sum-is-as-written", test_sum_is_as_written);
  ADD ("recorded", test_recorded);
  ADD ("renamed-together", test_renamed_together);
  ADD ("renamed-alone", test_renamed_alone);
  ADD ("replaced", test_replaced);
  ADD ("moved", test_moved);
  ADD ("where", test_where);
  ADD ("bounded", test_bounded);
  ADD ("names", test_names);
  ADD ("shown-names", test_shown_names);
#undef ADD
  return g_test_run ();
}
