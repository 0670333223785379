/* SPDX-License-Identifier: MIT */
#include "app/files/file_error.h"

G_DEFINE_QUARK (fs - export - error - quark, fs_export_error)
