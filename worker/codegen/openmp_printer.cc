#include "worker/codegen/openmp_printer.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/array/element_type.h"
#include "worker/codegen/ast_printer.h"
#include "worker/codegen/local_declarations.h"
#include "worker/codegen/product_printer.h"
#include "worker/codegen/register_sums.h"
#include "worker/codegen/statement_text.h"
#include "worker/mapping/product_mark.h"

namespace tune {
namespace {

// Prints loops with their pragmas and statements in the user's own names.
class BlockPrinter : public AstPrinter {
 public:
  BlockPrinter(const ParsedScop& scop, const BlockAst& ast, const HelperNames& names,
               const std::map<std::string, int64_t>& parameter_values)
      : AstPrinter(names, ast.needs_long ? "long" : "int", parameter_values),
        scop_(scop),
        ast_(ast),
        statements_(scop, names_, iterator_type_, &expressions_) {}

  // The block with `declarations` at its start.
  std::string Print(const std::string& declarations) {
    ++indent_;
    for (absl::string_view line : absl::StrSplit(declarations, '\n', absl::SkipEmpty())) Line(line);
    PrintNode(ast_.root);
    return absl::StrCat("{\n", expressions_.Definitions(), limits_threads_ ? ThreadsDefinition() : "", text_,
                        expressions_.Undefinitions(), "}\n");
  }

 private:
  void PrintUser(const isl::ast_node_user& node) override { Line(statements_.Print(ast_.instance(node))); }

  // A product: in register tiles, and its plain loops where that cannot be.
  bool PrintAtMark(const isl::ast_node_mark& node) override {
    const std::optional<ProductMark> mark = ParseProductMark(node.id().name());
    if (!mark) return false;
    const std::optional<ProductLoops> loops = FindProductLoops(node.node(), ast_);
    if (!loops) return false;
    const std::string clause = mark->parallel ? ThreadsClause(mark->threads) : "";
    ProductPrinter printer(names_, iterator_type_, &statements_, &expressions_, indent_ + 1);
    Line("{");
    text_ += printer.Print(*loops, *mark, clause);
    ++indent_;
    Line("{");
    PrintInside(node.node());
    Line("}");
    --indent_;
    Line("}");
    return true;
  }

  // Elements that the loop updates are in variables meanwhile, where it has iterations: else there may be no
  // such elements.
  void BeginFor(const isl::ast_node_for& loop) override {
    sums_.clear();
    if (!mark_ || (!mark_->parallel && !mark_->simd)) sums_ = FindRegisterSums(loop, ast_);
    if (sums_.empty()) return;
    const std::string condition = FirstCondition(loop);
    Line(condition.empty() ? "{" : absl::StrCat("if (", condition, ") {"));
    ++indent_;
    for (size_t i = 0; i < sums_.size(); ++i) {
      const std::string name = absl::StrCat(names_.reduction, i);
      Line(ElementCType(TargetArray(*sums_[i]).element_type()), " ", name, " = ", TargetText(*sums_[i]), ";");
      statements_.SetTargetText(sums_[i], name.c_str());
    }
  }

  void EndFor(const isl::ast_node_for& loop) override {
    if (sums_.empty()) return;
    for (size_t i = 0; i < sums_.size(); ++i) {
      statements_.SetTargetText(sums_[i], nullptr);
      Line(TargetText(*sums_[i]), " = ", names_.reduction, i, ";");
    }
    sums_.clear();
    --indent_;
    Line("}");
  }

  // Whether the loop has an iteration; empty when its bounds are numbers, of which isl makes no empty loop.
  std::string FirstCondition(const isl::ast_node_for& loop) {
    const auto condition = loop.cond().as<isl::ast_expr_op>();
    if (loop.init().isa<isl::ast_expr_int>() && condition.arg(1).isa<isl::ast_expr_int>()) return "";
    const std::string iterator = loop.iterator().as<isl::ast_expr_id>().id().name();
    expressions_.SetIterator(iterator, expressions_.Print(loop.init()));
    const std::string text = expressions_.Print(condition).text;
    expressions_.ReleaseIterator(iterator);
    return text;
  }

