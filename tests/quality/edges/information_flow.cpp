/* SPDX-License-Identifier: MIT */
#include "tests/quality/edges/information_flow.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

/* Needs what core.hpp defines. */
#include <opencv2/alphamat.hpp>

void
information_flow_alpha (const uint32_t *pixels, const uint8_t *trimap, int width, int height,
                        uint8_t *alpha)
{
  cv::setNumThreads (1);
  cv::Mat bgra (height, width, CV_8UC4, const_cast<uint32_t *> (pixels));
  cv::Mat known (height, width, CV_8UC1, const_cast<uint8_t *> (trimap));
  cv::Mat bgr, result, out (height, width, CV_8UC1, alpha);
  cv::cvtColor (bgra, bgr, cv::COLOR_BGRA2BGR);
  cv::alphamat::infoFlow (bgr, known.clone (), result);
  result.convertTo (out, CV_8UC1);
  known.copyTo (out, known != 128);
}
