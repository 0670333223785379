/* SPDX-License-Identifier: MIT */
/* Parser of a HEIF file's boxes, for checks before libheif reads it.   Layer: app.
 *
 * Source: ISO/IEC 14496-12:2022, 8.11 (meta, iloc, iinf, iref), and 23008-12:2022, 6 and 9 (item
 * properties). libheif trusts files too much: it copies an item's bytes as often as they are
 * referred to, follows circular references, and passes any claimed size to a decoder. So this
 * parser is at least as strict as libheif, and refuses files that the two could read differently.
 *
 * Invariants: every span lies within the given bytes, which are borrowed. Nothing is allocated for
 * a count before its entries are found.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_PHOTO_HEIF_BOXES_H
#define FS_APP_PHOTO_HEIF_BOXES_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_FOURCC(a, b, c, d)                                                                      \
  ((guint32)(a) << 24 | (guint32)(b) << 16 | (guint32)(c) << 8 | (guint32)(d))

/* The limit of items, more than a tiled photo has; libheif's work grows with their square. */
#define FS_HEIF_MAX_ITEMS 4096

typedef struct {
  const guint8 *data;
  gsize n_bytes;
} FsHeifSpan;

/* A picture, a tile of one, or metadata of one. */
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

/* Reads the boxes. `boxes` must be cleared after any result. */
FsHeifSoundness fs_heif_boxes_read (FsHeifBoxes *boxes, const guint8 *bytes, gsize n_bytes);
void fs_heif_boxes_clear (FsHeifBoxes *boxes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsHeifBoxes, fs_heif_boxes_clear)

/* NULL where there is none. */
FsHeifItem *fs_heif_boxes_find (const FsHeifBoxes *boxes, guint32 id);

G_END_DECLS

#endif
