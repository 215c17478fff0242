// Prints instances of statements as C.
#pragma once

#include <map>
#include <set>
#include <string>

#include "common/program/program_node.h"
#include "tune/v1/scop.pb.h"
#include "worker/print/index_text.h"

namespace tune {

// The text computes what Statement says, in the same C types.
class StatementPrinter {
 public:
  // Both must outlive the printer.
  StatementPrinter(const v1::Scop& scop, IndexPrinter* indices);

  // From now on the text is for a device: functions are called as CUDA names them, not as builtins of the
  // compiler, updates of elements that data decide are atomic, and targets that stay as they are where data
  // say so are not touched there.
  void PrintForDevice() { for_device_ = true; }

  // One C statement: "C[c0][c1] += A[c0][c2] * B[c2][c1];"; of a guarded instance, and on devices of others
  // whose targets are in memory, "if (x[c0] > 0) y[c0] = 1;".
  std::string Print(const Instance& instance);

  // The two parts of it, for what has to stand between them: "if (x[c0] > 0)", empty where it is not guarded,
  // and "y[c0] = 1;".
  std::string Guard(const Instance& instance);
  std::string Change(const Instance& instance);

  // `expression`, a part of the instance's statement.
  CText Value(const Instance& instance, const v1::Expression& expression);

  // Whether the instance is an update that threads may run in any order (IsAtomicUpdate).
  bool IsAtomic(const Instance& instance) const { return atomic_.count(instance.statement) > 0; }

  const v1::Statement& statement(const Instance& instance) const {
    return *statements_.at(instance.statement);
  }

 private:
  // The condition that the text of the instance begins with, or null.
  const v1::Expression* GuardOf(const Instance& instance) const;
  std::string ChangeText(const Instance& instance);
  CText Target(const Instance& instance);
  CText Element(const Instance& instance, const v1::Operation& element);
  CText Affine(const Instance& instance, const v1::Expression& expression);
  CText Call(const Instance& instance, const v1::Call& call);
  CText Cast(const Instance& instance, const v1::Cast& cast);
  CText Literal(const v1::Expression& expression) const;
  CText SpecialNumber(const std::string& name) const;
  CText OperationText(const Instance& instance, const v1::Expression& expression);
  CText Choice(const v1::Expression& choice, std::vector<CText> operands) const;
  std::string Extremum(const Instance& instance, const CText& target);
  // target op= value; with an empty op target = value.
  std::string Assign(const Instance& instance, absl::string_view op, const CText& target,
                     const CText& value) const;

  IndexPrinter* indices_;
  std::map<std::string, const v1::Statement*> statements_;  // by name
  std::map<const v1::Expression*, size_t> affine_;          // place in Instance::affine
  std::map<std::string, v1::ElementType> types_;            // of the elements of arrays
  std::set<std::string> atomic_;                            // statements that IsAtomicUpdate holds for
  std::map<std::string, const v1::Expression*> guards_;     // of statements that have some
  const v1::Expression* held_ = nullptr;                    // around what is printed: it holds there
  bool for_device_ = false;
};

}  // namespace tune
