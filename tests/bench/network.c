/* SPDX-License-Identifier: MIT */
#include "tests/bench/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
draw (Network *net, uint32_t n)
{
  net->random = net->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((net->random >> 33) % n);
}

static void
add (Network *net, uint32_t from, uint32_t to, uint32_t capacity)
{
  if (net->n == net->n_allocated) {
    net->n_allocated = net->n_allocated * 2 + 1024;
    net->arc = realloc (net->arc, net->n_allocated * sizeof *net->arc);
    if (net->arc == NULL)
      exit (1);
  }
  net->arc[net->n++] = (NetworkArc){ from, to, capacity };
}

static void
add_both (Network *net, uint32_t from, uint32_t to, uint32_t capacity)
{
  add (net, from, to, capacity);
  add (net, to, from, capacity);
}

static void
tie (Network *net, uint32_t node, int32_t tlink)
{
  if (tlink > 0)
    add (net, net->n_nodes + 1, node, (uint32_t)tlink);
  else if (tlink < 0)
    add (net, node, net->n_nodes + 2, (uint32_t)-tlink);
}

static void
make_grid (Network *net)
{
  uint32_t side = (uint32_t)sqrt (net->n_nodes);
  net->n_nodes = side * side;
  for (uint32_t y = 0; y < side; y++)
    for (uint32_t x = 0; x < side; x++) {
      uint32_t v = y * side + x + 1;
      double pass = sin (x * 0.05) * cos (y * 0.07) + 0.6 * sin ((x + 2 * y) * 0.013);
      tie (net, v, (int32_t)(60 * pass) + (int32_t)draw (net, 81) - 40);
      if (x + 1 < side)
        add_both (net, v, v + 1, 10 + draw (net, 90));
      if (y + 1 < side)
        add_both (net, v, v + side, 10 + draw (net, 90));
      if (x + 1 < side && y + 1 < side)
        add_both (net, v, v + side + 1, 7 + draw (net, 60));
      if (x > 0 && y + 1 < side)
        add_both (net, v, v + side - 1, 7 + draw (net, 60));
    }
}

static void
make_at_random (Network *net, int arcs_a_node)
{
  for (uint32_t v = 1; v <= net->n_nodes; v++) {
    for (int i = 0; i < arcs_a_node; i++)
      add (net, v, 1 + draw (net, net->n_nodes), 1 + draw (net, 100));
    if (draw (net, 100) == 0)
      tie (net, v, (draw (net, 2) ? 1 : -1) * (int32_t)(1 + draw (net, 2000)));
  }
}

static void
make_random (Network *net)
{
  make_at_random (net, 8);
}

static void
make_dense (Network *net)
{
  make_at_random (net, 20);
}

static void
make_layered (Network *net)
{
  uint32_t side = (uint32_t)sqrt (net->n_nodes);
  net->n_nodes = side * side;
  for (uint32_t layer = 0; layer < side; layer++)
    for (uint32_t i = 0; i < side; i++) {
      uint32_t v = layer * side + i + 1;
      if (layer == 0)
        tie (net, v, 1000);
      if (layer + 1 == side)
        tie (net, v, -1000);
      for (int k = 0; k < 4 && layer + 1 < side; k++)
        add (net, v, (layer + 1) * side + 1 + draw (net, side), 1 + draw (net, 100));
    }
}

static void
make_cube (Network *net)
{
  uint32_t side = (uint32_t)cbrt (net->n_nodes + 0.5), face = side * side;
  net->n_nodes = face * side;
  for (uint32_t v = 1; v <= net->n_nodes; v++) {
    uint32_t x = (v - 1) % side, y = (v - 1) / side % side, z = (v - 1) / face;
    tie (net, v, z == 0 ? 1000 : z + 1 == side ? -1000 : 0);
    if (x + 1 < side)
      add_both (net, v, v + 1, 1 + draw (net, 100));
    if (y + 1 < side)
      add_both (net, v, v + side, 1 + draw (net, 100));
    if (z + 1 < side)
      add_both (net, v, v + face, 1 + draw (net, 100));
  }
}

gboolean
network_make (Network *net, const char *form, uint32_t n_nodes, uint64_t seed)
{
  static const struct {
    const char *name;
    void (*make) (Network *net);
  } forms[] = { { "grid", make_grid },
                { "random", make_random },
                { "dense", make_dense },
                { "layered", make_layered },
                { "cube", make_cube } };
  *net = (Network){ .n_nodes = n_nodes, .random = seed };
  for (size_t i = 0; i < G_N_ELEMENTS (forms); i++)
    if (strcmp (form, forms[i].name) == 0) {
      forms[i].make (net);
      return TRUE;
    }
  return FALSE;
}

void
network_clear (Network *net)
{
  free (net->arc);
}
