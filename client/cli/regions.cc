// The loops of a file and what the front end says of each.
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/scop/parameter_product.h"
#include "common/work/operation_formula.h"
#include "common/work/region_work.h"

namespace tune {
namespace {

struct RegionsOptions {
  ProgramOptions program;
  std::vector<std::string> parameters;
};

// Counting is an answer for a person who waits.
const IslContext::Limits kCountLimits = {300'000, absl::Seconds(1)};

bool IsAccepted(const v1::LoopNest& nest) { return nest.refusals().empty(); }

// Nothing where a size is open or they cannot be counted.
std::optional<double> CountOf(const v1::Scop& scop, const std::map<std::string, int64_t>& given) {
  std::map<std::string, int64_t> known = given, values;
  if (!AddProducts(scop, &known).ok()) return std::nullopt;
  for (const v1::Parameter& parameter : scop.parameters()) {
    const auto value = known.find(parameter.name());
    if (value == known.end()) return std::nullopt;
    values.insert(*value);
  }
  const absl::StatusOr<v1::RegionWork> work = CountRegionWork(scop, values, kCountLimits);
  if (!work.ok()) return std::nullopt;
  return work->float_operations() + work->double_operations();
}

// As written, for large sizes; empty: not known.
std::string FormulaOf(const v1::Scop& scop) { return OperationFormula(scop, kCountLimits).value_or(""); }

std::string OperationsText(const v1::LoopNest& nest, const std::map<std::string, int64_t>& given) {
  if (!IsAccepted(nest)) return "";
  std::optional<double> count = CountOf(nest.scop(), given);
  if (!count) {
    std::string formula = FormulaOf(nest.scop());
    if (!absl::SimpleAtod(formula, &count.emplace())) return formula;
  }
  return *count == 0 ? "0 flop" : FormatRate(*count, "flop");
}

// "accepted: main#1", "marked and refused: line 7: a `return` inside the region (and 2 more)".
std::string Verdict(const v1::LoopNest& nest, const std::string& file) {
  const std::string marked = nest.marked() ? "marked and " : "";
  if (IsAccepted(nest)) return absl::StrCat(marked, "accepted: ", nest.scop().name());
  const v1::Diagnostic& first = nest.refusals(0);
  const std::string line = first.line() > 0 ? absl::StrCat("line ", first.line()) : "";
  const std::string place =
      first.file() == file ? line : absl::StrCat(first.file(), line.empty() ? "" : ", ", line);
  const int others = nest.refusals_size() - 1;
  return absl::StrCat(marked, "refused: ", OneLine(place), place.empty() ? "" : ": ", OneLine(first.reason()),
                      others > 0 ? absl::StrCat(" (and ", others, " more)") : "");
}

std::string LinesOf(const v1::LoopNest& nest) {
  const std::string begin = absl::StrCat(nest.begin_line());
  return nest.begin_line() == nest.end_line() ? begin : absl::StrCat(begin, "-", nest.end_line());
}

Json AsJson(const v1::LoopNest& nest, const std::map<std::string, int64_t>& given) {
  const bool accepted = IsAccepted(nest);
  const std::optional<double> count = accepted ? CountOf(nest.scop(), given) : std::nullopt;
  const std::string formula = accepted ? FormulaOf(nest.scop()) : "";
  Json json = {{"function", nest.function()},
               {"begin_line", nest.begin_line()},
               {"end_line", nest.end_line()},
               {"accepted", accepted},
               {"marked", nest.marked()},
               {"depth", nest.depth()},
               {"region", accepted ? Json(nest.scop().name()) : Json()},
               {"statements", accepted ? Json(nest.scop().statements_size()) : Json()},
               {"operations", count ? Json(*count) : Json()},
               {"formula", formula.empty() ? Json() : Json(formula)},
               {"parameters", Json::array()},
               {"refusals", Json::array()}};
  for (const v1::Parameter& parameter : nest.scop().parameters()) {
    if (parameter.factors().empty()) json["parameters"].push_back(parameter.name());
  }
  for (const v1::Diagnostic& refusal : nest.refusals()) {
    json["refusals"].push_back({{"file", refusal.file()},
                                {"line", refusal.line()},
                                {"column", refusal.column()},
                                {"expression", refusal.expression()},
                                {"reason", refusal.reason()},
                                {"remedy", refusal.remedy()}});
  }
  return json;
}

std::string PrintNests(const v1::LoopNests& nests, const std::string& file,
                       const std::map<std::string, int64_t>& parameters) {
  using Align = Table::Align;
  Table table({{"lines"},
               {"function"},
               {"depth", Align::kRight},
               {"statements", Align::kRight},
               {"operations", Align::kRight},
               {"verdict"}});
  for (const v1::LoopNest& nest : nests.nests()) {
    table.AddRow({LinesOf(nest), nest.function(), absl::StrCat(nest.depth()),
                  IsAccepted(nest) ? absl::StrCat(nest.scop().statements_size()) : "",
                  OperationsText(nest, parameters), Verdict(nest, file)});
  }
  return table.Print();
}

// Of the functions without marked regions the one with the deepest accepted nest, of several that with most
// statements; empty: there is none.
std::string FunctionToTune(const v1::LoopNests& nests) {
  std::set<std::string> marked;
  for (const v1::LoopNest& nest : nests.nests()) {
    if (nest.marked()) marked.insert(nest.function());
  }
  const v1::LoopNest* deepest = nullptr;
  for (const v1::LoopNest& nest : nests.nests()) {
    if (!IsAccepted(nest) || marked.count(nest.function()) > 0) continue;
    const auto size = [](const v1::LoopNest& of) {
      return std::pair(of.depth(), of.scop().statements_size());
    };
    if (deepest == nullptr || size(nest) > size(*deepest)) deepest = &nest;
  }
  return deepest == nullptr ? "" : deepest->function();
}

absl::StatusOr<int> RunRegions(Session& session, const RegionsOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  std::map<std::string, int64_t> parameters;
  for (const std::string& text : options.parameters) TUNE_RETURN_IF_ERROR(AddParameter(text, &parameters));
  TUNE_ASSIGN_OR_RETURN(const v1::LoopNests nests, ReadLoopNests(request));
  if (session.options.json) {
    Json json = Json::array();
    for (const v1::LoopNest& nest : nests.nests()) json.push_back(AsJson(nest, parameters));
    session.out() << PrintJson(json);
    return kExitOk;
  }
  if (nests.nests().empty()) {
    const std::string where =
        request.function.empty() ? request.file : absl::StrCat(request.function, " in ", request.file);
    session.out() << where << " has no loops.\n";
    return kExitOk;
  }
  session.out() << PrintNests(nests, request.file, parameters);
  if (const std::string function = FunctionToTune(nests); !function.empty()) {
    session.out() << "`tunectl tune " << request.file << " --function " << function
                  << "` tunes the accepted ones of " << function
                  << ", with --region K the K-th of them alone.\n";
  }
  return kExitOk;
}

}  // namespace

void AddRegions(CLI::App& app, Session& session) {
  auto options = std::make_shared<RegionsOptions>();
  CLI::App* verb = AddVerb(
      app, session, "regions", "List the loops of a C file and which of them can be tuned; needs no server",
      "  tunectl regions gemm.c\n"
      "  tunectl regions gemm.c --function main --parameter n=1000     operations at this size\n\n"
      "No pragma is needed. A line is the longest run of statements with loops in them that can be one "
      "region, or a\n"
      "loop that was refused, why, and what is inside of it after that; --json has the remedies, too. "
      "`accepted: NAME`\n"
      "has the region's name in studies. Operations are floating-point ones: where all sizes are known how "
      "many it\n"
      "takes at least, else as they are written, for large sizes.\n",
      "a list: function, begin_line, end_line, accepted, marked, depth,\nregion, statements, operations and "
      "formula (null where refused or not known), parameters,\nrefusals: file, line, column, expression, "
      "reason, remedy");
  options->program.AddTo(*verb);
  verb->get_option("FILE")->description("C file");
  verb->get_option("--function")->description("Only the loops of this function");
  verb->add_option("--parameter,--param", options->parameters,
                   "Value of a size of the regions, to count operations")
      ->type_name("NAME=N")
      ->allow_extra_args(false)
      ->group("Program");
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunRegions(session, *options); };
  });
}

}  // namespace tune
