#include "worker/print/checked_printer.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "worker/print/block_printer.h"
#include "worker/print/statement_text.h"

namespace tune {
namespace {

std::string FunctionOf(size_t array) { return absl::StrCat("tune_inside_", array); }

// The function that checks subscripts and returns the place in memory.
std::string PlaceFunction(const CheckedArray& array, size_t number) {
  std::vector<std::string> parameters, names, outside;
  std::string place = "0";
  for (size_t d = 0; d < array.extents.size(); ++d) {
    const std::string name = absl::StrCat("s", d);
    parameters.push_back("long " + name);
    names.push_back(name);
    if (array.by_subscript)
      outside.push_back(absl::StrCat(name, " < 0 || ", name, " >= ", array.extents[d], "L"));
    place = d == 0 ? name : absl::StrCat("(", place, ") * ", array.extents[d], "L + ", name);
  }
  if (!array.by_subscript) outside = {absl::StrCat(place, " < 0 || ", place, " >= ", array.elements, "L")};
  return absl::StrCat("static long ", FunctionOf(number), "(", absl::StrJoin(parameters, ", "), ") {\n  if (",
                      absl::StrJoin(outside, " || "), ") {\n    const long s[] = {",
                      absl::StrJoin(names, ", "), "};\n    tune_tell(", number, ", s, ", names.size(),
                      ");\n  }\n  return ", place, ";\n}\n");
}

// Where the program is, and what it says when it ends there.
std::string TellFunction() {
  return absl::StrCat(
      "extern int dprintf(int, const char *, ...);\nextern void _exit(int);\n"
      "static int tune_statement;\nstatic long tune_iterators[",
      kMostIterators, "];\nstatic void tune_tell(int array, const long *subscripts, int count) {\n",
      "  dprintf(2, \"\\n", kOutsideMark, " %d %d\", tune_statement, array);\n",
      "  for (int i = 0; i < count; ++i) dprintf(2, \" %ld\", subscripts[i]);\n  for (int i = 0; i < ",
      kMostIterators, "; ++i) dprintf(2, \" %ld\", tune_iterators[i]);\n",
      "  dprintf(2, \"\\n\");\n  _exit(1);\n}\n");
}

class CheckedPrinter : public BlockPrinter {
 public:
  CheckedPrinter(const OpenMpProgram& program, const v1::Scop& scop, const HelperNames& names,
                 const std::vector<CheckedArray>& arrays)
      : BlockPrinter(names, program.index_type), program_(program), statements_(scop, &indices_) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      const std::string memory = absl::StrCat("((", ElementCType(arrays[i].type), " *)", arrays[i].name, ")");
      indices_.SetElementPrinter(arrays[i].name, [memory, i](const std::vector<CText>& subscripts) {
        return CText{absl::StrCat(memory, "[", CallText(FunctionOf(i), subscripts).text, "]")};
      });
    }
    for (int i = 0; i < scop.statements_size(); ++i) {
      const auto& accesses = scop.statements(i).accesses();
      const bool is_checked = std::any_of(accesses.begin(), accesses.end(), [&](const v1::Access& access) {
        return std::any_of(arrays.begin(), arrays.end(),
                           [&](const CheckedArray& array) { return array.name == access.array(); });
      });
      if (is_checked) numbers_[scop.statements(i).name()] = i;
    }
  }

  std::string Print() {
    ++indent_;
    for (const LocalVariable& variable : program_.locals) {
      std::string extents;
      for (const int64_t extent : variable.extents) absl::StrAppend(&extents, "[", extent, "]");
      Line(ElementCType(variable.type), " ", variable.name, extents, ";");
    }
    --indent_;
    PrintInside(program_.body);
    return absl::StrCat("{\n", indices_.Definitions(), text_, indices_.Undefinitions(), "}\n");
  }

 private:
  void PrintOther(const Node& node) override {
    const auto* const instance = node.As<Instance>();
    if (instance == nullptr) throw std::logic_error("the original order has no such node");
    if (const auto number = numbers_.find(instance->statement); number != numbers_.end()) {
      Line("tune_statement = ", number->second, ";");
      const std::vector<IndexExpression>& iterators = instance->origin.iterators;
      for (size_t i = 0; i < iterators.size() && i < kMostIterators; ++i)
        Line("tune_iterators[", i, "] = ", Text(iterators[i]), ";");
    }
    Line(statements_.Print(*instance));
  }

  const OpenMpProgram& program_;
  StatementPrinter statements_;
  std::map<std::string, int> numbers_;  // of statements that access what is checked
};

}  // namespace

CheckedText PrintChecked(OpenMpProgram program, const v1::Scop& scop, const HelperNames& names,
                         const std::vector<CheckedArray>& arrays) {
  ForEachNode(program.body, [](Node& node) {
    if (auto* const instance = node.As<Instance>()) instance->guarded = true;
  });
  CheckedText text;
  text.definitions = TellFunction();
  for (size_t i = 0; i < arrays.size(); ++i) text.definitions += PlaceFunction(arrays[i], i);
  text.block = CheckedPrinter(program, scop, names, arrays).Print();
  return text;
}

}  // namespace tune
