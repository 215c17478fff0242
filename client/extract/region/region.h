// What every stage of the extraction of one region shares.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/extract/region/region_variables.h"
#include "client/extract/source/diagnostic.h"
#include "common/isl/isl.h"

namespace clang {
class FieldDecl;
class Type;
}  // namespace clang

namespace tune {

// A loop around the construct being looked at.
struct Iterator {
  const clang::VarDecl* variable;
  isl::id id;  // its name in isl's texts: the source name unless that is taken or reserved
};

// A condition around a construct that only the running program knows.
struct Guard {
  std::vector<const clang::Expr*>
      conditions;                          // evaluated where the construct is, unless `scalar` has the value
  bool all = true;                         // holds where all of them do; else where one does
  const clang::VarDecl* scalar = nullptr;  // an int of the region's own that was set before the construct
  bool negated = false;                    // the construct is reached where it does not hold
};

struct LoopNest;

// What a variable or call stands for: an expression, read where `scope` is.
struct Definition {
  std::shared_ptr<const LoopNest> scope;
  const clang::Expr* expression;                      // the value; of a choice, its condition
  std::shared_ptr<const Definition> then, otherwise;  // of a choice, both
};

// The loops and conditions around a construct. Iterators are isl parameters here, beside the region's
// own; they become dimensions when a statement is bound (Bind).
struct LoopNest {
  std::vector<Iterator> iterators;  // outermost first
  isl::set domain;                  // [params, iterators] -> { : ... }: when the construct is reached
  // Locals that stand for an affine expression: [params, iterators] -> { [value] }.
  std::map<const clang::VarDecl*, isl::pw_aff> affine_locals;
  // All of them hold where the construct is reached, beside `domain`; each is evaluated after those before it
  // held.
  std::vector<Guard> guards = {};
  // Parameters of functions, and pointers of the region's own, or that it sets (pointer_places.h).
  std::map<const clang::VarDecl*, Definition> definitions = {};
  std::vector<const clang::FunctionDecl*> calls =
      {};  // whose bodies are around the construct; outermost first
  // The construct is the condition of the innermost loop, which ends nowhere in `domain`.
  bool endless = false;

  const Iterator* Find(const clang::VarDecl* variable) const;

  // [params, iterators] -> { : } as [params] -> { : }, where some values of the iterators are in the set.
  isl::set OverParameters(isl::set set) const;

  // Whether the value, [params, iterators] -> { [v] }, depends on an iterator.
  bool Varies(const isl::pw_aff& value) const;
};

// What a term of a subscript is multiplied with, as isl's texts of parameters: [n] -> { [(n)] }.
using StrideList = std::vector<std::string>;
// Those of an array's subscripts, each with the largest number that divides all that it is a factor of: 3 of
// n in (i * n + j) * 3 and in 6 * i * n.
using StrideUnits = std::map<StrideList, int64_t>;

// A row that is `factor` times as long as the stride says.
struct RowLength {
  std::string stride;
  int64_t factor = 1;
};
using RowList = std::vector<RowLength>;

// The parameters that a product is made of, in the order of Scop.parameters.
using Factors = std::vector<const clang::VarDecl*>;

// A value that may be `scale` times the product of these variables.
struct ProductHint {
  int64_t scale = 1;
  std::vector<const clang::VarDecl*> factors = {};
};

// What a region uses of the structures that a variable is, consists of, or points to.
struct StructureUse {
  // Members of one type, which are an array of their own.
  struct Members {
    const clang::Type* type;                     // canonical
    std::map<std::string, int64_t> places = {};  // in elements
  };
  const clang::Type* structure;     // canonical
  bool is_array = false;            // of several structures members are used
  std::vector<Members> types = {};  // in the order of their first use

  // Those of the type; null where the region uses none.
  const Members* Find(const clang::Type* type) const;
  // The same, added where there are none.
  Members& Of(const clang::Type* type);
};

struct Region {
  const clang::ASTContext& ast;
  const RegionVariables& variables;
  isl::ctx ctx;
  std::map<const clang::VarDecl*, isl::id> parameters;
  std::map<Factors, isl::id> products;  // parameters that stand for products of others
  std::set<Factors> found_products;     // others that bounds have: the region has to be read again
  isl::space
      parameter_space;  // the parameter tuple, in the order of Scop.parameters: variables, then products
  // Integers of the region that are nothing but names for affine expressions, each another one from
  // assignment to assignment: LoopNest::affine_locals has what they are. Those in `data` turned out to be
  // more: the region has to be read again.
  std::set<const clang::VarDecl*> derived, data;
  // Pointers that the region sets and nothing reads behind it: LoopNest::definitions has what they point to.
  std::set<const clang::VarDecl*> pointers;
  // Arrays in one dimension that stand for several, as A[i * n + j] says: the lengths of their rows,
  // outermost first; none where no lengths explain the subscripts.
  std::map<const clang::VarDecl*, RowList> rows;
  // What subscripts of other arrays are multiplied with: the region has to be read again.
  std::map<const clang::VarDecl*, StrideUnits> found_strides;
  // Arrays whose subscripts have rows where parameters are products of others, and what may be known of
  // these.
  std::set<const clang::VarDecl*> of_products;
  std::map<const clang::VarDecl*, ProductHint> hints;
  std::map<const clang::VarDecl*, StructureUse> structures;  // grows as members are met
  std::set<const clang::VarDecl*> set_structures;            // StructuresSetIn
  std::set<const clang::FieldDecl*> members;  // of them: tuned code looks where they are, and of which type
  std::set<const clang::VarDecl*> tables;     // whose values are known (constant_table.h), and used
  // Parameters that are taken for what the file says that they are, because a step has to be a constant: the
  // context demands it.
  std::map<const clang::VarDecl*, isl::val> values;
  // Others that should be: the region has to be read again.
  std::map<const clang::VarDecl*, isl::val> found_values;
  int64_t opened = 0;  // see Opens
  // What is known of the parameters, [params] -> { : }; grows as constructs are met that are only
  // defined under a condition.
  isl::set context;

  Region(const clang::ASTContext& ast, const RegionVariables& variables, isl::ctx ctx,
         const std::set<Factors>& products = {});

  // Counts a definition (LoopNest) that is read as an index. False for those that are too many: x = x + x;
  // has twice as many in it each time.
  bool Opens() { return ++opened <= 10'000; }

  // Takes a parameter for this value.
  void Fix(const clang::VarDecl* parameter, const isl::val& value);

  // A name for the iterator that no parameter, no iterator of `nest`, and no word of isl's has.
  isl::id NameIterator(const LoopNest& nest, const clang::VarDecl* variable) const;
};

// True for a word with a meaning in isl's notation, in either case of letters: it cannot name a parameter or
// dimension.
bool IsReservedByIsl(absl::string_view name);
// A parameter with such a name, where it stands at `range`.
Refusal ReservedParameter(clang::SourceRange range, absl::string_view name);

// The statement's instances as `name[iterators]`. The results have the region's parameters, in order.
isl::set BindDomain(const Region& region, const LoopNest& nest, const std::string& statement);
isl::map BindAccess(const Region& region, const LoopNest& nest, const std::string& statement,
                    const std::string& array,
                    const std::vector<isl::pw_aff>& subscripts);  // simplified on the domain
isl::pw_aff BindValue(const Region& region, const LoopNest& nest, const std::string& statement,
                      const isl::pw_aff& value);

}  // namespace tune
