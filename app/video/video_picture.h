/* SPDX-License-Identifier: MIT */
/* Conversion of decoded pictures to upright RGB with square pixels.   Layer: app.
 *
 * Colours: matrix and range are those that the decoder found in the stream, else those of the
 * container, else BT.709 for pictures at least 1280 pixels wide or more than 576 high and BT.601
 * for smaller ones, 16 to 235. Chroma is interpolated and the matrix applied in 16 bits, which are
 * then rounded to 8, without dither. Primaries and transfer stay what they are.
 *
 * Deinterlacing uses the first field; lines of the other one are used where they match it, and
 * interpolated from the first where they show motion (combing).
 *
 * Pictures whose pixels are not square are enlarged along one axis.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_VIDEO_VIDEO_PICTURE_H
#define FS_APP_VIDEO_VIDEO_PICTURE_H

#include "app/video/video_boxes.h"
#include "energy/image/image.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The limits of a picture. */
#define FS_VIDEO_MAX_SIDE_PX 16384
#define FS_VIDEO_MAX_PIXELS  36000000

typedef struct _FsVideoPainter FsVideoPainter;

/* From the container. */
typedef struct {
  const char *colours; /* GStreamer's word for it, or NULL */
  FsVideoRange range;  /* stronger than the one in `colours` */
  double stretch;      /* of a pixel, where the stream itself says square */
  int fields;          /* 1 or 2 where the top or bottom one comes first, and the stream itself says
                          nothing of fields; 0: none */
  int orientation;     /* as app/photo/input/orient.h has it */
} FsVideoLook;

/* Changes made to a picture. */
typedef enum {
  FS_VIDEO_DEINTERLACED = 1 << 0,
  FS_VIDEO_STRETCHED = 1 << 1,
  FS_VIDEO_TRANSPARENT = 1 << 2, /* in part; alpha is ignored */
} FsVideoDeeds;

FsVideoPainter *fs_video_painter_new (void);
void fs_video_painter_free (FsVideoPainter *painter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsVideoPainter, fs_video_painter_free)

/* NULL where the sample cannot be read or memory is short. `deeds` is added to. */
FsImage *fs_video_painter_paint (FsVideoPainter *painter, GstSample *sample,
                                 const FsVideoLook *look, guint *deeds);

/* Width and height of a picture whose pixels are `stretch` times as wide as high. */
void fs_video_square_size (int *width, int *height, double stretch);

G_END_DECLS

#endif
