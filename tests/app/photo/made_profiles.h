/* SPDX-License-Identifier: MIT */
/* ICC profiles that the tests make themselves, where Little CMS is there. */
#ifndef FS_TESTS_MADE_PROFILES_H
#define FS_TESTS_MADE_PROFILES_H

#ifdef HAVE_LCMS2
#include <glib.h>

/* A printer's: light is what the inks leave, cyan the complement of red and so on, to a power. */
#define MADE_INK_POWER 1.5
GBytes *made_ink_profile (void);
/* Red, green and blue of sRGB, 0 to 1, that the profile means by four inks, 0 to 1. */
void made_ink_colour (const double ink[4], double rgb[3]);

/* Of greys, with a power. */
GBytes *made_grey_profile (double gamma);
#endif

#endif
