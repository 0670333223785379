/* SPDX-License-Identifier: MIT */
#include "solver/expansion/order.h"

void
fs_label_order_init (FsLabelOrder *order, const uint8_t *given, int n_labels)
{
  order->n_all = n_labels;
  for (int i = 0; i < n_labels; i++)
    order->all[i] = given != NULL ? given[i] : (uint8_t)i;
}

int
fs_label_order_coarsest (const FsLabelOrder *order)
{
  int stride = 1;
  while (8 * stride <= order->n_all)
    stride *= 2;
  return stride;
}

void
fs_label_order_begin (FsLabelOrder *order, int stride)
{
  order->n = 0;
  for (int i = 0; i < order->n_all; i++)
    if (order->all[i] % stride == 0)
      order->label[order->n++] = order->all[i];
}

void
fs_label_order_shuffle (FsLabelOrder *order, guint32 random)
{
  order->random = random;
  order->is_drawn = random != 0;
}

/* The next of a sequence that is the same everywhere and always: a counter, its bits mixed (Steele,
 * Lea & Flood 2014). */
static guint32
draw_number (FsLabelOrder *order)
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
    int k = (int)(draw_number (order) % (guint32)(i + 1));
    uint8_t label = order->label[i];
    order->label[i] = order->label[k];
    order->label[k] = label;
  }
}
