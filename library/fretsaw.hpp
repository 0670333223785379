/* SPDX-License-Identifier: MIT */
/* Fretsaw for C++17: owners that free, and errors that are thrown.   Layer: library (installed).
 *
 * Every class holds one object of fretsaw.h, which has the manual; get () gives it to functions
 * that have no method here, and fretsaw::check throws for them. Options are fretsaw.h's own
 * structs. Threads: as fretsaw.h says; a second call at a time throws FRETSAW_BUSY.
 */
#ifndef FRETSAW_HPP
#define FRETSAW_HPP

#include <fretsaw.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fretsaw {

class error : public std::runtime_error {
public:
  explicit error (const fretsaw_error &from) : std::runtime_error (from.text), code (from.status)
  {
  }
  fretsaw_status
  status () const noexcept
  {
    return static_cast<fretsaw_status> (code);
  }

private:
  int32_t code;
};

/* Calls a function whose last argument is a fretsaw_error. */
template <typename Function, typename... Arguments>
void
check (Function function, Arguments &&...arguments)
{
  fretsaw_error failure;
  if (function (std::forward<Arguments> (arguments)..., &failure) != FRETSAW_OK)
    throw error (failure);
}

/* One object of the library. */
template <typename Object, void (*free_object) (Object *)> class owner {
public:
  Object *
  get () const noexcept
  {
    return object.get ();
  }

protected:
  struct deleter {
    void
    operator() (Object *what) const noexcept
    {
      free_object (what);
    }
  };
  void
  take (Object *what)
  {
    object.reset (what);
  }

private:
  std::unique_ptr<Object, deleter> object;
};

class context : public owner<fretsaw_context, fretsaw_context_free> {
public:
  explicit context (int n_threads = 0, const char *device = nullptr)
  {
    fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
    options.n_threads = n_threads;
    options.device = device;
    fretsaw_context *made = nullptr;
    check (fretsaw_context_new, &options, &made);
    take (made);
  }
};

/* solve, mask and certify of grids and graphs. */
template <typename Object, void (*free_object) (Object *),
          fretsaw_status (*solve_object) (Object *, const fretsaw_progress *, fretsaw_solution *,
                                          fretsaw_error *),
          fretsaw_status (*certify_object) (Object *, fretsaw_certificate *, fretsaw_error *)>
class cut : public owner<Object, free_object> {
public:
  fretsaw_solution
  solve (const fretsaw_progress *progress = nullptr)
  {
    fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
    check (solve_object, this->get (), progress, &solution);
    return solution;
  }
  fretsaw_certificate
  certify ()
  {
    fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
    check (certify_object, this->get (), &certificate);
    return certificate;
  }
};

class grid : public cut<fretsaw_grid, fretsaw_grid_free, fretsaw_grid_solve, fretsaw_grid_certify> {
public:
  explicit grid (const fretsaw_grid_options &options, const context *where = nullptr)
      : n_pixels (static_cast<size_t> (options.width) * static_cast<size_t> (options.height))
  {
    fretsaw_grid *made = nullptr;
    check (fretsaw_grid_new, where ? where->get () : nullptr, &options, &made);
    take (made);
  }
  void
  change_tlinks (const std::vector<fretsaw_tlink_change> &changes)
  {
    check (fretsaw_grid_change_tlinks, get (), changes.data (), changes.size ());
  }
  std::vector<uint8_t>
  mask () const
  {
    std::vector<uint8_t> mask (n_pixels);
    check (fretsaw_grid_get_mask, get (), mask.data (), ptrdiff_t (0));
    return mask;
  }

private:
  size_t n_pixels;
};

