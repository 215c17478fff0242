#include "worker/print/openmp_printer.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/node_accesses.h"
#include "worker/print/block_printer.h"
#include "worker/print/product_printer.h"
#include "worker/print/statement_text.h"

namespace tune {
namespace {

bool HasChoice(const IndexExpression& value) {
  return value.op == IndexExpression::Op::kSelect ||
         std::any_of(value.operands.begin(), value.operands.end(), HasChoice);
}

// Whether iterations choose between elements, b[i < n ? 0 : 1]. GCC 12 computes another value for these in
// loops with `omp simd`, or ends with an internal error.
bool ChoosesElements(const Block& body) {
  bool chooses = false;
  ForEachNode(body, [&](const Node& node) {
    ForEachAccess(node, [&](const ElementAccess& access) {
      chooses = chooses || std::any_of(access.subscripts.begin(), access.subscripts.end(), HasChoice);
    });
  });
  return chooses;
}

class OpenMpPrinter : public BlockPrinter {
 public:
  OpenMpPrinter(const OpenMpProgram& program, const v1::Scop& scop, const HelperNames& names)
      : BlockPrinter(names, program.index_type), program_(program), statements_(scop, &indices_) {}

  std::string Print() {
    ++indent_;
    for (const LocalVariable& variable : program_.locals) PrintLocal(variable);
    --indent_;
    PrintInside(program_.body);
    return absl::StrCat("{\n", indices_.Definitions(), limits_threads_ ? ThreadsDefinition() : "", text_,
                        indices_.Undefinitions(), "}\n");
  }

 private:
  // A scalar starts at zero, which no statement can see but compilers ask for.
  void PrintLocal(const LocalVariable& variable) {
    std::string extents;
    for (const int64_t extent : variable.extents) absl::StrAppend(&extents, "[", extent, "]");
    Line(ElementCType(variable.type), " ", variable.name, extents, variable.extents.empty() ? " = 0;" : ";");
    if (!variable.read) Line("(void)", variable.name, ";");
  }

  void PrintOther(const Node& node) override {
    if (const auto* instance = node.As<Instance>()) {
      PrintInstance(*instance);
    } else if (const auto* product = node.As<Product>()) {
      PrintProduct(*product);
    } else {
      throw std::logic_error("a program for the host has no such node");
    }
  }

  // `omp atomic` stands before an update alone.
  void PrintInstance(const Instance& instance) {
    if (!instance.atomic) return Line(statements_.Print(instance));
    const std::string guard = statements_.Guard(instance);
    if (!guard.empty()) Line(guard);
    indent_ += guard.empty() ? 0 : 1;
    OpenMp(IsSum(instance) ? "atomic" : "critical");
    Line(statements_.Change(instance));
    indent_ -= guard.empty() ? 0 : 1;
  }

  // What `omp atomic` knows.
  bool IsSum(const Instance& instance) const { return statements_.statement(instance).update() == v1::ADD; }

  // In register tiles, and as plain loops where that cannot be.
  void PrintProduct(const Product& product) {
    const std::string clause = product.parallel ? ThreadsClause(product.threads) : "";
    Line("{");
    text_ += ProductPrinter(&statements_, &indices_, indent_ + 1).Print(product, clause);
    ++indent_;
    Line("{");
    PrintInside(product.plain);
    Line("}");
    --indent_;
    Line("}");
  }

  void PrintPragmas(const Loop& loop) override {
    const bool simd = loop.simd && !ChoosesElements(loop.body);
    if (loop.parallel) {
      OpenMp(absl::StrCat("parallel for", simd ? " simd" : "", ThreadsClause(loop.threads),
                          " schedule(static)", PrivateClauses(loop)));
    } else if (simd && loop.unroll > 1) {
      // `omp simd` and an unrolling pragma exclude each other: say the same in each compiler's own words.
      Directive("#if defined(__clang__)");
      Directive(absl::StrCat("#pragma clang loop vectorize(assume_safety) unroll_count(", loop.unroll, ")"));
      Directive("#elif defined(__GNUC__)");
      Directive("#pragma GCC ivdep");
      Directive(absl::StrCat("#pragma GCC unroll ", loop.unroll));
      Directive("#endif");
    } else if (simd) {
      OpenMp(absl::StrCat("simd", PrivateClauses(loop)));
    } else if (loop.unroll > 1) {
      Directive(absl::StrCat("#pragma GCC unroll ", loop.unroll));
    }
  }

  static std::string PrivateClauses(const Loop& loop) {
    std::string clauses;
    if (!loop.local.empty()) absl::StrAppend(&clauses, " private(", absl::StrJoin(loop.local, ", "), ")");
    if (!loop.last.empty()) absl::StrAppend(&clauses, " lastprivate(", absl::StrJoin(loop.last, ", "), ")");
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

  const OpenMpProgram& program_;
  StatementPrinter statements_;
  bool limits_threads_ = false;  // a loop has a clause that names the number of threads
};

}  // namespace

std::string PrintOpenMp(const OpenMpProgram& program, const v1::Scop& scop, const HelperNames& names) {
  return OpenMpPrinter(program, scop, names).Print();
}

}  // namespace tune
