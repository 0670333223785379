/* SPDX-License-Identifier: MIT */
/* Sequences of the library's calls drawn from an input: each call is right or wrong in ways that
 * the harness knows, and each result is that of a fresh object. */
#ifndef FS_TESTS_FUZZ_LIBRARY_CALLS_H
#define FS_TESTS_FUZZ_LIBRARY_CALLS_H

#include "library/fretsaw.h"

#include <glib.h>

enum { MAX_CALLS = 40 };

typedef struct {
  const uint8_t *bytes;
  size_t n_bytes, at;
  fretsaw_context *context; /* of all objects */
  gboolean is_tame;         /* numbers are within their limits: of whole planes, most of the time */
} Input;

/* 0 behind the end. */
static inline int
take_byte (Input *input)
{
  return input->at < input->n_bytes ? input->bytes[input->at++] : 0;
}

static inline gboolean
has_more (const Input *input)
{
  return input->at < input->n_bytes;
}

/* min … max, at most 256 of them. */
static inline int
take_int (Input *input, int min, int max)
{
  return min + take_byte (input) % (max - min + 1);
}

/* One time in `n`. */
static inline gboolean
take_chance (Input *input, int n)
{
  return take_byte (input) % n == n - 1;
}

/* A number that is mostly small, else the limit, beyond it, or as far as there are numbers. */
static inline int64_t
take_number (Input *input, int64_t limit)
{
  int byte = take_byte (input), rest = byte % 128;
  const int64_t odd[] = { limit, -limit, limit + 1, -limit - 1, G_MAXINT32, G_MININT32 };
  if (byte >= 250 && (byte < 252 || !input->is_tame))
    return odd[byte - 250];
  return byte < 180 ? byte - 90 : rest * 300;
}

static inline uint16_t
take_capacity (Input *input)
{
  int byte = take_byte (input);
  const uint16_t odd[] = { 32767, 32768, 65535 };
  return byte < 253 || input->is_tame ? (uint16_t)(byte * byte / 3) : odd[byte - 253];
}

/* A call that is wrong says so in a sentence. */
static inline void
expect (fretsaw_status status, gboolean is_right, const fretsaw_error *error)
{
  if (status && is_right)
    g_error ("refused: %s", error->text);
  if (!status && !is_right)
    g_error ("a wrong call was not refused");
  if (!status)
    return;
  g_assert_true (status == FRETSAW_INVALID || status == FRETSAW_UNSUPPORTED
                 || status == FRETSAW_FORMAT);
  g_assert_cmpint (error->status, ==, status);
  g_assert_true (error->text[0] != '\0' && g_utf8_validate (error->text, -1, NULL));
}

/* Calls with each object until the input ends. */
void fuzz_grid (Input *input);
void fuzz_graph (Input *input);
void fuzz_dimacs_text (Input *input);
void fuzz_expansion (Input *input);
void fuzz_photo_calls (Input *input);

#endif
