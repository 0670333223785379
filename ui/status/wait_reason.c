/* SPDX-License-Identifier: MIT */
#include "ui/status/wait_reason.h"

#include <glib/gi18n.h>
#include <math.h>

char *
fs_wait_reason_new (const char *reason, double fraction)
{
  int percent = (int)floor (fraction * 100);
  if (percent <= 0)
    return g_strdup (reason);
  /* Translators: what is going on, and how much of it is done */
  return g_strdup_printf (_ ("%s, %d %%"), reason, MIN (percent, 100));
}

char *
fs_wait_reason_of (FsDocument *document)
{
  double fraction;
  switch (fs_document_get_stage (document, &fraction)) {
  case FS_STAGE_PREPARING:
    return fs_wait_reason_new (_ ("preparing the photo"), fraction);
  case FS_STAGE_LEARNING:
    return fs_wait_reason_new (_ ("learning the colours"), fraction);
  case FS_STAGE_PROVING:
    return fs_wait_reason_new (_ ("proving the exact cut"), fraction);
  case FS_STAGE_REFINING:
    return fs_wait_reason_new (_ ("refining the border"), fraction);
  case FS_STAGE_IDLE:
  default:
    return NULL;
  }
}
