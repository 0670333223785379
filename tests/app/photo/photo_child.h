/* SPDX-License-Identifier: MIT */
/* Opening a photo in a process of its own, to see what it costs and that it survives. */
#ifndef FS_TESTS_PHOTO_CHILD_H
#define FS_TESTS_PHOTO_CHILD_H

#include "app/photo/photo.h"

typedef enum {
  OUTCOME_OPENED,
  OUTCOME_WARNED,
  OUTCOME_REFUSED,
  OUTCOME_BAD_MESSAGE, /* a message that is not one sentence that begins with the name */
  OUTCOME_DIED,
} Outcome;

typedef struct {
  Outcome outcome;
  FsPhotoError code;  /* where refused */
  double seconds;     /* by the clock                  */
  double cpu_seconds; /* of work, however busy the machine */
  gint64 peak_bytes;  /* of the whole process */
} Cost;

Cost photo_child_open (const char *path, const FsPhotoLimits *limits);

/* Whether `message` is "NAME: reason", in one line. */
gboolean photo_message_is_sound (const char *message, const char *path);

/* Asserts that `path` is refused with `code`, in a sound message that has `has`. */
void photo_assert_refused (const char *path, const FsPhotoLimits *limits, FsPhotoError code,
                           const char *has);

/* Sanitizers slow a program down and use memory for themselves. */
extern const double photo_child_slowness;
extern const gint64 photo_child_overhead_bytes;

#endif
