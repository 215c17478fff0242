// The stage of a search that looks at configurations before they are measured.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/search/space.h"
#include "server/search/strategy.h"
#include "server/study/active_study.h"
#include "server/study/carving_judge.h"

namespace tune {

// What becomes of a configuration that the search has drawn.
struct CarvingFate {
  enum Kind {
    kMeasured,
    kCarved,
    kUnknown,  // it is being inspected
  };
  Kind kind = kMeasured;
  std::string reason;  // kCarved: why
};

// What it decides follows from the study's options and inspections alone, so also after a restart. One
// thread.
class CarvingStage {
 public:
  // Neither is owned.
  CarvingStage(ActiveStudy* study, Space* space);

  // Whether configurations are looked at.
  bool active() const { return options_.inspections() > 0; }
  // Reads what the store has. Then, while the study searches, draws what is to be surveyed and asks for what
  // is not known of that. Errors are the store's.
  absl::Status Begin();
  // Takes news.
  void Take(const std::vector<v1::Inspection>& inspected);
  // All that is to be surveyed is known.
  bool is_surveyed() const { return unknown_ == 0; }
  // Once that is so: carves. Errors of CarvingJudge::Make and the store's.
  absl::Status Carve();
  // Of what was surveyed; empty before Carve.
  std::vector<v1::Configuration> KeptBestFirst() const;

  // Asks for an inspection where one is needed. Candidate 0 is never carved.
  CarvingFate FateOf(const Proposal& proposal);
  // These are proposed next: inspections that they need are asked for now.
  void LookAhead(const Proposals& proposals);

  // Of the study's end; empty: nothing is worth knowing.
  std::string Note() const;

 private:
  struct Known {
    int64_t index = 0;  // of the inspection
    bool done = false;
    CarvingVerdict verdict;  // once it is known
  };
  // Draws configurations uniformly until there are enough.
  absl::Status Survey();
  void Ask(int64_t index, const v1::Configuration& configuration);
  bool NeedsInspection(const Proposal& proposal) const;
  void Judge(const v1::Inspection& inspection, Known* known);

  ActiveStudy& study_;
  Space& space_;
  const v1::SearchOptions search_;
  const v1::CarveOptions options_;
  std::map<int64_t, v1::Inspection> inspections_;  // by index
  std::map<std::string, Known> known_;             // by the configuration's fingerprint; asked ones too
  int64_t planned_ = 0, unknown_ = 0;              // that are surveyed; of these, those not inspected
  int64_t next_ = 0;                               // index of the next inspection
  bool limit_reached_ = false;
  std::optional<CarvingJudge> judge_;
};

}  // namespace tune
