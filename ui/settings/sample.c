/* SPDX-License-Identifier: MIT */
#include "ui/settings/sample.h"

GFile *
fs_sample_find (void)
{
  const char *folder = g_getenv ("FRETSAW_DATA_DIR");
  g_autofree char *path =
      g_build_filename (folder != NULL ? folder : PKGDATADIR, "sample.jpg", NULL);
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_file_new_for_path (path) : NULL;
}
