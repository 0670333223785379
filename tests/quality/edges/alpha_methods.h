/* SPDX-License-Identifier: MIT */
/* Ways to alpha, and to the object's colours, that are compared.   Layer: tests. */
#ifndef FS_TESTS_QUALITY_EDGES_ALPHA_METHODS_H
#define FS_TESTS_QUALITY_EDGES_ALPHA_METHODS_H

#include "tests/quality/start.h"

#include "energy/image/image.h"

G_BEGIN_DECLS

typedef struct {
  FsImage *image;
  const uint8_t *truth; /* [n] borrowed */
  gsize n;
  QualityStart *start;
  uint8_t *mask;          /* [n] the program's own cut, 0 or 1 */
  uint8_t *trimap;        /* [n] what matting gets: the start's, or a band round the mask */
  const uint8_t *unknown; /* [n] where errors count */
} AlphaCase;

/* Cuts the image; `start` is trimap=FILE or scribbles=FILE. Errors: those of the files and the cut.
 */
gboolean alpha_case_init (AlphaCase *c, FsImage *image, const uint8_t *truth, const char *start,
                          GError **error);
void alpha_case_clear (AlphaCase *c);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AlphaCase, alpha_case_clear)

/* The methods are numbered. */
int alpha_method_count (void);
const char *alpha_method_name (int method);
gboolean alpha_method_has_colours (int method);

/* `alpha` gets a byte a pixel; `colours`, unless NULL, three numbers from 0 to 1. */
gboolean alpha_method_run (int method, const AlphaCase *c, uint8_t *alpha, float *colours,
                           GError **error);

G_END_DECLS

#endif
