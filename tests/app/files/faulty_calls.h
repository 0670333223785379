/* SPDX-License-Identifier: MIT */
/* System calls that fail when they are told to, in place of the C library's. */
#ifndef FS_TESTS_FAULTY_CALLS_H
#define FS_TESTS_FAULTY_CALLS_H

#include <glib.h>

typedef struct {
  gboolean no_tmpfile;   /* open() knows no O_TMPFILE, as on some file systems          */
  gboolean short_writes; /* write() takes a part, and is interrupted every third time   */
  int write_errno;       /* of each call; 0 works                                       */
  int fsync_errno;
  int link_errno;
  int rename_errno;
} FaultyCalls;

extern FaultyCalls faulty_calls;

#endif
