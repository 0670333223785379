/* SPDX-License-Identifier: MIT */
#include "app/problems/dimacs.h"

#include "app/files/display_name.h"
#include "app/files/free_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static gssize
read_file (gpointer data, void *buffer, gsize n)
{
  const int *fd = data;
  gssize n_read;
  do
    n_read = read (*fd, buffer, n);
  while (n_read < 0 && errno == EINTR);
  return n_read;
}

FsDimacs *
fs_dimacs_load (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  g_autofree char *name = fs_display_name (path);
  /* Without O_NONBLOCK opening a FIFO waits for a writer for ever. */
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat facts;
  FsDimacs *dimacs = NULL;
  if (fd < 0 || fstat (fd, &facts) < 0)
    g_set_error (error, FS_DIMACS_ERROR, FS_DIMACS_ERROR_READ, "%s: cannot be opened: %s", name,
                 g_strerror (errno));
  else if (!S_ISREG (facts.st_mode))
    g_set_error (error, FS_DIMACS_ERROR, FS_DIMACS_ERROR_READ, "%s: is not a regular file", name);
  else {
    const FsDimacsSource source = { .name = name,
                                    .n_bytes = (guint64)facts.st_size,
                                    .max_bytes = fs_free_memory_limit (),
                                    .read = read_file,
                                    .data = &fd };
    dimacs = fs_dimacs_read (&source, error);
  }
  if (fd >= 0)
    close (fd);
  return dimacs;
}
