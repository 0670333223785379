/* SPDX-License-Identifier: MIT */
#include "ui/settings/display_profile.h"

#include "app/photo/input/photo_metadata.h"
#include <gdk/gdk.h>

enum { MAX_BYTES = 16 << 20 };

GBytes *
fs_display_profile_get (void)
{
  GdkScreen *screen = gdk_screen_get_default ();
  guchar *bytes = NULL;
  gint n_bytes = 0;
  if (screen == NULL
      || !gdk_property_get (gdk_screen_get_root_window (screen),
                            gdk_atom_intern_static_string ("_ICC_PROFILE"), GDK_NONE, 0, MAX_BYTES,
                            FALSE, NULL, NULL, &n_bytes, &bytes)
      || bytes == NULL)
    return NULL;
  g_autoptr (GBytes) icc = g_bytes_new_with_free_func (bytes, (gsize)n_bytes, g_free, bytes);
  return fs_icc_is_for (icc, "RGB ") ? g_steal_pointer (&icc) : NULL;
}