  const v1::Array& TargetArray(const StatementInstance& instance) const {
    const ParsedStatement& statement = *instance.statement;
    return scop_.array(statement.accesses[statement.proto->target()].array);
  }

  std::string TargetText(const StatementInstance& instance) {
    return expressions_.PrintAccess(instance.accesses[instance.statement->proto->target()]).text;
  }

  // Pragmas of the loop at hand. gcc drops a loop annotation when the condition holds more than a comparison
  // of two names, so such a bound gets a name first; unless the loop is alone between its braces, in a block
  // that the caller closes: then the result is true.
  bool PrintBeforeFor(const isl::ast_node_for& loop, const std::string& iterator,
                      std::string& condition_text) override {
    const auto condition = loop.cond().as<isl::ast_expr_op>();
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
    if (mark.parallel) {
      OpenMp(absl::StrCat("parallel for", mark.simd ? " simd" : "", ThreadsClause(mark.threads),
                          " schedule(static)", PrivateClauses(mark)));
    } else if (mark.simd && mark.unroll > 1) {
      // `omp simd` and an unrolling pragma exclude each other: say the same in each compiler's own words.
      Directive("#if defined(__clang__)");
      Directive(absl::StrCat("#pragma clang loop vectorize(assume_safety) unroll_count(", mark.unroll, ")"));
      Directive("#elif defined(__GNUC__)");
      Directive("#pragma GCC ivdep");
      Directive(absl::StrCat("#pragma GCC unroll ", mark.unroll));
      Directive("#endif");
    } else if (mark.simd) {
      OpenMp(absl::StrCat("simd", PrivateClauses(mark)));
    } else if (mark.unroll > 1) {
      Directive(absl::StrCat("#pragma GCC unroll ", mark.unroll));
    }
  }

  static std::string PrivateClauses(const LoopMark& mark) {
    std::string clauses;
    if (!mark.local.empty()) absl::StrAppend(&clauses, " private(", absl::StrJoin(mark.local, ", "), ")");
    if (!mark.last.empty()) absl::StrAppend(&clauses, " lastprivate(", absl::StrJoin(mark.last, ", "), ")");
    return clauses;
  }

  // At most `threads`, and never more than the run time would start by itself; 0: as many as that.
  std::string ThreadsClause(int threads) {
    if (threads == 0) return "";
    limits_threads_ = true;
    return absl::StrCat(" num_threads(", names_.threads, " < ", threads, " ? ", names_.threads, " : ",
                        threads, ")");
  }

  // Under a name of its own: where the user's file includes omp.h, a second declaration of the function would
  // be redundant, and in C++ another function.
  std::string ThreadsDefinition() const {
    const std::string function = names_.threads + "_max";
    return absl::StrCat("#ifdef _OPENMP\n  extern int ", function,
                        "(void) __asm__(\"omp_get_max_threads\");\n", "  const int ", names_.threads, " = ",
                        function, "();\n#endif\n");
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

  const ParsedScop& scop_;
  const BlockAst& ast_;
  StatementPrinter statements_;
  std::vector<const StatementInstance*> sums_;  // of the innermost loop that is being printed
  bool limits_threads_ = false;                 // a loop has a clause that names the number of threads
};

}  // namespace

absl::StatusOr<std::string> PrintOpenMpBlock(IslContext& context, const isl::schedule& schedule,
                                             const ParsedScop& scop,
                                             const std::map<std::string, int64_t>& parameter_values) {
  return context.Run("code generation", [&]() -> absl::StatusOr<std::string> {
    const HelperNames names = ChooseHelperNames(scop.proto);
    const isl::set values = ParameterValues(context, parameter_values);
    const LocalMemory none;
    const BlockAst ast =
        BuildBlockAst(context, Specialise(schedule, scop, values), scop, values, none, names.iterator);
    const std::string declarations = PrintLocalDeclarations(context, scop, parameter_values);
    return BlockPrinter(scop, ast, names, parameter_values).Print(declarations);
  });
}

}  // namespace tune
