/* SPDX-License-Identifier: MIT */
#include "tests/gui/sample_strokes.h"

#define MAX_POINTS 8

/* Points in image pixels of the sample; a brush in widget pixels. */
typedef struct {
  guint button;
  int brush;
  int n_points;
  double points[MAX_POINTS][2];
} Stroke;

static const Stroke strokes[] = {
  { 1, 14, 5, { { 548, 210 }, { 512, 330 }, { 560, 530 }, { 690, 650 }, { 880, 680 } } },
  { 1, 14, 5, { { 565, 192 }, { 640, 225 }, { 740, 350 }, { 890, 520 }, { 1020, 600 } } },
  { 3, 14, 5, { { 90, 120 }, { 300, 85 }, { 640, 100 }, { 760, 170 }, { 830, 230 } } },
  { 3, 14, 5, { { 830, 230 }, { 950, 235 }, { 1050, 340 }, { 1090, 420 }, { 1102, 596 } } },
  { 3, 14, 5, { { 80, 580 }, { 260, 560 }, { 420, 610 }, { 480, 690 }, { 560, 800 } } },
  { 3, 14, 4, { { 120, 900 }, { 480, 980 }, { 900, 960 }, { 1530, 910 } } },
  { 3, 12, 2, { { 1190, 990 }, { 1290, 975 } } },
  { 3, 14, 4, { { 1180, 420 }, { 1340, 415 }, { 1480, 530 }, { 1420, 640 } } },
  { 3, 10, 4, { { 1035, 695 }, { 1150, 760 }, { 1150, 830 }, { 870, 800 } } },
  { 1, 8, 2, { { 1035, 628 }, { 1270, 714 } } },
  { 1, 5, 3, { { 762, 700 }, { 778, 780 }, { 760, 880 } } },
  { 1, 5, 3, { { 812, 710 }, { 806, 780 }, { 792, 862 } } },
  { 1, 4, 2, { { 262, 400 }, { 368, 320 } } },
  { 1, 6, 2, { { 425, 303 }, { 480, 290 } } },
  { 1, 10, 4, { { 738, 325 }, { 853, 373 }, { 978, 476 }, { 1035, 572 } } },
  { 1, 10, 5, { { 590, 300 }, { 565, 370 }, { 600, 489 }, { 711, 604 }, { 850, 629 } } },
  { 1, 3, 3, { { 302, 262 }, { 316, 290 }, { 338, 318 } } },
  { 1, 3, 3, { { 340, 268 }, { 372, 272 }, { 400, 288 } } },
  { 1, 4, 2, { { 338, 365 }, { 400, 398 } } },
  { 1, 4, 2, { { 185, 446 }, { 250, 411 } } },
  { 3, 5, 2, { { 1040, 668 }, { 1078, 682 } } },
  { 3, 4, 3, { { 791, 722 }, { 793, 790 }, { 786, 850 } } },
  { 1, 3, 4, { { 655, 918 }, { 700, 912 }, { 757, 906 }, { 815, 918 } } },
  { 3, 5, 3, { { 574, 631 }, { 584, 665 }, { 636, 673 } } },
};

/* A smooth curve through the points (Catmull & Rom 1974). */
static double
curve (const Stroke *stroke, int axis, double at)
{
  int i = MIN ((int)at, stroke->n_points - 2);
  double t = at - i;
  double p[4];
  for (int k = 0; k < 4; k++)
    p[k] = stroke->points[CLAMP (i - 1 + k, 0, stroke->n_points - 1)][axis];
  return 0.5
         * (2 * p[1] + (p[2] - p[0]) * t + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * t * t
            + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * t * t * t);
}

static void
play (Stage *stage, const Stroke *stroke)
{
  int n = 24 * (stroke->n_points - 1);
  double x, y;
  fs_tools_set_brush_size (fs_window_get_tools (stage->window), stroke->brush);
  for (int i = 0; i <= n; i++) {
    double at = (double)i * (stroke->n_points - 1) / n;
    stage_to_widget (stage, curve (stroke, 0, at), curve (stroke, 1, at), &x, &y);
    if (i == 0)
      stage_press (stage, stroke->button, x, y);
    else
      stage_move (stage, x, y);
    stage_pause (8);
  }
  stage_release (stage, stroke->button, x, y);
  stage_settle (stage);
}

void
sample_strokes_play (Stage *stage)
{
  for (gsize i = 0; i < G_N_ELEMENTS (strokes); i++)
    play (stage, &strokes[i]);
}
