#include "worker/print/wide_load_text.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/neighbour_access.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

constexpr const char* kParts[] = {"x", "y", "z", "w"};

// Lines that load all iterations' elements into the array `variable`; `constant`: which stay as they are.
void Load(const KeptElement& fetched, const Loop& loop, const std::string& variable, bool constant,
          IndexPrinter* indices, std::vector<std::string>* lines) {
  const std::string type(ElementCType(fetched.type));
  const int64_t at_once = ElementsOfLoad(fetched.type, loop.ahead);
  std::vector<std::string> values;
  for (int64_t first = 0; first < loop.ahead; first += at_once) {
    const std::string element = indices->PrintAccess(AccessAt(fetched.element, loop.iterator, first)).text;
    const std::string vector = absl::StrCat(variable, "_", first);
    const std::string vector_type = absl::StrCat(type, at_once);
    lines->push_back(
        absl::StrCat("const ", vector_type, " ", vector, " = *(const ", vector_type, " *)&", element, ";"));
    for (int64_t part = 0; part < at_once; ++part) values.push_back(absl::StrCat(vector, ".", kParts[part]));
  }
  lines->push_back(absl::StrCat(constant ? "const " : "", type, " ", variable, "[] = {",
                                absl::StrJoin(values, ", "), "};"));
}

// Lines that store them from there.
void Store(const KeptElement& collected, const Loop& loop, const std::string& variable,
           const std::string& stored, IndexPrinter* indices, std::vector<std::string>* lines) {
  const std::string vector_type = absl::StrCat(ElementCType(collected.type), collected.width);
  for (int64_t first = 0; first < loop.ahead; first += collected.width) {
    std::vector<std::string> values;
    for (int64_t part = 0; part < collected.width; ++part)
      values.push_back(absl::StrCat(variable, "[", first + part, "]"));
    const std::string vector = absl::StrCat(stored, "_", first);
    const std::string element = indices->PrintAccess(AccessAt(collected.element, loop.iterator, first)).text;
    lines->push_back(
        absl::StrCat("const ", vector_type, " ", vector, " = {", absl::StrJoin(values, ", "), "};"));
    lines->push_back(absl::StrCat("*(", vector_type, " *)&", element, " = ", vector, ";"));
  }
}

}  // namespace

WideLoop LoadedAtOnce(const Loop& loop, IndexPrinter* indices) {
  WideLoop wide{{}, loop, {}};
  wide.loop.wide = false;
  wide.loop.ahead = 0;
  wide.loop.fetched.clear();
  wide.loop.collected.clear();
  for (size_t i = 0; i < loop.fetched.size(); ++i) {
    const KeptElement& fetched = loop.fetched[i];
    const std::string variable = absl::StrCat(indices->names().ahead, i);
    const auto stored =
        std::find_if(loop.collected.begin(), loop.collected.end(),
                     [&](const KeptElement& collected) { return collected.element == fetched.element; });
    const bool is_stored = stored != loop.collected.end();
    Load(fetched, loop, variable, !is_stored, indices, &wide.loads);
    if (is_stored)
      Store(*stored, loop, variable, absl::StrCat(indices->names().collected, i), indices, &wide.stores);
    ForEachNode(wide.loop.body, [&](Node& node) {
      ForEachAccess(node, [&](ElementAccess& access) {
        if (access == fetched.element) access = {variable, {IndexExpression::Name(loop.iterator)}};
      });
    });
  }
  return wide;
}

}  // namespace tune
