/* SPDX-License-Identifier: MIT */
/* Photos and terms on their way to the device, for engine_cuda.cu.   Layer: solver/kernels. */
#ifndef FS_KERNELS_BUILD_CALLS_CUH
#define FS_KERNELS_BUILD_CALLS_CUH

#include "solver/kernels/cuda/engine_state.cuh"

struct FsEnginePhoto {
  FsPhotoLinks links; /* there */
  void *block;
};

/* --- The photo --- */

static void
fs_divide_photo (FsPhotoLinks *links, const FsPhotoLinks *from, size_t pixels, FsArena *arena)
{
  fs_arena_take (arena, &links->words, pixels);
  links->space = NULL;
  if (from->space != NULL)
    fs_arena_take (arena, &links->space, 1);
  fs_arena_take (arena, &links->straight, from->n_entries);
  fs_arena_take (arena, &links->diagonal, from->n_entries);
}

static int
fs_queue_photo (const FsPhotoLinks *there, const FsPhotoLinks *from, size_t pixels,
                cudaStream_t stream, FsEngineError *error)
{
  size_t table = from->n_entries * sizeof *from->straight;
  FS_TRY (
      cudaMemcpyAsync ((void *)there->words, from->words, pixels * 4, cudaMemcpyDefault, stream));
  if (from->space != NULL)
    FS_TRY (cudaMemcpyAsync ((void *)there->space, from->space, sizeof *from->space,
                             cudaMemcpyDefault, stream));
  FS_TRY (
      cudaMemcpyAsync ((void *)there->straight, from->straight, table, cudaMemcpyDefault, stream));
  FS_TRY (
      cudaMemcpyAsync ((void *)there->diagonal, from->diagonal, table, cudaMemcpyDefault, stream));
  FS_TRY (cudaStreamSynchronize (stream));
  return FS_ENGINE_DONE;
}

/* On a stream of its own: others are not waited for. */
static int
fs_send_photo (const FsPhotoLinks *there, const FsPhotoLinks *from, size_t pixels,
               FsEngineError *error)
{
  cudaStream_t stream;
  FS_TRY (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking));
  int status = fs_queue_photo (there, from, pixels, stream, error);
  cudaError_t code = cudaStreamDestroy (stream);
  if (status == FS_ENGINE_DONE)
    FS_TRY (code);
  return status;
}

static void
fs_cuda_unload_photo (FsEnginePhoto *photo)
{
  cudaFree (photo->block);
  free (photo);
}

static int
fs_load_arrays (FsEnginePhoto *photo, const FsPhotoLinks *from, size_t pixels, FsEngineError *error)
{
  FsArena arena = { NULL, 0 };
  photo->links = *from;
  fs_divide_photo (&photo->links, from, pixels, &arena);
  FS_TRY (cudaMalloc (&photo->block, arena.used));
  arena = { (char *)photo->block, 0 };
  fs_divide_photo (&photo->links, from, pixels, &arena);
  return fs_send_photo (&photo->links, from, pixels, error);
}

static int
fs_cuda_load_photo (const FsPhotoLinks *links, int width, int height, FsEnginePhoto **loaded,
                    FsEngineError *error)
{
  FsEnginePhoto *photo = (FsEnginePhoto *)calloc (1, sizeof *photo);
  if (photo == NULL) {
    snprintf (error->text, sizeof error->text, "not enough memory");
    return FS_ENGINE_NO_MEMORY;
  }
  int status = fs_load_arrays (photo, links, (size_t)width * height, error);
  if (status != FS_ENGINE_DONE) {
    fs_cuda_unload_photo (photo);
    return status;
  }
  *loaded = photo;
  return FS_ENGINE_DONE;
}

/* --- Terms ---
 *
 * They go up in one piece, through memory of the engine's own that can be read while the caller
 * goes on. It grows where terms have more arena than any before. */

static size_t
fs_coarse_size (const FsCoarsePlane *plane)
{
  return plane->values != NULL ? (size_t)(plane->height - 1) * plane->stride + plane->width : 0;
}

static size_t
fs_stretched_size (const FsStretchedPlane *plane)
{
  return (size_t)plane->height * plane->width;
}

static void
fs_divide_terms (FsSentTerms *terms, const FsTlinkTerms *from, size_t pixels, FsArena *arena)
{
  size_t words = (pixels + 63) / 64;
  *terms = {};
  terms->place = from->place;
  terms->pull = from->pull;
  terms->stretched = from->stretched;
  terms->strength = from->strength;
  fs_arena_take (arena, &terms->by_word, FS_WORD_BINS);
  if (from->place.values != NULL)
    fs_arena_take (arena, &terms->place.values, fs_coarse_size (&from->place));
  if (from->pull.values != NULL)
    fs_arena_take (arena, &terms->pull.values, fs_coarse_size (&from->pull));
  if (from->stretched.values != NULL) {
    fs_arena_take (arena, &terms->stretched.values, fs_stretched_size (&from->stretched));
    fs_arena_take (arena, &terms->stretched.column, from->stretched.photo_width);
    fs_arena_take (arena, &terms->stretched.row, from->stretched.photo_height);
  }
  if (from->previous != NULL)
    fs_arena_take (arena, &terms->previous, words);
  if (from->clamped != NULL)
    fs_arena_take (arena, &terms->clamped, words);
  if (from->fixed != NULL) {
    fs_arena_take (arena, &terms->fixed, words);
    fs_arena_take (arena, &terms->sink, words);
  }
}

