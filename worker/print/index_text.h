// Prints index expressions as C.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/program/helper_names.h"
#include "common/program/program_node.h"
#include "worker/print/c_text.h"

namespace tune {

// `#define` lines of those of the macros of `names`.
std::string MacroDefinitions(const HelperNames& names, const std::set<std::string>& macros);

// Remembers which macros the text uses.
class IndexPrinter {
 public:
  // `index_type`: C type of iterators.
  IndexPrinter(const HelperNames& names, const std::string& index_type)
      : names_(names), index_type_(index_type) {}

  CText Print(const IndexExpression& expression);
  // `array[e0][e1]`, or `array` for a scalar.
  CText PrintAccess(const ElementAccess& access);
  // The same of printed subscripts.
  CText PrintElement(const std::string& array, const std::vector<CText>& subscripts) const;

  // From now on the array prints as `text`, an expression that binds as tightly as a name.
  void SetArrayText(const std::string& array, const std::string& text) { array_texts_[array] = text; }

  // From now on elements of the array print as what `print` makes of their subscripts.
  using ElementPrinter = std::function<CText(const std::vector<CText>& subscripts)>;
  void SetElementPrinter(const std::string& array, ElementPrinter print) {
    element_printers_[array] = std::move(print);
  }

  const HelperNames& names() const { return names_; }
  const std::string& index_type() const { return index_type_; }
  const std::set<std::string>& used_macros() const { return used_macros_; }
  // `#define` lines of the macros used so far, and the `#undef` lines for the same.
  std::string Definitions() const { return MacroDefinitions(names_, used_macros_); }
  std::string Undefinitions() const;

 private:
  CText PrintMacro(const std::string& macro, const IndexExpression& expression);

  const HelperNames names_;
  const std::string index_type_;
  std::map<std::string, std::string> array_texts_;
  std::map<std::string, ElementPrinter> element_printers_;
  std::set<std::string> used_macros_;
};

}  // namespace tune
