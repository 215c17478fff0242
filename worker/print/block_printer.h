// Prints what all targets have in common of a program's nodes as C.
#pragma once

#include <string>

#include "worker/print/index_text.h"

namespace tune {

// Two spaces an indentation level. What is particular to a target is in derived classes.
class BlockPrinter {
 public:
  virtual ~BlockPrinter() = default;

 protected:
  BlockPrinter(const HelperNames& names, const std::string& index_type)
      : names_(names), indices_(names, index_type) {}

  void PrintBlock(const Block& block);
  // The block one level deeper.
  void PrintInside(const Block& block);

  // A node that is no loop, condition, scope or definition. Throws std::logic_error for those that the target
  // does not have.
  virtual void PrintOther(const Node& node) = 0;
  // With its pragmas.
  virtual void PrintLoop(const Loop& loop);
  // Lines for the preprocessor just before the loop.
  virtual void PrintPragmas(const Loop& loop) {}
  // That of CUDA's compilers which asks to unroll the loop, where something is asked.
  void PrintUnrollPragma(const Loop& loop);

  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text_, std::string(2 * indent_, ' '), parts..., "\n");
  }
  // Lines for the preprocessor start in the first column.
  void Directive(absl::string_view text) { absl::StrAppend(&text_, text, "\n"); }
  std::string Text(const IndexExpression& expression) { return indices_.Print(expression).text; }

  const HelperNames names_;
  IndexPrinter indices_;
  std::string text_;
  int indent_ = 0;

 private:
  void PrintScope(const Scope& scope);
  void PrintCondition(const Condition& branch);
};

}  // namespace tune
