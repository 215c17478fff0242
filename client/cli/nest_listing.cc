#include "client/cli/nest_listing.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "common/scop/parameter_product.h"
#include "common/work/operation_formula.h"
#include "common/work/region_work.h"

namespace tune {
namespace {

// Counting is an answer for a person who waits.
const IslContext::Limits kCountLimits = {300'000, absl::Seconds(1)};

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

Json NestJson(const v1::LoopNest& nest, const std::map<std::string, int64_t>& given) {
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

void AddVerdictColumns(std::vector<Table::Column>* columns) {
  using Align = Table::Align;
  columns->insert(
      columns->end(),
      {{"depth", Align::kRight}, {"statements", Align::kRight}, {"operations", Align::kRight}, {"verdict"}});
}

void AddVerdictCells(const v1::LoopNest& nest, const std::string& file,
                     const std::map<std::string, int64_t>& given, std::vector<std::string>* cells) {
  cells->insert(cells->end(), {absl::StrCat(nest.depth()),
                               IsAccepted(nest) ? absl::StrCat(nest.scop().statements_size()) : "",
                               OperationsText(nest, given), Verdict(nest, file)});
}

std::string ShareText(double share) {
  if (share > 0 && share < 0.01) return "< 1%";
  return absl::StrFormat("%.0f%%", 100 * share);
}

// Indices of the nests, those that took longest first.
std::vector<int> ByTime(const v1::LoopNests& nests, const std::optional<ProgramProfile>& profile) {
  std::vector<int> order(static_cast<size_t>(nests.nests_size()));
  std::iota(order.begin(), order.end(), 0);
  if (profile) {
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return profile->times.seconds[static_cast<size_t>(a)] > profile->times.seconds[static_cast<size_t>(b)];
    });
  }
  return order;
}

// Cells of a share of the program's time, and of that time.
std::vector<std::string> ShareCells(const ProgramProfile& profile, double seconds) {
  if (profile.samples == 0) return {"?", "?"};
  return {ShareText(seconds / profile.times.total), FormatSeconds(seconds)};
}

std::vector<std::string> MeasuredCells(const ProgramProfile& profile, int nest) {
  std::vector<std::string> cells = ShareCells(profile, profile.times.seconds[static_cast<size_t>(nest)]);
  const std::optional<int64_t> calls = profile.calls[static_cast<size_t>(nest)];
  cells.push_back(calls ? absl::StrCat(*calls) : "?");
  return cells;
}

std::string ProfileText(const ProgramProfile& profile) {
  if (profile.samples == 0)
    return absl::StrCat("Shares are not known: the program ended ", profile.runs,
                        " times before a sample could be taken. Give it more to do (--arg, --stdin, -D).\n");
  return absl::StrCat("Shares are of ", FormatSeconds(profile.times.total), " of the processor in ",
                      profile.runs == 1 ? "one run" : absl::StrCat("each of ", profile.runs, " runs"),
                      ", by ", FormatCount(profile.samples, "sample"),
                      ". A nest has the time of what it calls and of what is inside of it, too.\n");
}

}  // namespace

bool IsAccepted(const v1::LoopNest& nest) { return nest.refusals().empty(); }

std::string PrintNests(const v1::LoopNests& nests, const std::string& file, const NestFigures& figures) {
  using Align = Table::Align;
  const bool timed = figures.profile.has_value();
  std::vector<Table::Column> columns = {{"lines"}, {"function"}};
  if (timed)
    columns.insert(columns.end(),
                   {{"share", Align::kRight}, {"time", Align::kRight}, {"calls", Align::kRight}});
  AddVerdictColumns(&columns);
  Table table(columns);
  for (const int i : ByTime(nests, figures.profile)) {
    std::vector<std::string> cells = {LinesOf(nests.nests(i)), nests.nests(i).function()};
    if (timed) {
      for (std::string& cell : MeasuredCells(*figures.profile, i)) cells.push_back(std::move(cell));
    }
    AddVerdictCells(nests.nests(i), file, figures.parameters, &cells);
    table.AddRow(std::move(cells));
  }
  if (!timed) return table.Print();
  std::vector<std::string> outside = {"outside of loops", ""};
  for (std::string& cell : ShareCells(*figures.profile, figures.profile->times.outside))
    outside.push_back(std::move(cell));
  table.AddRow(std::move(outside));
  return table.Print() + ProfileText(*figures.profile);
}

std::string PrintNestsOfFiles(const std::vector<FileNests>& files, const NestFigures& figures) {
  std::vector<Table::Column> columns = {{"file"}, {"lines"}, {"function"}};
  AddVerdictColumns(&columns);
  Table table(columns);
  for (const FileNests& file : files) {
    for (const v1::LoopNest& nest : file.nests->nests()) {
      std::vector<std::string> cells = {OneLine(file.file), LinesOf(nest), nest.function()};
      AddVerdictCells(nest, file.file, figures.parameters, &cells);
      table.AddRow(std::move(cells));
    }
  }
  return table.Print();
}

Json NestsJson(const v1::LoopNests& nests, const NestFigures& figures) {
  Json list = Json::array();
  for (const int i : ByTime(nests, figures.profile)) {
    Json& json = list.emplace_back(NestJson(nests.nests(i), figures.parameters));
    if (!figures.profile) continue;
    const double seconds = figures.profile->times.seconds[static_cast<size_t>(i)];
    const std::optional<int64_t> calls = figures.profile->calls[static_cast<size_t>(i)];
    const bool sampled = figures.profile->samples > 0;
    json["share"] = sampled ? Json(seconds / figures.profile->times.total) : Json();
    json["seconds"] = sampled ? Json(seconds) : Json();
    json["calls"] = calls ? Json(*calls) : Json();
  }
  if (!figures.profile) return list;
  const NestTimes& times = figures.profile->times;
  return {{"nests", std::move(list)},
          {"seconds", times.total},
          {"outside_seconds", times.outside},
          {"runs", figures.profile->runs},
          {"samples", figures.profile->samples}};
}

}  // namespace tune
