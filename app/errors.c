/* SPDX-License-Identifier: MIT */
#include "app/export.h"
#include "app/photo.h"

G_DEFINE_QUARK (fs - photo - error - quark, fs_photo_error)
G_DEFINE_QUARK (fs - export - error - quark, fs_export_error)
