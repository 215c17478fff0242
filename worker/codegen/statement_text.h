// Prints statements as C.
#pragma once

#include <map>
#include <string>

#include "worker/codegen/ast_expression.h"
#include "worker/codegen/block_ast.h"

namespace tune {

// Prints the statements of one block. The text computes what Statement says, in the same C types.
class StatementPrinter {
 public:
  // All must outlive the printer. `iterator_type`: C type of the generated iterators.
  StatementPrinter(const ParsedScop& scop, const HelperNames& names, absl::string_view iterator_type,
                   AstExpressionPrinter* expressions)
      : scop_(scop), names_(names), iterator_type_(iterator_type), expressions_(expressions) {}

  // From now on stores to the scop's arrays, where they have elements of 4 or 8 bytes, are atomic exchanges.
  void StoreAtomically() { atomic_ = true; }

  // From now on functions are called as CUDA names them: not as builtins of the compiler.
  void CallDeviceFunctions() { device_functions_ = true; }

  // From now on the instance's target prints as `text`, which binds as tightly as a name; null: as itself.
  void SetTargetText(const StatementInstance* instance, const char* text) {
    if (text == nullptr)
      target_texts_.erase(instance);
    else
      target_texts_[instance] = text;
  }

  // One C statement: "C[c0][c1] += A[c0][c2] * B[c2][c1];".
  std::string Print(const StatementInstance& instance);

  // `expression`, a part of the instance's statement.
  CText Value(const StatementInstance& instance, const v1::Expression& expression);

 private:
  CText Affine(const StatementInstance& instance, const v1::Expression& expression);
  CText Call(const StatementInstance& instance, const v1::Call& call);
  CText OperationText(const StatementInstance& instance, const v1::Operation& operation);
  std::string Extremum(const StatementInstance& instance, const CText& target);
  // target op= value; with an empty op target = value.
  std::string Assign(const StatementInstance& instance, absl::string_view op, const CText& target,
                     const CText& value) const;
  bool StoresAtomically(const StatementInstance& instance) const;

  const ParsedScop& scop_;
  const HelperNames& names_;
  const std::string iterator_type_;
  AstExpressionPrinter* expressions_;
  std::map<const StatementInstance*, std::string> target_texts_;
  bool atomic_ = false;
  bool device_functions_ = false;
};

}  // namespace tune
