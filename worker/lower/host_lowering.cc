#include "worker/lower/host_lowering.h"

#include "common/isl/ast.h"
#include "common/isl/functions.h"
#include "worker/lower/ast_lowering.h"
#include "worker/lower/block_ast.h"

namespace tune {
namespace {

// One place of the host's AST where a kernel is launched.
struct LaunchSite {
  size_t kernel = 0;                        // in MappedProgram::kernels
  std::vector<isl::ast_expr> host;          // value of each host loop
  std::vector<isl::ast_expr> first, count;  // of the blocks along each axis
};

LaunchSite MakeSite(size_t index, const MappedKernel& kernel, const isl::ast_build& build) {
  LaunchSite site{index, {}, {}, {}};
  // T -> K
  const isl::pw_multi_aff inverse = build.schedule().reverse().as_map().as_pw_multi_aff();
  for (int depth = 0; depth < kernel.kernel->host_depth; ++depth)
    site.host.push_back(build.expr_from(inverse.at(depth)));
  for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
    const isl::pw_aff first = kernel.first_block[axis].pullback(inverse);  // T -> [b]
    const isl::pw_aff last = kernel.last_block[axis].pullback(inverse);
    const isl::pw_aff more = last.sub(first);
    const isl::pw_aff one = ConstantOn(more.domain(), isl::val::one(more.ctx()));
    site.first.push_back(build.expr_from(first));
    site.count.push_back(build.expr_from(more.add(one)));
  }
  return site;
}

class HostLowering : public AstLowering {
 public:
  explicit HostLowering(const std::vector<LaunchSite>& sites) : AstLowering({}, none_), sites_(sites) {}

 private:
  Block LowerUser(const isl::ast_node_user& node) override {
    const int number = Annotation(node).user<int>();
    const LaunchSite& site = sites_.at(number);
    Launch launch;
    launch.kernel = static_cast<int>(site.kernel);
    launch.host = expressions().Lower(site.host);
    launch.first = expressions().Lower(site.first);
    launch.count = expressions().Lower(site.count);
    return {{std::move(launch)}};
  }

  const std::map<std::string, isl::ast_expr> none_;
  const std::vector<LaunchSite>& sites_;
};

// Whether the loop is one of the tiles' loops around the launch.
bool IsTileLoop(const Loop& loop, const Launch& launch, const MappedProgram& program) {
  const TileLoops& tiles = program.kernels[launch.kernel].kernel->tile_loops;
  for (int depth = tiles.first; depth < tiles.first + tiles.count; ++depth) {
    if (launch.host[depth].IsName(loop.iterator)) return true;
  }
  return false;
}

void MarkTileLoops(const MappedProgram& program, Block* host) {
  ForEachNode(*host, [&](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop == nullptr) return;
    ForEachNode(loop->body, [&](const Node& inside) {
      const auto* const launch = inside.As<Launch>();
      loop->parallel = loop->parallel || (launch != nullptr && IsTileLoop(*loop, *launch, program));
    });
  });
}

// Launches are told the iterators of the tiles' loops around them, `tiles`, also where a condition makes one
// a number.
void NameTiles(const MappedProgram& program, const std::vector<std::string>& tiles, Block* block) {
  for (Node& node : *block) {
    if (auto* const launch = node.As<Launch>()) {
      const TileLoops& loops = program.kernels[launch->kernel].kernel->tile_loops;
      if (loops.count != static_cast<int>(tiles.size())) continue;
      for (int i = 0; i < loops.count; ++i) launch->host[loops.first + i] = IndexExpression::Name(tiles[i]);
    }
    std::vector<std::string> inside = tiles;
    const auto* const loop = node.As<Loop>();
    if (loop != nullptr && loop->parallel) inside.push_back(loop->iterator);
    for (Block* inner : node.blocks()) NameTiles(program, inside, inner);
  }
}

}  // namespace

Block LowerHost(const MappedProgram& program, const isl::set& values, const HelperNames& names) {
  if (program.kernels.empty()) return {};
  std::vector<LaunchSite> sites;
  isl::ast_build build = MakeAstBuild(program.host, values, names.iterator);
  build = build.set_at_each_domain([&](const isl::ast_node& node, const isl::ast_build& inner) {
    const auto call = node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>();
    const size_t kernel = std::stoul(call.arg(0).as<isl::ast_expr_id>().id().name().substr(1));
    const isl::id annotation(node.ctx(), "launch", static_cast<int>(sites.size()));
    sites.push_back(MakeSite(kernel, program.kernels[kernel], inner));
    return WithAnnotation(node, annotation);
  });
  const isl::ast_node root = build.node_from(program.host);
  Block host = HostLowering(sites).Lower(root);
  MarkTileLoops(program, &host);
  NameTiles(program, {}, &host);
  return host;
}

}  // namespace tune
