/* SPDX-License-Identifier: MIT */
#include "app/photo/heif/library.h"

#include <dlfcn.h>

/* The name of all versions with this interface. */
#define SONAME "libheif.so.1"

typedef struct {
  FsHeifLibrary library;
  gboolean is_whole;
  char *reason;
} Opened;

static gboolean
find_all (void *handle, FsHeifLibrary *library)
{
  gboolean is_whole = TRUE;
#define FS_HEIF_FIND(name)                                                                         \
  is_whole = (*(void **)&library->name = dlsym (handle, "heif_" #name)) != NULL && is_whole;
  FS_HEIF_FUNCTIONS (FS_HEIF_FIND)
#undef FS_HEIF_FIND
  return is_whole;
}

/* It stays open: its decoders have threads of their own. */
static gpointer
open_once (gpointer data)
{
  static Opened opened;
  void *handle = dlopen (SONAME, RTLD_LAZY | RTLD_LOCAL);
  opened.is_whole = handle != NULL && find_all (handle, &opened.library);
  if (opened.is_whole)
    *(void **)&opened.library.context_set_max_decoding_threads =
        dlsym (handle, "heif_context_set_max_decoding_threads");
  else
    opened.reason = g_strdup (dlerror ());
  return &opened;
}

const FsHeifLibrary *
fs_heif_library_get (const char **reason)
{
  static GOnce once = G_ONCE_INIT;
  const Opened *opened = g_once (&once, open_once, NULL);
  *reason = opened->reason != NULL ? opened->reason : SONAME;
  return opened->is_whole ? &opened->library : NULL;
}
