/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int
fuzz_file (const uint8_t *bytes, size_t n_bytes, char path[64])
{
  const int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  if (fd < 0 || (n_bytes && write (fd, bytes, n_bytes) != (ssize_t)n_bytes))
    g_error ("no memory file");
  g_snprintf (path, 64, "/proc/self/fd/%d", fd);
  return fd;
}

GPtrArray *
fuzz_texts (const char *const *texts, guint n)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (guint i = 0; i < n; i++) {
    GByteArray *input = g_byte_array_new ();
    g_byte_array_append (input, (const guint8 *)texts[i], (guint)strlen (texts[i]));
    g_ptr_array_add (corpus, input);
  }
  return corpus;
}
