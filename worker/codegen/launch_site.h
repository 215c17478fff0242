// The order of a program's launches as isl's AST.
#pragma once

#include <vector>

#include "worker/codegen/ast_expression.h"
#include "worker/mapping/cuda_mapper.h"

namespace tune {

// One place of the host's AST where a kernel is launched.
struct LaunchSite {
  size_t kernel = 0;                 // in MappedProgram::kernels
  std::vector<isl::ast_expr> host;   // value of each host loop
  std::vector<isl::ast_expr> first;  // first block along each axis
  std::vector<isl::ast_expr> count;  // blocks along each axis
};

struct HostAst {
  isl::ast_node root;  // user nodes carry the annotation of a site
  std::vector<LaunchSite> sites;

  const LaunchSite& site(const isl::ast_node_user& node) const;
};

// Iterators are named names.iterator and a number. To be called inside IslContext::Run; throws
// isl::exception.
HostAst BuildHostAst(const MappedProgram& program, const isl::set& values, const HelperNames& names);

}  // namespace tune
