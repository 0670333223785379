/* SPDX-License-Identifier: MIT */
/* Only files of this computer are taken from a drop. */
#include "ui/open/drop.h"

static void
test_local (void)
{
  g_autofree char *named = g_strdup_printf ("file://%s/srv/a%%20b.jpg", g_get_host_name ());
  const char *uris[] = { "file:///srv/a%20b.jpg", "file://localhost/srv/a%20b.jpg",
                         "file://LOCALHOST/srv/a%20b.jpg", named };
  for (gsize i = 0; i < G_N_ELEMENTS (uris); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = fs_drop_file_for_uri (uris[i], &error);
    g_assert_no_error (error);
    g_assert_cmpstr (g_file_peek_path (file), ==, "/srv/a b.jpg");
  }
}

static void
test_elsewhere (void)
{
  const char *uris[] = {
    "file://elsewhere/etc/passwd", "http://example.org/a.jpg",      "a.jpg", "", "file:",
    "sftp://host/a.jpg",           "file://elsewhere%2f/etc/passwd"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (uris); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GFile) file = fs_drop_file_for_uri (uris[i], &error);
    g_assert_null (file);
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
    g_assert_nonnull (strstr (error->message, uris[i]));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/drop/local", test_local);
  g_test_add_func ("/drop/elsewhere", test_elsewhere);
  return g_test_run ();
}
