#include "client/report/explanation_text.h"

#include <map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/report/table.h"

namespace tune {
namespace {

std::string Quoted(const std::string& text) {
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

void AppendDecision(const v1::ExplainedDecision& decision, std::string* text) {
  absl::StrAppend(text, "\n", decision.key(), " = ", decision.options(decision.chosen()).option(), "   (",
                  decision.reason(), ")\n");
  if (decision.options_size() == 1) return;
  for (int i = 0; i < decision.options_size(); ++i) {
    const v1::ExplainedOption& option = decision.options(i);
    absl::StrAppendFormat(text, "  %c %-16s pheromone %.3f  desirability %.3f  ",
                          i == decision.chosen() ? '*' : ' ', option.option(), option.pheromone(),
                          option.desirability());
    if (option.closed().empty()) {
      absl::StrAppendFormat(text, "probability %.3f\n", option.probability());
    } else {
      absl::StrAppend(text, option.closed(), "\n");
    }
  }
}

}  // namespace

std::string ExplanationText(const std::string& study_id, const v1::Explanation& explanation) {
  std::string text = absl::StrFormat("%s/%d, iteration %d: %s\n", study_id, explanation.index(),
                                     explanation.iteration(), explanation.origin());
  for (const std::string& note : explanation.notes()) absl::StrAppend(&text, "note: ", note, "\n");
  for (const v1::ExplainedDecision& decision : explanation.decisions()) AppendDecision(decision, &text);
  return text;
}

std::string TreeReport(const std::string& study_id, const v1::Explanation& explanation) {
  if (explanation.tree().empty()) {
    return absl::StrCat(study_id,
                        ": no regression tree: it is switched off, or the first iteration has not ended "
                        "with a correct candidate\n");
  }
  return absl::StrFormat("%s, regression tree before iteration %d; times are geometric means\n%s", study_id,
                         explanation.iteration(), explanation.tree());
}

std::string GraphTable(const v1::Explanation& explanation) {
  using Align = Table::Align;
  Table table({{"decision"},
               {"option"},
               {"pheromone", Align::kRight},
               {"desirability", Align::kRight},
               {"candidates", Align::kRight}});
  std::string previous;
  for (const v1::GraphEdge& edge : explanation.edges()) {
    if (edge.visits() == 0) continue;
    table.AddRow({edge.key() == previous ? "" : edge.key(), edge.option(),
                  absl::StrFormat("%.3f", edge.pheromone()), absl::StrFormat("%.3f", edge.desirability()),
                  absl::StrCat(edge.visits())});
    previous = edge.key();
  }
  return table.Print();
}

std::string GraphDot(const v1::Explanation& explanation) {
  std::string text = "digraph decisions {\n  node [shape=box];\n  \"\" [label=\"end\", shape=ellipse];\n";
  for (const v1::GraphEdge& edge : explanation.edges()) {
    // The protocol's maps have no order.
    for (const auto& [next, visits] :
         std::map<std::string, int64_t>(edge.next().begin(), edge.next().end())) {
      absl::StrAppendFormat(&text, "  %s -> %s [label=%s, penwidth=%.2f];\n", Quoted(edge.key()),
                            Quoted(next),
                            Quoted(absl::StrFormat("%s: %.2f, %d", edge.option(), edge.pheromone(), visits)),
                            0.5 + 5 * edge.pheromone());
    }
  }
  return absl::StrCat(text, "}\n");
}

Json ToJson(const v1::Explanation& explanation) {
  Json decisions = Json::array();
  for (const v1::ExplainedDecision& decision : explanation.decisions()) {
    Json options = Json::array();
    for (const v1::ExplainedOption& option : decision.options()) options.push_back(ToJson(option));
    decisions.push_back({{"key", decision.key()},
                         {"chosen", decision.options(decision.chosen()).option()},
                         {"reason", decision.reason()},
                         {"options", options}});
  }
  Json edges = Json::array();
  for (const v1::GraphEdge& edge : explanation.edges()) edges.push_back(ToJson(edge));
  Json notes = Json::array();
  for (const std::string& note : explanation.notes()) notes.push_back(note);
  return {{"index", explanation.index()},
          {"iteration", explanation.iteration()},
          {"origin", explanation.origin()},
          {"decisions", decisions},
          {"tree", explanation.tree()},
          {"graph", edges},
          {"notes", notes}};
}

}  // namespace tune
