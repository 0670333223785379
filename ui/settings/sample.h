/* SPDX-License-Identifier: MIT */
/* The sample photo.   Layer: ui. Threads: any. */
#ifndef FS_UI_SETTINGS_SAMPLE_H
#define FS_UI_SETTINGS_SAMPLE_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The sample in $FRETSAW_DATA_DIR if that is set, else the installed one; NULL if there is none.
 * g_object_unref. */
GFile *fs_sample_find (void);

G_END_DECLS

#endif
