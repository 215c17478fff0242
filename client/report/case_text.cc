#include "client/report/case_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/report/table.h"

namespace tune {
namespace {

void AppendTree(const v1::CaseNode& node, const std::string& indentation, std::string* text) {
  if (node.condition().empty()) {
    absl::StrAppend(text, indentation, "case ", node.leaf() + 1, "\n");
    return;
  }
  const auto part = [&](bool present, const v1::CaseNode& of) {
    if (present) return AppendTree(of, indentation + "  ", text);
    absl::StrAppend(text, indentation, "  none\n");
  };
  absl::StrAppend(text, indentation, "if ", OneLine(node.condition()), "\n");
  part(node.has_holds(), node.holds());
  absl::StrAppend(text, indentation, "else\n");
  part(node.has_fails(), node.fails());
}

std::string CaseText(const v1::ProgramCase& one, int number) {
  std::vector<std::string> values;
  for (const v1::CaseValue& value : one.values())
    values.push_back(OneLine(absl::StrCat(value.counter(), " ", value.value())));
  return absl::StrCat("  case ", number, ": ", OneLine(absl::StrJoin(one.conditions(), ", ")),
                      one.unknown() ? " (whether it occurs is not known)" : "", "\n    decisions  ",
                      OneLine(absl::StrJoin(one.decisions(), ", ")), "\n    needs      ",
                      absl::StrJoin(values, ", "), "\n    kernel     ", OneLine(one.function()), "\n");
}

}  // namespace

std::string CaseDiscussionText(const v1::CaseDiscussion& discussion) {
  std::string text;
  for (const v1::KernelDiscussion& kernel : discussion.kernels()) {
    absl::StrAppend(&text, OneLine(discussion.region()), ", kernel ", OneLine(kernel.name()), ", where\n");
    for (const v1::CaseSymbol& symbol : kernel.symbols())
      absl::StrAppend(&text, "  ", OneLine(symbol.name()), " is ", OneLine(symbol.meaning()),
                      symbol.machine() ? " that the machine has" : "", "\n");
    AppendTree(kernel.tree(), "  ", &text);
    for (int i = 0; i < kernel.cases_size(); ++i) text += CaseText(kernel.cases(i), i + 1);
  }
  return text;
}

}  // namespace tune
