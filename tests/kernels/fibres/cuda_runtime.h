/* SPDX-License-Identifier: MIT */
/* As much of the CUDA library as the engine calls, on the host; see fibre_control.h.
 *
 * Work on a stream is done when somebody waits for it, and part of it whenever somebody asks
 * whether it is done. A call that is made to fail does nothing but say so; those that release
 * something release it all the same, as the end of a lost device would.
 */
#ifndef FS_TESTS_CUDA_RUNTIME_H
#define FS_TESTS_CUDA_RUNTIME_H

#include <deque>
#include <map>
#include <string>

#include "tests/kernels/fibres/device.h"
#include "tests/kernels/fibres/fibre_control.h"

typedef enum {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = FIBRE_NO_MEMORY,
  cudaErrorInsufficientDriver = FIBRE_OLD_DRIVER,
  cudaErrorNoDevice = FIBRE_NO_DEVICE,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = FIBRE_LAUNCH_FAILED,
} cudaError_t;

enum {
  cudaMemcpyDefault,
  cudaStreamNonBlocking,
  cudaHostAllocMapped,
  cudaDevAttrMultiProcessorCount
};

struct cudaDeviceProp {
  char name[256];
  int cooperativeLaunch, canMapHostMemory;
};

/* A part of a stream's work: does some of it (all, with budget 0), and returns whether it is done.
 */
typedef std::function<bool (int64_t budget)> Work;

struct Stream {
  std::deque<Work> work;
};
typedef Stream *cudaStream_t;

struct Event {
  Stream *stream;
  bool has_passed;
};
typedef Event *cudaEvent_t;

static struct {
  int n_calls, n_more, for_ever;
  cudaError_t error; /* what a call that fails says */
  cudaError_t last;  /* for cudaGetLastError()      */
  int n_blocks;      /* that fit at once            */
  int n_others;      /* streams and events          */
  int driver;        /* version; 0: there is none   */
  std::map<char *, size_t> device, host;
  std::vector<Stream *> streams;
} library = { 0, -1, 0, cudaSuccess, cudaSuccess, 2, 0, 13000, {}, {}, {} };

enum { SWITCHES_A_QUERY = 20000, ALIGNMENT = 256 };

/* --- Failing --- */

static cudaError_t
library_call ()
{
  library.n_calls++;
  if (library.n_more < 0)
    return cudaSuccess;
  if (library.n_more > 0) {
    library.n_more--;
    return cudaSuccess;
  }
  if (!library.for_ever)
    library.n_more = -1;
  return library.error;
}

#define LIBRARY_CALL()                                                                             \
  do {                                                                                             \
    cudaError_t called = library_call ();                                                          \
    if (called != cudaSuccess)                                                                     \
      return called;                                                                               \
  } while (0)

static inline const char *
cudaGetErrorString (cudaError_t error)
{
  return error == cudaErrorMemoryAllocation ? "out of memory"
         : error == cudaErrorNoDevice       ? "no CUDA-capable device is detected"
                                            : "unspecified launch failure";
}

static inline cudaError_t
cudaGetLastError ()
{
  cudaError_t last = library.last, called = library_call ();
  library.last = cudaSuccess;
  return last != cudaSuccess ? last : called;
}

/* --- The device --- */

#define CUDART_VERSION 13000

static inline cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = library.driver;
  return cudaSuccess;
}

static inline cudaError_t
cudaGetDeviceCount (int *n)
{
  LIBRARY_CALL ();
  *n = 1;
  return cudaSuccess;
}

static inline cudaError_t
cudaGetDeviceProperties (cudaDeviceProp *properties, int)
{
  LIBRARY_CALL ();
  *properties = { "fibres", 1, 1 };
  return cudaSuccess;
}

static inline cudaError_t
cudaSetDevice (int)
{
  return library_call ();
}

static inline cudaError_t
cudaGetDevice (int *device)
{
  LIBRARY_CALL ();
  *device = 0;
  return cudaSuccess;
}

static inline cudaError_t
cudaDeviceGetAttribute (int *value, int, int)
{
  LIBRARY_CALL ();
  *value = 1;
  return cudaSuccess;
}

template <typename Kernel>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor (int *n, Kernel, int, size_t)
{
  LIBRARY_CALL ();
  *n = library.n_blocks;
  return cudaSuccess;
}

/* --- Streams and events --- */

static void
stream_drain (Stream *stream)
{
  for (; !stream->work.empty (); stream->work.pop_front ())
    stream->work.front () (0);
}

static inline cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *stream, unsigned)
{
  LIBRARY_CALL ();
  library.streams.push_back (*stream = new Stream ());
  library.n_others++;
  return cudaSuccess;
}

static inline cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  stream_drain (stream);
  for (size_t i = 0; i < library.streams.size (); i++)
    if (library.streams[i] == stream)
      library.streams.erase (library.streams.begin () + (ptrdiff_t)i--);
  delete stream;
  library.n_others--;
  return library_call ();
}

static inline cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  LIBRARY_CALL ();
  stream_drain (stream);
  return cudaSuccess;
}

static inline cudaError_t
cudaEventCreate (cudaEvent_t *event)
{
  LIBRARY_CALL ();
  *event = new Event ();
  library.n_others++;
  return cudaSuccess;
}

static inline cudaError_t
cudaEventDestroy (cudaEvent_t event)
{
  if (event->stream != NULL)
    stream_drain (event->stream);
  delete event;
  library.n_others--;
  return library_call ();
}

static inline cudaError_t
cudaEventRecord (cudaEvent_t event, cudaStream_t stream)
{
  LIBRARY_CALL ();
  event->stream = stream;
  event->has_passed = false;
  stream->work.push_back ([=] (int64_t) { return event->has_passed = true; });
  return cudaSuccess;
}

