/* SPDX-License-Identifier: MIT */
/* Parser of the text header of .mrf files, which docs/mrf.md describes for users.   Layer: app.
 *
 * It has lines of words, the first "fretsaw-mrf 1", the last "end"; '#' begins a comment, names
 * with spaces are in double quotes. Every other keyword comes at most once, in any order. Errors
 * name the line: too long, unknown, missing, repeated or out of range.
 *
 * Threads: any.
 */
#ifndef FS_APP_PROBLEMS_MRF_HEADER_H
#define FS_APP_PROBLEMS_MRF_HEADER_H

#include "energy/labels/labels_montage.h"
#include <glib.h>

G_BEGIN_DECLS

#define FS_MRF_MAX_SIDE_PX 65500

typedef enum {
  FS_MRF_DATA_NONE, /* not said yet */
  FS_MRF_DATA_PLANES,
  FS_MRF_DATA_STEREO,      /* images: left, right       */
  FS_MRF_DATA_RESTORATION, /* images: input[, mask]     */
  FS_MRF_DATA_MONTAGE,     /* images: a source a label  */
} FsMrfData;

typedef enum {
  FS_MRF_SMOOTHNESS_NONE,
  FS_MRF_SMOOTHNESS_POWER, /* scale · min(|a − b|^power, most) */
  FS_MRF_SMOOTHNESS_TABLE,
  FS_MRF_SMOOTHNESS_MONTAGE,
} FsMrfSmoothness;

/* The first labelling: label 0; each pixel's cheapest; the same, then coarse cycles (expansion.h);
 * a dual start, by dual ascent along scanlines. */
typedef enum {
  FS_MRF_START_ZERO,
  FS_MRF_START_CHEAPEST,
  FS_MRF_START_COARSE,
  FS_MRF_START_DUAL
} FsMrfStart;

typedef enum { FS_MRF_WEIGHTS_NONE, FS_MRF_WEIGHTS_CUE, FS_MRF_WEIGHTS_PLANES } FsMrfWeights;

typedef struct {
  int width, height, neighbours, n_labels;
  FsMrfData data;
  char *images[FS_MONTAGE_SOURCES_MAX]; /* as the file names them */
  int n_images;
  gboolean squared; /* stereo */
  int32_t data_max; /* stereo: the largest cost; montage: of a missing source */
  FsMrfSmoothness smoothness;
  int power;
  int32_t scale, smooth_max;
  FsMrfWeights weights;
  char *cue_image;
  int32_t cue_below;
  uint16_t cue_factor;
  gboolean has_present;
  guint32 shuffle; /* 0: labels in ascending order */
  FsMrfStart start;
  gboolean has_planes, is_text; /* whether and how planes follow */
} FsMrfHeader;

/* Reads the header at the beginning of n bytes; `n_read` is how many it had. Errors:
 * FS_PHOTO_ERROR_FORMAT, the message "line N: reason" without a name. In any case `header` is for
 * fs_mrf_header_clear. */
gboolean fs_mrf_header_parse (const char *text, gsize n_bytes, FsMrfHeader *header, gsize *n_read,
                              GError **error);
void fs_mrf_header_clear (FsMrfHeader *header);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsMrfHeader, fs_mrf_header_clear)

G_END_DECLS

#endif
