/* SPDX-License-Identifier: MIT */
#include "solver/expansion_order.h"

void
fs_label_order_begin (FsLabelOrder *order, int n_labels, int stride)
{
  order->n = 0;
  for (int label = 0; label < n_labels; label += stride)
    order->label[order->n++] = (uint8_t)label;
}

/* The next of a sequence that is the same everywhere and always: a counter, its bits mixed (Steele,
 * Lea & Flood 2014). */
static guint32
draw (FsLabelOrder *order)
{
  order->random += 0x9e3779b9;
  guint32 z = order->random;
  z = (z ^ z >> 16) * 0x21f0aaad;
  z = (z ^ z >> 15) * 0x735a2d97;
  return z ^ z >> 15;
}

void
fs_label_order_draw (FsLabelOrder *order)
{
  for (int i = order->n - 1; order->is_drawn && i > 0; i--) {
    int k = (int)(draw (order) % (guint32)(i + 1));
    uint8_t label = order->label[i];
    order->label[i] = order->label[k];
    order->label[k] = label;
  }
}
