/* SPDX-License-Identifier: MIT */
/* Checks of every set of labels that a harness has read. */
#ifndef FS_TESTS_FUZZ_LABEL_CHECKS_H
#define FS_TESTS_FUZZ_LABEL_CHECKS_H

#include "app/labels/input/label_reader.h"

/* Reads each photo (the first few) as one of width × height, and as one of its own size where that
 * is small; whatever is read lies in the photo and becomes a guess. */
void label_checks_read (FsLabelReader *reader, int width, int height);

#endif
