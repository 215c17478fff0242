#include "client/cli/case_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

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
  absl::StrAppend(text, indentation, "if ", node.condition(), "\n");
  part(node.has_holds(), node.holds());
  absl::StrAppend(text, indentation, "else\n");
  part(node.has_fails(), node.fails());
}

std::string CaseText(const v1::ProgramCase& one, int number) {
  std::vector<std::string> values;
  for (const v1::CaseValue& value : one.values())
    values.push_back(absl::StrCat(value.counter(), " ", value.value()));
  return absl::StrCat("  case ", number, ": ", absl::StrJoin(one.conditions(), ", "),
                      one.unknown() ? " (whether it occurs is not known)" : "", "\n    decisions  ",
                      absl::StrJoin(one.decisions(), ", "), "\n    needs      ", absl::StrJoin(values, ", "),
                      "\n    kernel     ", one.function(), "\n");
}

Json TreeJson(const v1::CaseNode& node) {
  if (node.condition().empty()) return {{"case", node.leaf() + 1}};
  return {{"condition", node.condition()},
          {"holds", node.has_holds() ? TreeJson(node.holds()) : Json()},
          {"fails", node.has_fails() ? TreeJson(node.fails()) : Json()}};
}

template <typename Texts>
Json List(const Texts& texts) {
  Json list = Json::array();
  for (const auto& text : texts) list.push_back(text);
  return list;
}

Json KernelJson(const v1::KernelDiscussion& kernel) {
  Json json = {{"name", kernel.name()},
               {"function", kernel.function()},
               {"symbols", Json::array()},
               {"cases", Json::array()},
               {"tree", TreeJson(kernel.tree())}};
  for (const v1::CaseSymbol& symbol : kernel.symbols())
    json["symbols"].push_back(
        {{"name", symbol.name()}, {"machine", symbol.machine()}, {"meaning", symbol.meaning()}});
  for (const v1::ProgramCase& one : kernel.cases()) {
    Json values = Json::array();
    for (const v1::CaseValue& value : one.values())
      values.push_back({{"counter", value.counter()}, {"limit", value.limit()}, {"value", value.value()}});
    json["cases"].push_back({{"conditions", List(one.conditions())},
                             {"decisions", List(one.decisions())},
                             {"values", values},
                             {"function", one.function()},
                             {"unknown", one.unknown()}});
  }
  return json;
}

}  // namespace

std::string CaseDiscussionText(const v1::CaseDiscussion& discussion) {
  std::string text;
  for (const v1::KernelDiscussion& kernel : discussion.kernels()) {
    absl::StrAppend(&text, discussion.region(), ", kernel ", kernel.name(), ", where\n");
    for (const v1::CaseSymbol& symbol : kernel.symbols())
      absl::StrAppend(&text, "  ", symbol.name(), " is ", symbol.meaning(),
                      symbol.machine() ? " that the machine has" : "", "\n");
    AppendTree(kernel.tree(), "  ", &text);
    for (int i = 0; i < kernel.cases_size(); ++i) text += CaseText(kernel.cases(i), i + 1);
  }
  return text;
}

Json CaseDiscussionJson(const v1::CaseDiscussion& discussion) {
  Json json = {
      {"name", discussion.region()}, {"requirement", discussion.requirement()}, {"kernels", Json::array()}};
  for (const v1::KernelDiscussion& kernel : discussion.kernels())
    json["kernels"].push_back(KernelJson(kernel));
  return json;
}

}  // namespace tune
