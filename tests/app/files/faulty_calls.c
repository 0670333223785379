/* SPDX-License-Identifier: MIT */
#include "tests/app/files/faulty_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

FaultyCalls faulty_calls;

static int
fail (int code)
{
  errno = code;
  return -1;
}

int
open (const char *path, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  const int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg (args, int) : 0;
  va_end (args);
  if (faulty_calls.no_tmpfile && (flags & O_TMPFILE) == O_TMPFILE)
    return fail (EOPNOTSUPP);
  return (int)syscall (SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t
write (int fd, const void *bytes, size_t n_bytes)
{
  static int n_calls;
  if (fd > STDERR_FILENO && faulty_calls.write_errno)
    return fail (faulty_calls.write_errno);
  if (fd > STDERR_FILENO && faulty_calls.short_writes) {
    if (n_calls++ % 3 == 0)
      return fail (EINTR);
    n_bytes = (n_bytes + 1) / 2;
  }
  return syscall (SYS_write, fd, bytes, n_bytes);
}

int
fsync (int fd)
{
  return faulty_calls.fsync_errno ? fail (faulty_calls.fsync_errno) : (int)syscall (SYS_fsync, fd);
}

int
linkat (int from_fd, const char *from, int to_fd, const char *to, int flags)
{
  return faulty_calls.link_errno ? fail (faulty_calls.link_errno)
                                 : (int)syscall (SYS_linkat, from_fd, from, to_fd, to, flags);
}

int
rename (const char *from, const char *to)
{
  return faulty_calls.rename_errno ? fail (faulty_calls.rename_errno)
                                   : (int)syscall (SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
