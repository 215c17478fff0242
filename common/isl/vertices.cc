#include "common/isl/vertices.h"

#include <isl/vertices.h>

#include <exception>

namespace tune {
namespace {

struct Found {
  std::vector<Vertex> vertices;
  std::exception_ptr error;
};

// Nothing is thrown through isl, which is C.
isl_stat Add(isl_vertex* vertex, void* user) {
  auto* const found = static_cast<Found*>(user);
  try {
    found->vertices.push_back(
        {isl::manage(isl_vertex_get_domain(vertex)), isl::manage(isl_vertex_get_expr(vertex))});
  } catch (...) {
    found->error = std::current_exception();
  }
  isl_vertex_free(vertex);
  return found->error ? isl_stat_error : isl_stat_ok;
}

}  // namespace

std::vector<Vertex> VerticesOf(const isl::basic_set& set) {
  Found found;
  isl_vertices* const vertices = isl_basic_set_compute_vertices(set.get());
  const isl_stat done = isl_vertices_foreach_vertex(vertices, &Add, &found);
  isl_vertices_free(vertices);
  if (found.error) std::rethrow_exception(found.error);
  if (done != isl_stat_ok) isl::exception::throw_last_error(set.ctx());
  return found.vertices;
}

}  // namespace tune
