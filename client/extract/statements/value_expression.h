// Right-hand sides as expressions of the scop.
#pragma once

#include <clang/AST/Type.h>

#include <vector>

#include "client/extract/arrays/access.h"
#include "client/extract/integers/integer_function.h"
#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"
#include "client/extract/tree/sum_terms.h"
#include "tune/v1/scop.pb.h"

namespace clang {
class BinaryOperator;
class CallExpr;
class CastExpr;
class ConditionalOperator;
class UnaryOperator;
}  // namespace clang

namespace tune {

// Reads the values of one statement and collects the elements that they read.
class ValueReader {
 public:
  static constexpr int kDeepest = 40;
  // Longer sums are one operation of all their terms, and not as deep as they have terms.
  static constexpr int kLongestNestedSum = 16;
  // Of values that stand for variables of called functions, in one statement.
  static constexpr int kMostOpened = 1000;

  struct Access {
    Element element;
    v1::Access::Kind kind;
    clang::SourceRange use;
    isl::set reached;  // [params, iterators] -> { : }: where C evaluates it, within the domain
    bool certain;      // no condition on data decides about it
  };

  ValueReader(Region& region, const LoopNest& nest, std::string statement)
      : region_(region), nest_(nest), statement_(std::move(statement)), reached_(nest.domain) {}

  // At most kDeepest operations inside one another, so that the message stays within the nesting that
  // Protocol Buffers read. Integer parts that are affine become Expression.affine, maximal ones; constants
  // become literals. Conversions that C makes unasked are left out: it makes them again.
  Accepted<v1::Expression> Read(const clang::Expr& expression);

  // Whether the guards around the statement hold, an int; nothing where there are none.
  Accepted<std::optional<v1::Expression>> ReadGuards();

  // The value of a guard, not negated.
  Accepted<v1::Expression> ReadGuard(const Guard& guard);

  // The value of an lvalue.
  Accepted<v1::Expression> ReadElementValue(const clang::Expr& lvalue);

  // The subscripts of an element that data decide, one for each dimension.
  Accepted<std::vector<v1::Expression>> ReadSubscripts(const Element& element);

  // What is added from here on stands under a condition on data.
  void Doubt() { certain_ = false; }

  // Appends an access; its index.
  int Add(Element element, v1::Access::Kind kind, clang::SourceRange use);

  static v1::Expression Operation(absl::string_view c_type, absl::string_view op,
                                  std::vector<v1::Expression> operands);
  v1::Expression Operation(const clang::Expr& expression, absl::string_view op,
                           std::vector<v1::Expression> operands) const;
  // 1 for a value that is not zero, else 0: an int.
  static v1::Expression Truth(v1::Expression value);

  std::vector<Access>& accesses() { return accesses_; }

 private:
  Accepted<v1::Expression> ReadNode(const clang::Expr& expression);
  Accepted<v1::Expression> ReadCast(const clang::CastExpr& cast);
  Accepted<v1::Expression> ReadUnary(const clang::UnaryOperator& operation);
  Accepted<v1::Expression> ReadBinary(const clang::BinaryOperator& operation);
  // A sum as one operation of its terms.
  Accepted<v1::Expression> ReadSum(const clang::BinaryOperator& sum, const std::vector<SumTerm>& terms);
  Accepted<v1::Expression> ReadChoice(const clang::ConditionalOperator& choice);
  Accepted<v1::Expression> ReadCall(const clang::CallExpr& call);
  Accepted<v1::Expression> ReadExtremum(const clang::CallExpr& call, IntegerFunction function);
  bool MayConvert(const clang::Expr& expression, clang::QualType type) const;
  Accepted<v1::Expression> ReadDefinition(const Definition& definition, clang::QualType type);

  Region& region_;
  const LoopNest& nest_;
  std::string statement_;
  const LoopNest* scope_ = &nest_;  // whose names the expression being read has
  std::vector<Access> accesses_;
  isl::set reached_;  // Access::reached of what is being read
  bool certain_ = true;
  int depth_ = 0;   // of operations around the expression being read
  int opened_ = 0;  // definitions that were read
};

}  // namespace tune