class graph
    : public cut<fretsaw_graph, fretsaw_graph_free, fretsaw_graph_solve, fretsaw_graph_certify> {
public:
  explicit graph (uint32_t n_nodes, const context *where = nullptr)
  {
    fretsaw_graph *made = nullptr;
    check (fretsaw_graph_new, where ? where->get () : nullptr, n_nodes, &made);
    take (made);
  }
  void
  add_edges (const std::vector<fretsaw_graph_edge> &edges)
  {
    check (fretsaw_graph_add_edges, get (), edges.data (), edges.size ());
  }
  void
  change_tlinks (const std::vector<fretsaw_node_change> &changes)
  {
    check (fretsaw_graph_change_tlinks, get (), changes.data (), changes.size ());
  }
  void
  change_edges (const std::vector<fretsaw_edge_change> &changes)
  {
    check (fretsaw_graph_change_edges, get (), changes.data (), changes.size ());
  }
  std::vector<uint8_t>
  mask () const
  {
    std::vector<uint8_t> mask (fretsaw_graph_count_nodes (get ()));
    check (fretsaw_graph_get_mask, get (), mask.data ());
    return mask;
  }
};

class photo : public owner<fretsaw_photo, fretsaw_photo_free> {
public:
  explicit photo (const fretsaw_image &image, const fretsaw_photo_options *options = nullptr,
                  const context *where = nullptr)
      : n_pixels (static_cast<size_t> (image.width) * static_cast<size_t> (image.height))
  {
    fretsaw_photo *made = nullptr;
    check (fretsaw_photo_new, where ? where->get () : nullptr, &image, options, &made);
    take (made);
  }
  void
  set_labels (const uint8_t *labels, ptrdiff_t stride = 0)
  {
    check (fretsaw_photo_set_labels, get (), labels, stride);
  }
  void
  set_guess (const fretsaw_guess *guess)
  {
    check (fretsaw_photo_set_guess, get (), guess);
  }
  void
  paint (double x0, double y0, double x1, double y1, double radius, int label)
  {
    check (fretsaw_photo_paint, get (), x0, y0, x1, y1, radius, label);
  }
  fretsaw_solution
  update (const fretsaw_progress *progress = nullptr)
  {
    fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
    check (fretsaw_photo_update, get (), progress, &solution);
    return solution;
  }
  fretsaw_solution
  finish (const fretsaw_progress *progress = nullptr)
  {
    fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
    check (fretsaw_photo_finish, get (), progress, &solution);
    return solution;
  }
  /* Approximate, for a screen before an update that takes long. */
  std::vector<uint8_t>
  preview (const fretsaw_progress *progress = nullptr)
  {
    std::vector<uint8_t> mask (n_pixels);
    check (fretsaw_photo_preview, get (), progress, mask.data (), ptrdiff_t (0));
    return mask;
  }
  /* Which object each pixel of an update is of, as labels () finds by itself. */
  void
  separate (const fretsaw_progress *progress = nullptr)
  {
    check (fretsaw_photo_separate, get (), progress);
  }
  std::vector<uint8_t>
  mask () const
  {
    std::vector<uint8_t> mask (n_pixels);
    check (fretsaw_photo_get_mask, get (), mask.data (), ptrdiff_t (0));
    return mask;
  }
  std::vector<uint8_t>
  labels () const
  {
    std::vector<uint8_t> labels (n_pixels);
    check (fretsaw_photo_get_labels, get (), labels.data (), ptrdiff_t (0));
    return labels;
  }
  /* Red, green, blue, alpha. */
  std::vector<uint8_t>
  render (const fretsaw_edge_options *options = nullptr,
          const fretsaw_progress *progress = nullptr) const
  {
    std::vector<uint8_t> pixels (4 * n_pixels);
    check (fretsaw_photo_render, get (), options, progress, FRETSAW_RGBA, pixels.data (),
           ptrdiff_t (0));
    return pixels;
  }

private:
  size_t n_pixels;
};

class expansion : public owner<fretsaw_expansion, fretsaw_expansion_free> {
public:
  explicit expansion (const fretsaw_expansion_options &options, const context *where = nullptr)
  {
    fretsaw_expansion *made = nullptr;
    check (fretsaw_expansion_new, where ? where->get () : nullptr, &options, &made);
    take (made);
  }
  /* `labels` has one for each pixel. */
  fretsaw_labelling
  run (std::vector<uint8_t> &labels, const fretsaw_progress *progress = nullptr)
  {
    fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
    check (fretsaw_expansion_run, get (), labels.data (), progress, &labelling);
    return labelling;
  }
};

} // namespace fretsaw

#endif
