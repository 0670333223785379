/* SPDX-License-Identifier: MIT */
/* Times of the same thing by three clocks, and their medians as JSON. */
#ifndef FS_BENCH_CLOCKS_H
#define FS_BENCH_CLOCKS_H

#include <glib.h>

G_BEGIN_DECLS

/* Milliseconds, of double: of the processor, of the wall, and of the device's own clock. Any of
 * them may have none. */
typedef struct {
  GArray *cpu, *wall, *device;
} BenchClocks;

void bench_clocks_init (BenchClocks *times);
void bench_clocks_clear (BenchClocks *times);

/* Prints the median and the worst of each as a further member of an object, where there are any. */
void bench_print_median (const char *name, const GArray *values);
void bench_print_clocks (const char *name, const BenchClocks *times);

G_END_DECLS

#endif
