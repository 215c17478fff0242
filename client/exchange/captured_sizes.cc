#include "client/exchange/captured_sizes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/report/table.h"
#include "common/scop/online_identity.h"

namespace tune {
namespace {

constexpr size_t kMostNamedLines = 3;

// What a study of the region is told.
struct ToldRegion {
  int number = 0;  // in the file, from 1
  std::string name, identity;
  std::vector<std::string> parameters;  // of the scop, one for each input
  std::vector<int> told;                // indices of those that have a value by the size
  std::vector<std::string> untold;      // names of those that the program sets
};

ToldRegion ToldRegionOf(const v1::Extraction& extraction, const FrontEndRequest& request, int index) {
  const v1::Scop& scop = extraction.scops(index);
  ToldRegion region = {index + 1, scop.name(), OnlineIdentity(scop), {}, {}, {}};
  for (const v1::Parameter& parameter : scop.parameters()) {
    const int place = static_cast<int>(region.parameters.size());
    region.parameters.push_back(parameter.name());
    if (!parameter.factors().empty()) continue;  // follows from others
    if (!extraction.program().has_main() || IsInArguments(request, parameter.name())) {
      region.told.push_back(place);
    } else {
      region.untold.push_back(parameter.name());
    }
  }
  return region;
}

class CaptureMatcher {
 public:
  CaptureMatcher(const v1::Extraction& extraction, const FrontEndRequest& request, int wanted)
      : file_(request.file), wanted_(wanted) {
    for (int i = 0; i < extraction.scops_size(); ++i)
      regions_.push_back(ToldRegionOf(extraction, request, i));
  }

  void Take(const CapturedInputs& captured) {
    const ToldRegion* const region = Find(captured);
    if (region == nullptr) return;
    if (wanted_ > 0 && region->number != wanted_)
      return Tell(captured.line, absl::StrCat("`", region->name, "` is not the region of --region"));
    if (captured.inputs.size() != region->parameters.size()) {
      return Tell(captured.line,
                  absl::StrCat("`", region->name, "` has ", region->parameters.size(),
                               " parameters, and the line another number of inputs; delete the line"));
    }
    if (!region->untold.empty()) Tell(captured.line, Untold(*region));
    if (region->told.empty() && !region->untold.empty()) return;
    ProgramSize size;
    for (const int place : region->told) size.emplace_back(region->parameters[place], captured.inputs[place]);
    Add(region->number, size, captured.line);
  }

  void Tell(int line, const std::string& why) {
    const auto same = std::find_if(messages_.begin(), messages_.end(),
                                   [&](const auto& message) { return message.first == why; });
    auto& message = same == messages_.end() ? messages_.emplace_back(why, std::vector<int>()) : *same;
    message.second.push_back(line);
  }

  CapturedSizes Sizes() {
    CapturedSizes found;
    std::stable_sort(sizes_.begin(), sizes_.end(), [](const CapturedSize& a, const CapturedSize& b) {
      return a.lines.size() > b.lines.size();
    });
    found.sizes = sizes_;
    for (const auto& [why, lines] : messages_)
      found.messages.push_back(absl::StrCat(LinesText(lines), ": ", why));
    return found;
  }

 private:
  // The line's region; null where the file has none, and the line is left out.
  const ToldRegion* Find(const CapturedInputs& captured) {
    const absl::string_view identity = absl::StripSuffix(captured.region, kPartsOfIdentity);
    const absl::string_view name = identity.substr(0, identity.rfind(':'));
    const ToldRegion* namesake = nullptr;
    for (const ToldRegion& region : regions_) {
      if (region.identity == identity) return &region;
      if (region.name == name) namesake = &region;
    }
    if (namesake != nullptr) {
      Tell(captured.line,
           absl::StrCat(
               "`", namesake->name, "` was another region then (", OneLine(captured.region), ", which is ",
               namesake->identity, " now): ", file_,
               ", a header or a macro has changed since. Generate and build the program anew, and let "
               "it capture again; or submit the file as it was, with the -I and -D of then"));
    } else {
      Tell(captured.line, absl::StrCat(file_, " has no region `", OneLine(name),
                                       "`; submit the file that has it with the same --captured"));
    }
    return nullptr;
  }

  std::string Untold(const ToldRegion& region) const {
    const std::string set = absl::StrCat("the main of ", file_, " sets ", absl::StrJoin(region.untold, ", "),
                                         " of `", region.name, "`, as no --arg has {", region.untold[0], "}");
    if (!region.told.empty()) return set;
    return absl::StrCat(set, "; say which arguments its sizes come from, such as --arg {", region.untold[0],
                        "}, or submit a file without main that has the region");
  }

  void Add(int region, const ProgramSize& size, int line) {
    const auto [place, is_new] = places_.emplace(std::make_pair(region, size), sizes_.size());
    if (is_new) sizes_.push_back({region, size, {}});
    sizes_[place->second].lines.push_back(line);
  }

  const std::string file_;
  const int wanted_;  // region, from 1; 0: all
  std::vector<ToldRegion> regions_;
  std::vector<CapturedSize> sizes_;
  std::map<std::pair<int, ProgramSize>, size_t> places_;            // in sizes_
  std::vector<std::pair<std::string, std::vector<int>>> messages_;  // lines, by why
};

}  // namespace

CapturedSizes MatchCaptures(const ApplicationCaptures& captures, const v1::Extraction& extraction,
                            const FrontEndRequest& request, int region) {
  CaptureMatcher matcher(extraction, request, region);
  for (const CapturedInputs& captured : captures.captured) matcher.Take(captured);
  for (const RefusedLine& refused : captures.refused) matcher.Tell(refused.line, refused.why);
  return matcher.Sizes();
}

std::string LinesText(const std::vector<int>& lines) {
  if (lines.size() == 1) return absl::StrCat("line ", lines[0]);
  std::vector<std::string> words;
  for (size_t i = 0; i < std::min(lines.size(), kMostNamedLines); ++i)
    words.push_back(absl::StrCat(lines[i]));
  const size_t others = lines.size() - words.size();
  std::string last = others == 1 ? "1 other" : absl::StrCat(others, " others");
  if (others == 0) {
    last = words.back();
    words.pop_back();
  }
  return absl::StrCat("lines ", absl::StrJoin(words, ", "), " and ", last);
}

}  // namespace tune
