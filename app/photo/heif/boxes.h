/* SPDX-License-Identifier: MIT */
/* The boxes of a HEIF file, as far as they decide what libheif will do with it.   Layer: app.
 *
 * Source: ISO/IEC 14496-12:2022, 8.11 (meta, iloc, iinf, iref), and 23008-12:2022, 6 and 9 (item
 * properties). Read before libheif sees the file, which trusts more than it should: it copies
 * every item's bytes however often they are pointed at, follows references in circles, and hands
 * to a decoder what claims any size. So this reads no more leniently than libheif does, and
 * refuses a file of which the two could think differently.
 *
 * Invariants: every span lies within the bytes that were given, which must stay. Nothing is
 * allocated for a count that was not met.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_HEIF_BOXES_H
#define FS_APP_PHOTO_HEIF_BOXES_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_FOURCC(a, b, c, d)                                                                      \
  ((guint32)(a) << 24 | (guint32)(b) << 16 | (guint32)(c) << 8 | (guint32)(d))

/* More items than a photo in tiles has; what libheif does grows with their square. */
#define FS_HEIF_MAX_ITEMS 4096

typedef struct {
  const guint8 *data;
  gsize n_bytes;
} FsHeifSpan;

/* A picture, a tile of one, or a note about one. */
typedef struct {
  guint32 id;
  guint32 type;       /* FS_FOURCC                                               */
  gboolean is_packed; /* libheif will unpack it                                  */
  guint32 width;      /* of a picture, before it is turned and cropped; 0: unsaid */
  guint32 height;
  gboolean is_turned; /* or mirrored, or cropped */
  GArray *settings;   /* FsHeifSpan: the decoder's, hvcC or av1C                 */
  GArray *extents;    /* FsHeifSpan: where its bytes are                         */
} FsHeifItem;

typedef struct {
  guint32 type; /* FS_FOURCC */
  guint32 from;
  GArray *to; /* guint32 */
} FsHeifReference;

typedef struct {
  guint32 primary;     /* an item's id                             */
  GHashTable *items;   /* id → FsHeifItem                          */
  GArray *references;  /* FsHeifReference                          */
  guint64 n_box_bytes; /* in boxes that libheif makes objects of   */
} FsHeifBoxes;

typedef enum {
  FS_HEIF_SOUND,
  FS_HEIF_NONE,     /* no still picture                    */
  FS_HEIF_UNSOUND,  /* the boxes contradict themselves     */
  FS_HEIF_ENDS,     /* something lies beyond the file's end */
  FS_HEIF_TOO_MANY, /* items                               */
} FsHeifSoundness;

/* `boxes` is to be cleared whatever is returned. */
FsHeifSoundness fs_heif_boxes_read (FsHeifBoxes *boxes, const guint8 *bytes, gsize n_bytes);
void fs_heif_boxes_clear (FsHeifBoxes *boxes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsHeifBoxes, fs_heif_boxes_clear)

/* NULL where there is none. */
FsHeifItem *fs_heif_boxes_find (const FsHeifBoxes *boxes, guint32 id);

G_END_DECLS

#endif
