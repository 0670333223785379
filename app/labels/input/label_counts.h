/* SPDX-License-Identifier: MIT */
/* Counts of the objects that were read from labels, and of those that were left out, and why.
 * Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_LABELS_INPUT_LABEL_COUNTS_H
#define FS_APP_LABELS_INPUT_LABEL_COUNTS_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  FS_LABEL_LOSS_CLASS,   /* of a class that has no name             */
  FS_LABEL_LOSS_BROKEN,  /* its mask makes no sense                 */
  FS_LABEL_LOSS_BOX,     /* has a box, and no mask                  */
  FS_LABEL_LOSS_LINE,    /* a point or line                         */
  FS_LABEL_LOSS_OUTSIDE, /* has no pixel in the photo               */
  FS_LABEL_LOSS_COVERED, /* all its pixels are other objects' too   */
  FS_LABEL_LOSS_TWICE,   /* has the id of another one               */
  FS_LABEL_LOSS_PHOTO,   /* belongs to no photo                     */
  FS_LABEL_LOSS_MANY,    /* beyond a limit                          */
  FS_N_LABEL_LOSSES
} FsLabelLoss;

#define FS_LABEL_PLACE_BYTES 64

typedef struct {
  guint n_read;
  guint n_lost[FS_N_LABEL_LOSSES];
  /* The place of the first of them in the labels, as one line of UTF-8, "annotation 17"; or "". */
  char first[FS_N_LABEL_LOSSES][FS_LABEL_PLACE_BYTES];
} FsLabelCounts;

/* Counts `n` objects that are left out. `place`, that of the first, is cut to what fits; NULL: it
 * has none. */
void fs_label_counts_lose (FsLabelCounts *counts, FsLabelLoss loss, guint n, const char *place);

guint fs_label_counts_sum_lost (const FsLabelCounts *counts);
void fs_label_counts_add (FsLabelCounts *counts, const FsLabelCounts *more);

/* "12 objects, 4 left out: 1 of an unknown class (line 3), 3 broken (the first: line 5)"; without
 * objects only the rest of it. g_free. */
char *fs_label_counts_to_text (const FsLabelCounts *counts);

G_END_DECLS

#endif