static inline cudaError_t
cudaEventQuery (cudaEvent_t event)
{
  LIBRARY_CALL ();
  std::deque<Work> &work = event->stream->work;
  while (!event->has_passed && work.front () (SWITCHES_A_QUERY))
    work.pop_front ();
  if (!event->has_passed)
    return cudaErrorNotReady;
  return cudaSuccess;
}

static inline cudaError_t
cudaEventElapsedTime (float *ms, cudaEvent_t before, cudaEvent_t after)
{
  LIBRARY_CALL ();
  if (!before->has_passed || !after->has_passed)
    device_die ("the time of what has not passed");
  *ms = 1;
  return cudaSuccess;
}

/* --- Memory: full of noise at first --- */

static cudaError_t
library_allocate (void **memory, size_t bytes, std::map<char *, size_t> *of)
{
  LIBRARY_CALL ();
  *memory = aligned_alloc (ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  memset (*memory, 0xc5, bytes);
  (*of)[(char *)*memory] = bytes;
  return cudaSuccess;
}

static cudaError_t
library_free (void *memory, std::map<char *, size_t> *of)
{
  for (Stream *stream : library.streams)
    stream_drain (stream);
  if (memory != NULL && of->erase ((char *)memory) == 0)
    device_die ("what is freed was not allocated");
  free (memory);
  return library_call ();
}

static bool
library_has (const std::map<char *, size_t> &blocks, const void *place)
{
  auto after = blocks.upper_bound ((char *)place);
  if (after == blocks.begin ())
    return false;
  --after;
  return (const char *)place < after->first + after->second;
}

template <typename T>
static inline cudaError_t
cudaMalloc (T **memory, size_t bytes)
{
  return library_allocate ((void **)memory, bytes, &library.device);
}

template <typename T>
static inline cudaError_t
cudaMallocAsync (T **memory, size_t bytes, cudaStream_t)
{
  return library_allocate ((void **)memory, bytes, &library.device);
}

template <typename T>
static inline cudaError_t
cudaMallocHost (T **memory, size_t bytes)
{
  return library_allocate ((void **)memory, bytes, &library.host);
}

template <typename T>
static inline cudaError_t
cudaHostAlloc (T **memory, size_t bytes, unsigned)
{
  return library_allocate ((void **)memory, bytes, &library.host);
}

static inline cudaError_t
cudaFree (void *memory)
{
  return library_free (memory, &library.device);
}

static inline cudaError_t
cudaFreeHost (void *memory)
{
  return library_free (memory, &library.host);
}

static inline cudaError_t
cudaFreeAsync (void *memory, cudaStream_t)
{
  return library_free (memory, &library.device);
}

/* Pinned memory is read when its turn comes, other memory at once. */
static inline cudaError_t
cudaMemcpyAsync (void *to, const void *from, size_t bytes, int, cudaStream_t stream)
{
  LIBRARY_CALL ();
  if (library_has (library.device, from) || library_has (library.host, from)) {
    stream->work.push_back ([=] (int64_t) { return memcpy (to, from, bytes) != NULL; });
    return cudaSuccess;
  }
  std::string copy ((const char *)from, bytes);
  stream->work.push_back ([=] (int64_t) { return memcpy (to, copy.data (), bytes) != NULL; });
  return cudaSuccess;
}

/* On a stream of its own, which waits for no other. */
static inline cudaError_t
cudaMemcpy (void *to, const void *from, size_t bytes, int)
{
  LIBRARY_CALL ();
  memcpy (to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t
cudaMemsetAsync (void *memory, int value, size_t bytes, cudaStream_t stream)
{
  LIBRARY_CALL ();
  stream->work.push_back ([=] (int64_t) { return memset (memory, value, bytes) != NULL; });
  return cudaSuccess;
}

/* --- Launches --- */

static void
library_launch (std::function<void ()> kernel, int blocks, int threads, bool is_cooperative,
                cudaStream_t stream)
{
  std::shared_ptr<Grid> grid (new Grid ());
  if (blocks < 1 || threads < 1 || threads % DEVICE_WARP != 0 || threads > 1024
      || (is_cooperative && blocks > library.n_blocks))
    device_die ("no such grid can be launched");
  grid->kernel = kernel;
  grid->n_blocks = blocks;
  grid->n_threads = threads;
  grid->is_cooperative = is_cooperative;
  stream->work.push_back ([=] (int64_t budget) {
    if (grid->runners.empty ())
      grid_start (grid.get ());
    return grid_run (grid.get (), budget);
  });
}

template <typename... P> struct Launch {
  void (*kernel) (P...);
  int blocks, threads;
  cudaStream_t stream;

  void
  operator() (P... values)
  {
    auto call = kernel;
    cudaError_t called = library_call ();
    if (called == cudaSuccess)
      library_launch ([=] { call (values...); }, blocks, threads, false, stream);
    else
      library.last = called;
  }
};

template <typename... P>
static Launch<P...>
library_kernel (void (*kernel) (P...), int blocks, int threads, cudaStream_t stream)
{
  return { kernel, blocks, threads, stream };
}

#define FS_LAUNCH(kernel, blocks, threads, stream)                                                 \
  library_kernel (kernel, (int)(blocks), (int)(threads), stream)

/* Binds a kernel to its arguments; by whoever knows their types. */
static std::function<void ()> library_bind (const void *kernel, void **arguments);

static inline cudaError_t
cudaLaunchCooperativeKernel (const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                             size_t, cudaStream_t stream)
{
  LIBRARY_CALL ();
  library_launch (library_bind (kernel, arguments), (int)blocks.x, (int)threads.x, true, stream);
  return cudaSuccess;
}

#endif
