// Prints isl's AST expressions as C.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"
#include "worker/codegen/c_text.h"

namespace tune {

// Names that generated text adds to those of the scop. All start with one prefix that no name of the scop
// starts with.
struct HelperNames {
  explicit HelperNames(const std::string& prefix = "tune_")
      : iterator(prefix + "c"),
        minimum(prefix + "min"),
        maximum(prefix + "max"),
        floor(prefix + "floord"),
        bound(prefix + "last"),
        threads(prefix + "threads"),
        value(prefix + "value"),
        host(prefix + "h"),
        block(prefix + "b"),
        thread(prefix + "t"),
        first(prefix + "f"),
        count(prefix + "n"),
        lane(prefix + "lane"),
        element(prefix + "q"),
        buffer(prefix + "buffer"),
        shared(prefix + "shared"),
        reduction(prefix + "r"),
        block_index(prefix + "block"),
        thread_index(prefix + "thread"),
        turn(prefix + "turn"),
        texture(prefix + "texture"),
        product(prefix + "p_") {}

  std::string iterator;  // followed by a number
  std::string minimum, maximum;
  std::string floor;    // quotient rounded down, divisor positive
  std::string bound;    // followed by the iterator's number
  std::string threads;  // how many the OpenMP run time has
  std::string value;
  // CUDA, each followed by a number: value of a host loop; block and thread coordinate, first block and
  // number of blocks along an axis.
  std::string host, block, thread, first, count;
  std::string lane, element;  // number of a thread in its block, of a tile's element
  std::string buffer;         // which copy of the shared tiles is in use
  std::string shared;         // memory that the launch gives
  std::string reduction;      // begins what combines partial values
  // In a launch that runs all kernels: what stands for blockIdx and threadIdx, number of a kernel's block.
  std::string block_index, thread_index, turn;
  std::string texture;  // begins the functions that read from textures
  std::string product;  // begins the names of a product in register tiles
};

// Names that start like no array or parameter of the scop.
HelperNames ChooseHelperNames(const v1::Scop& scop);

// `#define` lines of these of the macros in `names`.
std::string MacroDefinitions(const HelperNames& names, const std::set<std::string>& macros);

// Prints integer expressions; parameters print as their values. Remembers which macros the text uses.
class AstExpressionPrinter {
 public:
  AstExpressionPrinter(const HelperNames& names, const std::map<std::string, int64_t>& parameter_values)
      : names_(names), parameter_values_(parameter_values) {}

  CText Print(const isl::ast_expr& expression);

  // `array[e0][e1]`, or `array` for a scalar, from an access expression.
  CText PrintAccess(const isl::ast_expr& access);
  // The same of printed subscripts.
  CText PrintElement(const std::string& array, const std::vector<CText>& subscripts) const;

  // From now on the array prints as `text`, an expression that binds as tightly as a name.
  void SetArrayText(const std::string& array, const std::string& text) { array_texts_[array] = text; }

  // From now on elements of the array print as what `print` makes of their subscripts.
  using ElementPrinter = std::function<CText(const std::vector<CText>& subscripts)>;
  void SetElementPrinter(const std::string& array, ElementPrinter print) {
    element_printers_[array] = std::move(print);
  }

  // From now on the iterator prints as `value`: a loop of one iteration that has no C loop.
  void SetIterator(const std::string& iterator, const CText& value) { fixed_iterators_[iterator] = value; }

  // From now on it prints as its name again.
  void ReleaseIterator(const std::string& iterator) { fixed_iterators_.erase(iterator); }

  const std::set<std::string>& used_macros() const { return used_macros_; }
  // `#define` lines of the macros used so far, and the `#undef` lines for the same.
  std::string Definitions() const { return MacroDefinitions(names_, used_macros_); }
  std::string Undefinitions() const;

 private:
  CText PrintOperation(const isl::ast_expr_op& operation);
  CText PrintMacro(const std::string& macro, const isl::ast_expr_op& operation);
  CText PrintName(const std::string& name) const;

  const HelperNames names_;
  const std::map<std::string, int64_t> parameter_values_;
  std::map<std::string, CText> fixed_iterators_;
  std::map<std::string, std::string> array_texts_;
  std::map<std::string, ElementPrinter> element_printers_;
  std::set<std::string> used_macros_;
};

}  // namespace tune
