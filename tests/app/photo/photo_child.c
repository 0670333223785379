/* SPDX-License-Identifier: MIT */
#include "tests/app/photo/photo_child.h"

#include "app/files/display_name.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CODE_SHIFT 3

/* ThreadSanitizer keeps up to five bytes for each one that is touched. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZER_MIB 400
#elif __has_feature(thread_sanitizer)
#define SANITIZER_MIB 3000
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZER_MIB 400
#elif defined(__SANITIZE_THREAD__)
#define SANITIZER_MIB 3000
#endif

#ifdef SANITIZER_MIB
const double photo_child_slowness = 5;
const gint64 photo_child_overhead_bytes = (gint64)SANITIZER_MIB << 20;
#else
const double photo_child_slowness = 1;
const gint64 photo_child_overhead_bytes = 0;
#endif

gboolean
photo_message_is_sound (const char *message, const char *path)
{
  g_autofree char *name = fs_display_name (path);
  const gsize n = strlen (name);
  return g_str_has_prefix (message, name) && g_str_has_prefix (message + n, ": ")
         && strlen (message + n) > 8 && !strpbrk (message, "\n\r\t\033")
         && g_utf8_validate (message, -1, NULL) && !g_str_has_suffix (message, ".");
}

void
photo_assert_refused (const char *path, const FsPhotoLimits *limits, FsPhotoError code,
                      const char *has)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_photo_load (path, limits, NULL, &error));
  g_assert_error (error, FS_PHOTO_ERROR, (int)code);
  g_test_message ("%s", error->message);
  g_assert_true (photo_message_is_sound (error->message, path));
  g_assert_nonnull (strstr (error->message, has));
}

static int
open_here (const char *path, const FsPhotoLimits *limits)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, limits, NULL, &error);
  if (!photo && !error)
    return OUTCOME_BAD_MESSAGE;
  if (!photo)
    return photo_message_is_sound (error->message, path)
               ? OUTCOME_REFUSED | error->code << CODE_SHIFT
               : OUTCOME_BAD_MESSAGE;
  if (photo->warning)
    return photo_message_is_sound (photo->warning, path) ? OUTCOME_WARNED : OUTCOME_BAD_MESSAGE;
  return OUTCOME_OPENED;
}

Cost
photo_child_open (const char *path, const FsPhotoLimits *limits)
{
  Cost cost = { 0 };
  const gint64 start_us = g_get_monotonic_time ();
  const pid_t child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    _exit (open_here (path, limits));

  int status;
  struct rusage usage;
  while (wait4 (child, &status, 0, &usage) < 0)
    g_assert_cmpint (errno, ==, EINTR);
  cost.seconds = (double)(g_get_monotonic_time () - start_us) / G_USEC_PER_SEC;
  cost.cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                     + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / G_USEC_PER_SEC;
  cost.peak_bytes = (gint64)usage.ru_maxrss * 1024;
  if (!WIFEXITED (status)) {
    cost.outcome = OUTCOME_DIED;
    return cost;
  }
  cost.outcome = WEXITSTATUS (status) & ((1 << CODE_SHIFT) - 1);
  cost.code = (FsPhotoError)(WEXITSTATUS (status) >> CODE_SHIFT);
  return cost;
}
