/* SPDX-License-Identifier: MIT */
#include "app/photo/input/photo_error.h"

G_DEFINE_QUARK (fs - photo - error - quark, fs_photo_error)
