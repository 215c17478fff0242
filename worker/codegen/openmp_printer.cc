#include "worker/codegen/openmp_printer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "worker/codegen/local_declarations.h"
#include "worker/codegen/statement_text.h"
#include "worker/mapping/loop_mark.h"

namespace tune {
namespace {

// Names that start like no array, parameter or called function of the scop.
HelperNames ChooseHelperNames(const v1::Scop& scop) {
  std::string prefix = "tune_";
  const auto taken = [&](const auto& named) { return absl::StartsWith(named.name(), prefix); };
  while (std::any_of(scop.arrays().begin(), scop.arrays().end(), taken) ||
         std::any_of(scop.parameters().begin(), scop.parameters().end(), taken)) {
    prefix += "_";
  }
  return {prefix + "c", prefix + "min", prefix + "max", prefix + "floord", prefix + "last", prefix + "value"};
}

// Prints the nodes of one AST, two spaces an indentation level.
class BlockPrinter {
 public:
  BlockPrinter(const ParsedScop& scop, const BlockAst& ast, const HelperNames& names,
               const std::map<std::string, int64_t>& parameter_values)
      : ast_(ast),
        names_(names),
        iterator_type_(ast.needs_long ? "long" : "int"),
        expressions_(names, parameter_values),
        statements_(scop, names_, iterator_type_, &expressions_) {}

  // The block with `declarations` at its start.
  std::string Print(const std::string& declarations) {
    ++indent_;
    for (absl::string_view line : absl::StrSplit(declarations, '\n', absl::SkipEmpty())) Line(line);
    PrintNode(ast_.root);
    return absl::StrCat("{\n", expressions_.Definitions(), text_, expressions_.Undefinitions(), "}\n");
  }

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text_, std::string(2 * indent_, ' '), parts..., "\n");
  }
  // Lines for the preprocessor start in the first column.
  void Directive(absl::string_view text) { absl::StrAppend(&text_, text, "\n"); }

  void PrintNode(const isl::ast_node& node) {
    if (node.isa<isl::ast_node_user>()) {
      Line(statements_.Print(ast_.instance(node.as<isl::ast_node_user>())));
    } else if (node.isa<isl::ast_node_block>()) {
      alone_ = false;
      const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
      for (unsigned i = 0; i < children.size(); ++i) PrintNode(children.at(i));
    } else if (node.isa<isl::ast_node_if>()) {
      PrintIf(node.as<isl::ast_node_if>());
    } else if (node.isa<isl::ast_node_for>()) {
      PrintFor(node.as<isl::ast_node_for>());
    } else {
      PrintMark(node.as<isl::ast_node_mark>());
    }
  }

  void PrintInside(const isl::ast_node& node) {
    ++indent_;
    alone_ = true;
    PrintNode(node);
    alone_ = false;
    --indent_;
  }

  void PrintIf(const isl::ast_node_if& node) {
    Line("if (", expressions_.Print(node.cond()).text, ") {");
    PrintInside(node.then_node());
    if (node.has_else_node()) {
      Line("} else {");
      PrintInside(node.else_node());
    }
    Line("}");
  }

  void PrintMark(const isl::ast_node_mark& node) {
    const std::string name = node.id().name();
    const std::optional<LoopMark> before = mark_;
    if (name == kLoopMarkEnd) {
      mark_.reset();
    } else if (const std::optional<LoopMark> mark = ParseLoopMark(name)) {
      mark_ = mark;
    }
    PrintNode(node.node());
    mark_ = before;
  }

  void PrintFor(const isl::ast_node_for& node) {
    const std::string iterator = node.iterator().as<isl::ast_expr_id>().id().name();
    if (node.is_degenerate()) {
      expressions_.SetIterator(iterator, expressions_.Print(node.init()));
      return PrintNode(node.body());
    }
    const auto condition = node.cond().as<isl::ast_expr_op>();
    std::string condition_text = expressions_.Print(condition).text;
    const bool block = PrintLoopPragmas(iterator, condition, condition_text);
    const std::string step = expressions_.Print(node.inc()).text;
    Line("for (", iterator_type_, " ", iterator, " = ", expressions_.Print(node.init()).text, "; ",
         condition_text, "; ", iterator, " += ", step, ") {");
    PrintInside(node.body());
    Line("}");
    if (!block) return;
    --indent_;
    Line("}");
  }

