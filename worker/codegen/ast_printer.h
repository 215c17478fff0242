// Prints the nodes of an isl AST as C; what is particular to a target is in derived classes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/isl/isl.h"
#include "worker/codegen/ast_expression.h"
#include "worker/mapping/loop_mark.h"

namespace tune {

// Two spaces an indentation level. One AST a printer. To be used inside IslContext::Run; throws
// isl::exception.
class AstPrinter {
 public:
  virtual ~AstPrinter() = default;

 protected:
  // `iterator_type`: C type of the loops' iterators. Parameters print as their values.
  AstPrinter(const HelperNames& names, const char* iterator_type,
             const std::map<std::string, int64_t>& parameter_values)
      : names_(names), iterator_type_(iterator_type), expressions_(names, parameter_values) {}

  void PrintNode(const isl::ast_node& node);
  // The node one level deeper, as all that stands between two braces.
  void PrintInside(const isl::ast_node& node);

  // Called when what stands between two braces begins and ends.
  virtual void BeginInside() {}
  virtual void EndInside() {}

  // A user node.
  virtual void PrintUser(const isl::ast_node_user& node) = 0;
  // Whether what stands inside a loop over points needs its iterator as a constant, once the loop is
  // unrolled: an array in registers cannot be indexed otherwise.
  virtual bool NeedsConstants(const isl::ast_node& body) const { return false; }
  // Under which what is below the mark of that name does not run; null when it always does.
  virtual isl::ast_expr Exclusion(const std::string& mark) const { return {}; }
  // Whether it printed the mark's subtree in a way of its own.
  virtual bool PrintAtMark(const isl::ast_node_mark& node) { return false; }
  // Called before a loop is printed; may print lines and replace the text of its condition. True: it opened a
  // block, which is closed after the loop.
  virtual bool PrintBeforeFor(const isl::ast_node_for& loop, const std::string& iterator,
                              std::string& condition_text) {
    return false;
  }

  // Called before and after all that is printed of a loop.
  virtual void BeginFor(const isl::ast_node_for& loop) {}
  virtual void EndFor(const isl::ast_node_for& loop) {}

  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text_, std::string(2 * indent_, ' '), parts..., "\n");
  }
  // Lines for the preprocessor start in the first column.
  void Directive(absl::string_view text) { absl::StrAppend(&text_, text, "\n"); }

  const HelperNames names_;
  const std::string iterator_type_;
  AstExpressionPrinter expressions_;
  std::optional<LoopMark> mark_;  // of the loop whose `for` comes next
  bool alone_ = false;            // the next node is the only one between the braces around it
  std::string text_;
  int indent_ = 0;

 private:
  void PrintBlock(const isl::ast_node_list& nodes);
  void PrintIf(const isl::ast_node_if& node);
  // The mark as what is done when the condition does not hold, where that is when it runs.
  bool PrintAsElse(const isl::ast_node_if& node, const isl::ast_node& next);
  void PrintFor(const isl::ast_node_for& node);
  void PrintPoints(const isl::ast_node_for& node, const std::string& iterator);
  void PrintMark(const isl::ast_node_mark& node);
};

}  // namespace tune
