/* SPDX-License-Identifier: MIT */
/* Tells ThreadSanitizer what GLib's own primitives order.   Layer: none, only in builds for it.
 *
 * GLib itself is not instrumented, so a hand-over through GMutex, GCond, a main context, GTask or a
 * reference count looks like a race. Included before everything else (-include), this wraps the
 * calls that hand something over: what happened before a release is seen after the acquire of the
 * same object. Threads need nothing: their start and join go through pthread.
 */
#ifndef FS_TESTS_TSAN_GLIB_H
#define FS_TESTS_TSAN_GLIB_H

/* The sample's renderer is built without GLib. */
#if __has_include(<gio/gio.h>)
#include <gio/gio.h>

void __tsan_acquire (void *object);
void __tsan_release (void *object);

static inline void
fs_tsan_mutex_lock (GMutex *mutex)
{
  g_mutex_lock (mutex);
  __tsan_acquire (mutex);
}

static inline void
fs_tsan_mutex_unlock (GMutex *mutex)
{
  __tsan_release (mutex);
  g_mutex_unlock (mutex);
}

static inline void
fs_tsan_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  g_cond_wait (cond, mutex);
  __tsan_acquire (mutex);
}

static inline gboolean
fs_tsan_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_us)
{
  __tsan_release (mutex);
  gboolean was_signalled = g_cond_wait_until (cond, mutex, end_us);
  __tsan_acquire (mutex);
  return was_signalled;
}

/* A source's callback sees what happened before the source was attached. */
typedef struct {
  GSourceFunc function;
  gpointer data;
  GDestroyNotify notify;
} FsTsanCall;

static inline gboolean
fs_tsan_call (gpointer data)
{
  FsTsanCall *call = data;
  __tsan_acquire (call);
  return call->function (call->data);
}

static inline void
fs_tsan_call_free (gpointer data)
{
  FsTsanCall *call = data;
  __tsan_acquire (call);
  if (call->notify)
    call->notify (call->data);
  g_free (call);
}

static inline void
fs_tsan_source_set_callback (GSource *source, GSourceFunc function, gpointer data,
                             GDestroyNotify notify)
{
  FsTsanCall *call = g_new (FsTsanCall, 1);
  *call = (FsTsanCall){ function, data, notify };
  __tsan_release (call);
  g_source_set_callback (source, fs_tsan_call, call, fs_tsan_call_free);
}

/* A task's data is freed by whoever lets go of the task last, after all others have. */
typedef struct {
  GTask *task;
  gpointer data;
  GDestroyNotify destroy;
} FsTsanTaskData;

static inline void
fs_tsan_task_data_free (gpointer data)
{
  FsTsanTaskData *own = data;
  __tsan_acquire (own->task);
  if (own->destroy)
    own->destroy (own->data);
  g_free (own);
}

static inline void
fs_tsan_task_set_data (GTask *task, gpointer data, GDestroyNotify destroy)
{
  FsTsanTaskData *own = g_new (FsTsanTaskData, 1);
  *own = (FsTsanTaskData){ task, data, destroy };
  g_task_set_task_data (task, own, fs_tsan_task_data_free);
}

static inline gpointer
fs_tsan_task_get_data (GTask *task)
{
  __tsan_acquire (task);
  FsTsanTaskData *own = g_task_get_task_data (task);
  return own ? own->data : NULL;
}

static inline void
fs_tsan_object_unref (gpointer object)
{
  __tsan_release (object);
  g_object_unref (object);
}

/* A task's thread sees what its starter did, and whoever frees its data what the thread did. */
static inline void
fs_tsan_task_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  __tsan_acquire (task);
  GTaskThreadFunc function = (GTaskThreadFunc)g_object_get_data (G_OBJECT (task), "fs-tsan");
  function (task, source, fs_tsan_task_get_data (task), cancellable);
  __tsan_release (task);
}

static inline void
fs_tsan_run_in_thread (GTask *task, GTaskThreadFunc function)
{
  g_object_set_data (G_OBJECT (task), "fs-tsan", (gpointer)function);
  __tsan_release (task);
  g_task_run_in_thread (task, fs_tsan_task_thread);
}

/* What is made once is seen by all that find it made. */
static inline gboolean
fs_tsan_once_enter (gsize *place)
{
  gboolean is_mine = g_once_init_enter (place);
  __tsan_acquire (place);
  return is_mine;
}

static inline void
fs_tsan_once_leave (gsize *place, gsize result)
{
  __tsan_release (place);
  g_once_init_leave (place, result);
}

#undef g_once_init_enter
#undef g_once_init_leave
#define g_once_init_enter(place)         fs_tsan_once_enter ((gsize *)(place))
#define g_once_init_leave(place, result) fs_tsan_once_leave ((gsize *)(place), (gsize)(result))

#define g_mutex_lock(mutex)                    fs_tsan_mutex_lock (mutex)
#define g_mutex_unlock(mutex)                  fs_tsan_mutex_unlock (mutex)
#define g_cond_wait(cond, mutex)               fs_tsan_cond_wait (cond, mutex)
#define g_cond_wait_until(cond, mutex, end_us) fs_tsan_cond_wait_until (cond, mutex, end_us)
#define g_source_set_callback(source, function, data, notify)                                      \
  fs_tsan_source_set_callback (source, function, data, notify)

#define g_task_set_task_data(task, data, destroy) fs_tsan_task_set_data (task, data, destroy)

#define g_task_run_in_thread(task, function) fs_tsan_run_in_thread (task, function)
#define g_task_get_task_data(task)           fs_tsan_task_get_data (task)
#define g_object_unref(object)               fs_tsan_object_unref (object)
#define g_task_return_boolean(task, yes)     (__tsan_release (task), g_task_return_boolean (task, yes))
#define g_task_return_error(task, error)     (__tsan_release (task), g_task_return_error (task, error))
#define g_task_return_pointer(task, result, destroy)                                               \
  (__tsan_release (task), g_task_return_pointer (task, result, destroy))
#define g_task_propagate_boolean(task, error)                                                      \
  (__tsan_acquire (task), g_task_propagate_boolean (task, error))
#define g_task_propagate_pointer(task, error)                                                      \
  (__tsan_acquire (task), g_task_propagate_pointer (task, error))

/* The last reference frees what every other holder did before it let go. */
#define g_atomic_ref_count_dec(count)                                                              \
  (__tsan_release (count), g_atomic_ref_count_dec (count) ? (__tsan_acquire (count), TRUE) : FALSE)
#define g_atomic_rc_box_release_full(box, clear)                                                   \
  (__tsan_release (box), __tsan_acquire (box), g_atomic_rc_box_release_full (box, clear))

#endif
#endif