  // Pragmas of the loop at hand. gcc drops a loop annotation when the condition holds more than a comparison
  // of two names, so such a bound gets a name first; unless the loop is alone between its braces, in a block
  // that the caller closes: then the result is true.
  bool PrintLoopPragmas(const std::string& iterator, const isl::ast_expr_op& condition,
                        std::string& condition_text) {
    if (!mark_ || !Canonical(iterator, condition)) return false;
    const bool hoisted = mark_->unroll > 1 && condition.arg(1).isa<isl::ast_expr_op>();
    const bool block = hoisted && !alone_;
    if (hoisted) {
      const std::string bound = names_.bound + iterator.substr(names_.iterator.size());
      if (block) {
        Line("{");
        ++indent_;
      }
      Line("const ", iterator_type_, " ", bound, " = ", expressions_.Print(condition.arg(1)).text, ";");
      condition_text = absl::StrCat(iterator, LessOrEqual(condition) ? " <= " : " < ", bound);
    }
    PrintPragmas(*mark_);
    return block;
  }

  void PrintPragmas(const LoopMark& mark) {
    if (mark.threads > 0) {
      OpenMp(absl::StrCat("parallel for", mark.simd ? " simd" : "", " num_threads(", mark.threads,
                          ") schedule(static)"));
    } else if (mark.simd && mark.unroll > 1) {
      // `omp simd` and an unrolling pragma exclude each other: say the same in each compiler's own words.
      Directive("#if defined(__clang__)");
      Directive(absl::StrCat("#pragma clang loop vectorize(assume_safety) unroll_count(", mark.unroll, ")"));
      Directive("#elif defined(__GNUC__)");
      Directive("#pragma GCC ivdep");
      Directive(absl::StrCat("#pragma GCC unroll ", mark.unroll));
      Directive("#endif");
    } else if (mark.simd) {
      OpenMp("simd");
    } else if (mark.unroll > 1) {
      Directive(absl::StrCat("#pragma GCC unroll ", mark.unroll));
    }
  }

  // Hidden from compilers that would warn of a pragma they do not know.
  void OpenMp(absl::string_view text) {
    Directive("#ifdef _OPENMP");
    Directive(absl::StrCat("#pragma omp ", text));
    Directive("#endif");
  }

  static bool LessOrEqual(const isl::ast_expr_op& condition) {
    return isl_ast_expr_op_get_type(condition.get()) == isl_ast_expr_op_le;
  }

  // `iterator < bound` or `iterator <= bound`, as OpenMP demands.
  static bool Canonical(const std::string& iterator, const isl::ast_expr_op& condition) {
    const bool less = isl_ast_expr_op_get_type(condition.get()) == isl_ast_expr_op_lt;
    if (!less && !LessOrEqual(condition)) return false;
    return condition.arg(0).isa<isl::ast_expr_id>() &&
           condition.arg(0).as<isl::ast_expr_id>().id().name() == iterator;
  }

  const BlockAst& ast_;
  const HelperNames names_;
  const std::string iterator_type_;
  AstExpressionPrinter expressions_;
  StatementPrinter statements_;
  std::optional<LoopMark> mark_;  // of the loop whose `for` comes next
  bool alone_ = false;            // the next node is the only one between the braces around it
  std::string text_;
  int indent_ = 0;
};

}  // namespace

absl::StatusOr<std::string> PrintOpenMpBlock(IslContext& context, const isl::schedule& schedule,
                                             const ParsedScop& scop,
                                             const std::map<std::string, int64_t>& parameter_values) {
  return context.Run("code generation", [&]() -> absl::StatusOr<std::string> {
    const HelperNames names = ChooseHelperNames(scop.proto);
    const BlockAst ast = BuildBlockAst(context, schedule, scop, parameter_values, names.iterator);
    const std::string declarations = PrintLocalDeclarations(context, scop, parameter_values);
    return BlockPrinter(scop, ast, names, parameter_values).Print(declarations);
  });
}

}  // namespace tune
