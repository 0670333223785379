/* SPDX-License-Identifier: MIT */
/* Fibres: threads of one OS thread, which say themselves when another may run.
 *
 * A fibre begins in a function and must leave by fibre_leave(). Under AddressSanitizer every switch
 * is announced. */
#ifndef FS_TESTS_FIBRE_H
#define FS_TESTS_FIBRE_H

#include <cstddef>
#include <cstdlib>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define FIBRE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIBRE_ASAN 1
#endif
#endif
#ifdef FIBRE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

/* One that can be switched from and to: a fibre, or the OS thread's own stack. */
struct Context {
#if defined(__x86_64__)
  void *top;
#else
  ucontext_t registers;
#endif
  void *fake; /* AddressSanitizer's */
  const void *stack;
  size_t bytes;
};

#if defined(__x86_64__)
/* Saves what a call must keep, and the stack; goes on where `to` was saved. */
extern "C" void fibre_swap (void **from, void *to);
__asm__(".text\n"
        ".type fibre_swap, @function\n"
        "fibre_swap:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size fibre_swap, . - fibre_swap\n");

static inline void
fibre_prepare (Context *fibre, char *stack, size_t bytes, void (*begin) ())
{
  void **top = (void **)(stack + bytes) - 8;
  memset (top, 0, 8 * sizeof *top);
  top[6] = (void *)begin; /* where the swap returns to, with the stack as a call leaves it */
  fibre->top = top;
}
#else
static inline void
fibre_swap_registers (Context *from, Context *to)
{
  swapcontext (&from->registers, &to->registers);
}

static inline void
fibre_prepare (Context *fibre, char *stack, size_t bytes, void (*begin) ())
{
  getcontext (&fibre->registers);
  fibre->registers.uc_stack.ss_sp = stack;
  fibre->registers.uc_stack.ss_size = bytes;
  fibre->registers.uc_link = NULL;
  makecontext (&fibre->registers, begin, 0);
}
#endif

/* Makes a fibre on a stack that lives until it has left. */
static inline void
fibre_init (Context *fibre, char *stack, size_t bytes, void (*begin) ())
{
#ifdef FIBRE_ASAN
  __asan_unpoison_memory_region (stack, bytes);
#endif
  fibre->fake = NULL;
  fibre->stack = stack;
  fibre->bytes = bytes;
  fibre_prepare (fibre, stack, bytes, begin);
}

static inline void
fibre_switch_for (Context *from, Context *to, void **fake)
{
#ifdef FIBRE_ASAN
  __sanitizer_start_switch_fiber (fake, to->stack, to->bytes);
#endif
#if defined(__x86_64__)
  fibre_swap (&from->top, to->top);
#else
  fibre_swap_registers (from, to);
#endif
#ifdef FIBRE_ASAN
  __sanitizer_finish_switch_fiber (from->fake, NULL, NULL);
#endif
}

static inline void
fibre_switch (Context *from, Context *to)
{
  fibre_switch_for (from, to, &from->fake);
}

/* For a fibre's first line: finds out which stack it was started from. */
static inline void
fibre_enter (Context *starter)
{
#ifdef FIBRE_ASAN
  __sanitizer_finish_switch_fiber (NULL, &starter->stack, &starter->bytes);
#endif
}

/* For its last one. */
[[noreturn]] static inline void
fibre_leave (Context *fibre, Context *to)
{
  fibre_switch_for (fibre, to, NULL);
  abort ();
}

#endif
