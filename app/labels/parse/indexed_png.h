/* SPDX-License-Identifier: MIT */
/* Indexed and grey PNGs whose values are numbers: of classes or objects.   Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_LABELS_PARSE_INDEXED_PNG_H
#define FS_APP_LABELS_PARSE_INDEXED_PNG_H

#include "app/labels/label_error.h"
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  int width, height;
  uint8_t *values;         /* [height · width] */
  int n_colours;           /* of the palette; 0: a grey one */
  uint8_t palette[256][3]; /* red, green, blue */
} FsIndexedPng;

/* Reads a PNG of 1 to 8 bits, with a palette or grey. Errors: FS_LABEL_ERROR, "NAME: reason". */
FsIndexedPng *fs_indexed_png_read (const char *path, GError **error);
/* The same from the bytes of a file; `path` stands in messages. */
FsIndexedPng *fs_indexed_png_parse (const char *path, const uint8_t *bytes, gsize n_bytes,
                                    GError **error);
void fs_indexed_png_free (FsIndexedPng *png);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsIndexedPng, fs_indexed_png_free)

/* TRUE if it has a palette that begins with black, and, beside that, 2 to 63 values, not all of
 * them grey: no picture, and no grey mask with fewer colours. */
gboolean fs_indexed_png_is_of_classes (const FsIndexedPng *png);

G_END_DECLS

#endif
