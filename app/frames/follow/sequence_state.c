/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/sequence_state.h"

#include "app/files/report_numbers.h"

#include <string.h>

void
fs_known_frame_clear (FsKnownFrame *known)
{
  g_clear_pointer (&known->image, fs_image_unref);
  g_clear_pointer (&known->mask, g_free);
}

gboolean
fs_known_frame_set (FsKnownFrame *known, FsImage *image, const uint8_t *mask)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  gboolean fits =
      known->image && known->image->width == image->width && known->image->height == image->height;
  uint8_t *copy = fits ? known->mask : g_try_malloc (n);
  if (!copy)
    return FALSE;
  if (!fits)
    g_free (known->mask);
  memcpy (copy, mask, n);
  known->mask = copy;
  fs_image_ref (image);
  g_clear_pointer (&known->image, fs_image_unref);
  known->image = image;
  known->object = fs_frame_band_find_object (mask, image->width, image->height);
  known->n_object = fs_report_count_object (mask, image->width, image->height);
  return TRUE;
}

gboolean
fs_sequence_is_on_device (const FsSequence *sequence)
{
  return sequence->backend != &fs_backend_cpu && !sequence->device_has_failed && !sequence->guess;
}

gboolean
fs_sequence_is_in_span (const FsSequence *sequence, const FsKnownFrame *from)
{
  return sequence->span && from == &sequence->previous;
}

gboolean
fs_sequence_is_cut_on_device (const FsSequence *sequence, const FsKnownFrame *from)
{
  return fs_sequence_is_on_device (sequence) && !fs_sequence_is_in_span (sequence, from);
}

gboolean
fs_sequence_refuse_memory (const FsImage *image, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for a frame of %d × %d pixels", image->width, image->height);
  return FALSE;
}