static void
fs_copy_array (const void *to, const void *from, size_t bytes)
{
  if (from != NULL)
    memcpy ((void *)to, from, bytes);
}

static void
fs_copy_stretched (const FsStretchedPlane *to, const FsStretchedPlane *from)
{
  fs_copy_array (to->values, from->values, fs_stretched_size (from) * sizeof *from->values);
  fs_copy_array (to->column, from->column, from->photo_width * sizeof *from->column);
  fs_copy_array (to->row, from->row, from->photo_height * sizeof *from->row);
}

static void
fs_copy_terms (const FsSentTerms *to, const FsTlinkTerms *from, size_t pixels)
{
  size_t bits = (pixels + 63) / 64 * 8;
  fs_copy_array (to->by_word, from->by_word, FS_WORD_BINS * sizeof *from->by_word);
  fs_copy_array (to->place.values, from->place.values, fs_coarse_size (&from->place) * 4);
  fs_copy_array (to->pull.values, from->pull.values, fs_coarse_size (&from->pull) * 4);
  fs_copy_stretched (&to->stretched, &from->stretched);
  fs_copy_array (to->previous, from->previous, bits);
  fs_copy_array (to->clamped, from->clamped, bits);
  if (from->fixed != NULL)
    fs_pack_fixed (from->fixed, pixels, (uint64_t *)to->fixed, (uint64_t *)to->sink);
}

static int
fs_reserve_terms (FsEngine *engine, size_t bytes, FsEngineError *error)
{
  if (bytes <= engine->terms_bytes)
    return FS_ENGINE_DONE;
  cudaFree (engine->terms_there);
  cudaFreeHost (engine->terms_here);
  engine->terms_there = engine->terms_here = NULL;
  engine->terms_bytes = 0;
  FS_TRY (cudaMalloc (&engine->terms_there, bytes));
  FS_TRY (cudaMallocHost (&engine->terms_here, bytes));
  engine->terms_bytes = bytes;
  return FS_ENGINE_DONE;
}

/* Sends terms up, once the last ones have been used; `there` is what a kernel takes. */
static int
fs_send_terms (FsEngine *engine, const FsTlinkTerms *from, FsSentTerms *there, FsEngineError *error)
{
  size_t pixels = (size_t)engine->grid.width * engine->grid.height;
  FsSentTerms here;
  FsArena arena = { NULL, 0 };
  fs_divide_terms (&here, from, pixels, &arena);
  FS_TRY (cudaStreamSynchronize (engine->stream));
  int status = fs_reserve_terms (engine, arena.used, error);
  if (status != FS_ENGINE_DONE)
    return status;
  arena = { (char *)engine->terms_here, 0 };
  fs_divide_terms (&here, from, pixels, &arena);
  fs_copy_terms (&here, from, pixels);
  arena = { (char *)engine->terms_there, 0 };
  fs_divide_terms (there, from, pixels, &arena);
  FS_TRY (cudaMemcpyAsync (engine->terms_there, engine->terms_here, arena.used, cudaMemcpyDefault,
                           engine->stream));
  engine->bytes_up += arena.used;
  return FS_ENGINE_DONE;
}

/* --- Links --- */

static int
fs_launch_build (FsEngine *engine, const FsSentTerms *terms, bool is_whole, FsEngineError *error)
{
  FS_TRY (cudaEventRecord (engine->build_before, engine->stream));
  if (is_whole && engine->grid.n_arcs == 4) {
    FS_LAUNCH (fs_build_kernel<4>, engine->grid.n_tiles, FS_BLOCK, engine->stream)
    (engine->grid, engine->problem, engine->photo->links, *terms);
  } else if (is_whole) {
    FS_LAUNCH (fs_build_kernel<8>, engine->grid.n_tiles, FS_BLOCK, engine->stream)
    (engine->grid, engine->problem, engine->photo->links, *terms);
  } else {
    FS_LAUNCH (fs_remake_kernel, engine->grid.n_tiles, FS_BLOCK, engine->stream)
    (engine->grid, engine->problem, engine->photo->links, *terms);
  }
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaEventRecord (engine->build_after, engine->stream));
  return FS_ENGINE_DONE;
}

/* Makes the state, or, if it is there, new t-links alone. */
static int
fs_build_from (FsEngine *engine, const FsTlinkTerms *terms, bool is_whole, FsEngineError *error)
{
  FsSentTerms there;
  int status = fs_send_terms (engine, terms, &there, error);
  engine->strength = terms->strength;
  return status == FS_ENGINE_DONE ? fs_launch_build (engine, &there, is_whole, error) : status;
}

static int
fs_cuda_remake_tlinks (FsEngine *engine, const FsTlinkTerms *terms, FsEngineError *error)
{
  engine->has_cut = false;
  engine->has_new_model = true;
  return fs_build_from (engine, terms, false, error);
}

#endif
