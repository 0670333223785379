/* SPDX-License-Identifier: MIT */
/* make_network FORM NODES SEED: writes a maximum-flow problem in the DIMACS format, one of
 * tests/bench/network.h. */
#include "tests/bench/network.h"

#include <stdio.h>
#include <stdlib.h>

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
  g_auto (Network) net = { 0 };
  uint32_t n_nodes = argc == 4 ? (uint32_t)strtoul (argv[2], NULL, 10) : 0;
  if (n_nodes > 0 && network_make (&net, argv[1], n_nodes, strtoul (argv[3], NULL, 10)))
    return print (&net);
  fputs ("usage: make_network grid|random|dense|layered|cube NODES SEED\n", stderr);
  return 2;
}
