#include "common/json/case_json.h"

namespace tune {
namespace {

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

Json CaseDiscussionJson(const v1::CaseDiscussion& discussion) {
  Json json = {
      {"name", discussion.region()}, {"requirement", discussion.requirement()}, {"kernels", Json::array()}};
  for (const v1::KernelDiscussion& kernel : discussion.kernels())
    json["kernels"].push_back(KernelJson(kernel));
  return json;
}

}  // namespace tune
