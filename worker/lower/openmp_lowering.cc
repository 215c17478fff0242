#include "worker/lower/openmp_lowering.h"

#include "common/mapping/product_mark.h"
#include "common/program/index_range.h"
#include "worker/lower/ast_lowering.h"
#include "worker/lower/block_ast.h"
#include "worker/lower/instance_lowering.h"
#include "worker/lower/local_variables.h"

namespace tune {
namespace {

class OpenMpLowering : public AstLowering {
 public:
  OpenMpLowering(const BlockAst& ast, const std::map<std::string, int64_t>& parameter_values)
      : AstLowering(parameter_values, ast.exclusions), ast_(ast) {}

 private:
  Block LowerUser(const isl::ast_node_user& node) override {
    return {{LowerInstance(ast_.instance(node), expressions())}};
  }

  std::optional<Node> LowerMark(const std::string& name, const Block& below) override {
    const std::optional<ProductMark> mark = ParseProductMark(name);
    if (!mark) return std::nullopt;
    Product product;
    product.blocks = mark->blocks;
    product.parallel = mark->parallel;
    product.threads = mark->threads;
    product.plain = below;
    return Node{std::move(product)};
  }

  const BlockAst& ast_;
};

}  // namespace

OpenMpProgram LowerOpenMp(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                          const std::map<std::string, int64_t>& parameter_values, const HelperNames& names,
                          bool origins) {
  const isl::set values = ParameterValues(context, parameter_values);
  const LocalMemory none;
  const BlockAst ast =
      BuildBlockAst(context, Specialise(schedule, scop, values), scop, values, none, names.iterator, origins);
  OpenMpProgram program;
  program.locals = FindLocalVariables(context, scop, parameter_values);
  program.body = OpenMpLowering(ast, parameter_values).Lower(ast.root);
  program.index_type = !ast.needs_long && StaysInInt(program.body, {}) ? "int" : "long";
  return program;
}

}  // namespace tune
