/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence_window.h"

#include "energy/frames/frame_colours.h"
/* The margin around the object's rectangle, as a part of its sides plus pixels, so that it can
 * grow. */
enum { SLACK_DIVISOR = 8, SLACK_PX = 16 };
/* A window that is so many times as large as it need be is made anew. */
enum { MAX_RATIO = 4 };

FsRect
fs_rect_grow (FsRect rect, int px_x, int px_y)
{
  return (FsRect){ rect.x0 - px_x, rect.y0 - px_y, rect.x1 + px_x, rect.y1 + px_y };
}

FsRect
fs_rect_move (FsRect rect, FsShift by)
{
  return (FsRect){ rect.x0 + by.dx, rect.y0 + by.dy, rect.x1 + by.dx, rect.y1 + by.dy };
}

gboolean
fs_rect_contains (FsRect outer, FsRect inner)
{
  return outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1
         && outer.y1 >= inner.y1;
}

int64_t
fs_rect_area (FsRect rect)
{
  return (int64_t)(rect.x1 - rect.x0) * (rect.y1 - rect.y0);
}

/* An object at a side of the previous frame may extend into the pixels that are new there. */
static FsRect
extend_to_sides (FsRect moved, FsRect object, FsRect frame)
{
  return (FsRect){ object.x0 == 0 ? MIN (moved.x0, 0) : moved.x0,
                   object.y0 == 0 ? MIN (moved.y0, 0) : moved.y0,
                   object.x1 == frame.x1 ? MAX (moved.x1, frame.x1) : moved.x1,
                   object.y1 == frame.y1 ? MAX (moved.y1, frame.y1) : moved.y1 };
}

FsRect
fs_sequence_window_need (FsRect object, FsShift shift, const FsImage *image)
{
  FsRect frame = { 0, 0, image->width, image->height };
  FsRect moved = extend_to_sides (fs_rect_move (object, shift), object, frame);
  int margin = MAX (fs_frame_colours_distance_cap_px (image->width, image->height),
                    fs_frame_band_half_width_px (image->width, image->height) + 2);
  if (fs_rect_is_empty (object)
      || fs_rect_is_empty (fs_rect_intersect (fs_rect_move (object, shift), frame)))
    return (FsRect){ 0, 0, 0, 0 };
  return fs_rect_intersect (fs_rect_grow (moved, margin, margin), frame);
}

FsRect
fs_sequence_window_choose (FsRect previous, FsRect need)
{
  if (!fs_rect_is_empty (previous) && fs_rect_contains (previous, fs_rect_grow (need, 1, 1))
      && fs_rect_area (previous) <= MAX_RATIO * fs_rect_area (need))
    return previous;
  return fs_rect_grow (need, (need.x1 - need.x0) / SLACK_DIVISOR + SLACK_PX,
                       (need.y1 - need.y0) / SLACK_DIVISOR + SLACK_PX);
}
