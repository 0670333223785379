/* SPDX-License-Identifier: MIT */
/* libheif, loaded when the first photo needs it.   Layer: app, private to heif.c.
 *
 * Its encoders and decoders are larger than this program: linking to it would make every start a
 * quarter slower, for a format that few photos have. The types of its functions come from its
 * headers.
 *
 * Threads: any.
 */
#ifndef FS_APP_PHOTO_HEIF_LIBRARY_H
#define FS_APP_PHOTO_HEIF_LIBRARY_H

#include <glib.h>
#include <libheif/heif.h>

G_BEGIN_DECLS

/* clang-format off */
#define FS_HEIF_FUNCTIONS(X) \
  X (context_alloc) \
  X (context_free) \
  X (context_get_primary_image_handle) \
  X (context_read_from_memory_without_copy) \
  X (context_set_maximum_image_size_limit) \
  X (decode_image) \
  X (have_decoder_for_format) \
  X (image_get_bits_per_pixel_range) \
  X (image_get_height) \
  X (image_get_plane_readonly) \
  X (image_get_width) \
  X (image_handle_get_list_of_metadata_block_IDs) \
  X (image_handle_get_luma_bits_per_pixel) \
  X (image_handle_get_metadata) \
  X (image_handle_get_metadata_size) \
  X (image_handle_get_metadata_type) \
  X (image_handle_get_nclx_color_profile) \
  X (image_handle_get_raw_color_profile) \
  X (image_handle_get_raw_color_profile_size) \
  X (image_handle_release) \
  X (image_has_channel) \
  X (image_is_premultiplied_alpha) \
  X (image_release) \
  X (nclx_color_profile_free)
/* clang-format on */

typedef struct {
#define FS_HEIF_FIELD(name) __typeof__ (heif_##name) *name;
  FS_HEIF_FUNCTIONS (FS_HEIF_FIELD)
#undef FS_HEIF_FIELD
  /* Since 1.13; else NULL. */
  void (*context_set_max_decoding_threads) (struct heif_context *context, int n_threads);
} FsHeifLibrary;

/* NULL, with the loader's message, where it is not installed or lacks a function; decided once. */
const FsHeifLibrary *fs_heif_library_get (const char **reason);

G_END_DECLS

#endif
