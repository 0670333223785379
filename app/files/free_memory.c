/* SPDX-License-Identifier: MIT */
#include "app/files/free_memory.h"

#include "app/files/process_limits.h"

#include <stdio.h>
#include <unistd.h>

#define LIMIT_PERCENT 60

static guint64
available_bytes (void)
{
  unsigned long long kib = 0;
  FILE *file = fopen ("/proc/meminfo", "re");
  if (file) {
    char line[128];
    while (fgets (line, sizeof line, file))
      if (sscanf (line, "MemAvailable: %llu kB", &kib) == 1)
        break;
    fclose (file);
  }
  if (kib)
    return (guint64)kib << 10;
  return (guint64)sysconf (_SC_PHYS_PAGES) * (guint64)sysconf (_SC_PAGESIZE) / 2;
}

guint64
fs_free_memory_limit (void)
{
  return MIN (available_bytes (), fs_process_limits_left_bytes ()) / 100 * LIMIT_PERCENT;
}
