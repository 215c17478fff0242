#include "worker/codegen/register_sums.h"

#include <map>
#include <string>

namespace tune {
namespace {

std::string ArrayOf(const isl::ast_expr& access) {
  return access.as<isl::ast_expr_op>().arg(0).as<isl::ast_expr_id>().id().name();
}

bool Mentions(const isl::ast_expr& expression, const std::string& name) {
  if (expression.isa<isl::ast_expr_id>()) return expression.as<isl::ast_expr_id>().id().name() == name;
  if (!expression.isa<isl::ast_expr_op>()) return false;
  const auto operation = expression.as<isl::ast_expr_op>();
  for (unsigned i = 0; i < operation.n_arg(); ++i) {
    if (Mentions(operation.arg(i), name)) return true;
  }
  return false;
}

// The statements that the body is; empty when it is more.
std::vector<const StatementInstance*> Statements(const isl::ast_node& body, const BlockAst& ast) {
  std::vector<isl::ast_node> nodes;
  if (body.isa<isl::ast_node_block>()) {
    const isl::ast_node_list children = body.as<isl::ast_node_block>().children();
    for (unsigned i = 0; i < children.size(); ++i) nodes.push_back(children.at(i));
  } else {
    nodes.push_back(body);
  }
  std::vector<const StatementInstance*> statements;
  for (const isl::ast_node& node : nodes) {
    if (!node.isa<isl::ast_node_user>()) return {};
    const StatementInstance& instance = ast.instance(node.as<isl::ast_node_user>());
    if (instance.statement == nullptr) return {};
    statements.push_back(&instance);
  }
  return statements;
}

bool Updates(const v1::Statement& statement) {
  return statement.update() == v1::ADD || statement.update() == v1::MULTIPLY ||
         statement.update() == v1::MIN || statement.update() == v1::MAX;
}

}  // namespace

std::vector<const StatementInstance*> FindRegisterSums(const isl::ast_node_for& loop, const BlockAst& ast) {
  const std::string iterator = loop.iterator().as<isl::ast_expr_id>().id().name();
  const std::vector<const StatementInstance*> statements = Statements(loop.body(), ast);
  std::map<std::string, int> accesses;  // of each array
  for (const StatementInstance* instance : statements) {
    for (const isl::ast_expr& access : instance->accesses) ++accesses[ArrayOf(access)];
  }
  std::vector<const StatementInstance*> sums;
  for (const StatementInstance* instance : statements) {
    const v1::Statement& statement = *instance->statement->proto;
    if (!Updates(statement)) continue;
    const isl::ast_expr& target = instance->accesses[statement.target()];
    const bool is_element = target.as<isl::ast_expr_op>().n_arg() > 1;
    if (is_element && accesses[ArrayOf(target)] == 1 && !Mentions(target, iterator)) sums.push_back(instance);
  }
  return sums;
}

}  // namespace tune
