/* SPDX-License-Identifier: MIT */
/* Conversions between colour spaces, by Little CMS, an optional feature of the build.   Layer: app.
 *
 * Source: ICC.1:2022. Profiles are not trusted: one that the library cannot use is ignored.
 * Intents are perceptual, without compensation of the black point, as ImageMagick's default is.
 *
 * Threads: any; an object belongs to one at a time.
 */
#ifndef FS_APP_PHOTO_INPUT_COLOUR_TRANSFORM_H
#define FS_APP_PHOTO_INPUT_COLOUR_TRANSFORM_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct FsColourTransform FsColourTransform;

void fs_colour_transform_free (FsColourTransform *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsColourTransform, fs_colour_transform_free)

/* From the inks of a CMYK profile to sRGB. NULL where there is no such profile, and in a build
 * without the library. */
FsColourTransform *fs_colour_transform_new_from_ink (GBytes *icc);
/* Converts n pixels of four inks, from 0 (none) to 65,535 (full), to red, green, blue. */
void fs_colour_transform_convert_ink (FsColourTransform *self, const guint16 *ink, guint16 *rgb,
                                      guint n);

/* From an RGB profile, NULL for sRGB, to another. NULL where no colour would change by more than
 * one level, where one is not an RGB profile, and in a build without the library. */
FsColourTransform *fs_colour_transform_new_for_display (GBytes *icc, GBytes *display_icc);
/* Converts n pixels of an FsImage, in place or not; alpha stays. */
void fs_colour_transform_convert_pixels (FsColourTransform *self, const guint32 *from, guint32 *to,
                                         guint n);

/* A curve from samples to light, of 0 to 1: that of sRGB where gamma is 0, else a power. */
typedef struct {
  double xy[8]; /* chromaticities x, y of white, red, green and blue */
  double gamma;
} FsRgbMeaning;

extern const FsRgbMeaning fs_rgb_meaning_srgb;

/* An RGB profile with these primaries and this curve. NULL where that is impossible, and in a build
 * without the library. g_bytes_unref. */
GBytes *fs_colour_profile_new (const FsRgbMeaning *meaning);

/* An ICC profile for RGB whose greys are those of a grey profile. NULL as before. */
GBytes *fs_colour_profile_new_from_grey (GBytes *grey_icc);

/* CIE L*a*b* (L* 0 to 100) to sRGB, relative to white: white is 255 of all. In every build. */
void fs_lab_to_srgb (const double lab[3], guint16 rgb[3]);

G_END_DECLS

#endif
