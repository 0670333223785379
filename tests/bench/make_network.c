/* SPDX-License-Identifier: MIT */
/* make_network FORM NODES SEED: writes a maximum-flow problem in the DIMACS format.
 *
 *   grid     a square with 8 neighbours, terminals tied to every node, capacities like a photo's
 *   random   each node to eight others, terminals tied to one in a hundred
 *   layered  square layers, each node to four of the next layer, as in a supply chain
 *   cube     a cube with 6 neighbours, terminals tied to two opposite faces
 *
 * What it writes depends on nothing but its arguments.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint32_t from, to, capacity;
} Arc;

typedef struct {
  Arc *arc;
  size_t n, room;
  uint32_t n_nodes; /* the source is n_nodes + 1, the sink n_nodes + 2; nodes are from 1 */
  uint64_t random;
} Network;

static uint32_t
draw (Network *net, uint32_t n)
{
  net->random = net->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((net->random >> 33) % n);
}

static void
add (Network *net, uint32_t from, uint32_t to, uint32_t capacity)
{
  if (net->n == net->room) {
    net->room = net->room * 2 + 1024;
    net->arc = realloc (net->arc, net->room * sizeof *net->arc);
    if (net->arc == NULL)
      exit (1);
  }
  net->arc[net->n++] = (Arc){ from, to, capacity };
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
      double wave = sin (x * 0.05) * cos (y * 0.07) + 0.6 * sin ((x + 2 * y) * 0.013);
      tie (net, v, (int32_t)(60 * wave) + (int32_t)draw (net, 81) - 40);
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
make_random (Network *net)
{
  for (uint32_t v = 1; v <= net->n_nodes; v++) {
    for (int i = 0; i < 8; i++)
      add (net, v, 1 + draw (net, net->n_nodes), 1 + draw (net, 100));
    if (draw (net, 100) == 0)
      tie (net, v, (draw (net, 2) ? 1 : -1) * (int32_t)(1 + draw (net, 2000)));
  }
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

static int
print (const Network *net)
{
  printf ("p max %u %zu\nn %u s\nn %u t\n", net->n_nodes + 2, net->n, net->n_nodes + 1,
          net->n_nodes + 2);
  for (size_t i = 0; i < net->n; i++)
    printf ("a %u %u %u\n", net->arc[i].from, net->arc[i].to, net->arc[i].capacity);
  return fflush (stdout) != 0 || ferror (stdout);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*make) (Network *net);
  } forms[] = { { "grid", make_grid },
                { "random", make_random },
                { "layered", make_layered },
                { "cube", make_cube } };
  Network net = { .n_nodes = argc == 4 ? (uint32_t)strtoul (argv[2], NULL, 10) : 0 };
  net.random = argc == 4 ? strtoul (argv[3], NULL, 10) : 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms && net.n_nodes > 0; i++)
    if (strcmp (argv[1], forms[i].name) == 0) {
      forms[i].make (&net);
      int failed = print (&net);
      free (net.arc);
      return failed;
    }
  fputs ("usage: make_network grid|random|layered|cube NODES SEED\n", stderr);
  return 2;
}
