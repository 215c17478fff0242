#include "common/transform/fusion_levels/level_walk.h"

#include <algorithm>
#include <optional>

#include "common/isl/dimensions.h"
#include "common/transform/fusion_levels/hyperplane_walk.h"
#include "common/transform/fusion_levels/level_fusion.h"

namespace tune {
namespace {

constexpr int kMostLoops = 64;  // one inside the other; no schedule needs as many

struct Walked {
  LoopNest nest;
  bool continues_band = false;  // its first loop belongs to the band of the loop above
};

// The next loop of statements, what isl suggests inside of it, and where it comes from: from the schedule of
// the loop above, in whose band or in the next one; or from nowhere there.
struct NextLoop {
  enum Origin { kSameBand, kNewBand, kChosen };
  ScheduleRow row;
  ScheduleSuggestion below;
  Origin origin = kChosen;
};

// Notes whether all answers so far were the defaults.
class DepartureChooser : public Chooser {
 public:
  explicit DepartureChooser(Chooser& inner) : inner_(inner) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    TUNE_ASSIGN_OR_RETURN(const int chosen, inner_.Choose(point));
    has_departed_ = has_departed_ || chosen != point.default_option;
    return chosen;
  }
  bool has_departed() const { return has_departed_; }

 private:
  Chooser& inner_;
  bool has_departed_ = false;
};

class LevelWalk {
 public:
  LevelWalk(Chooser& chooser, LevelGroups& groups, ScheduleLevel level)
      : chooser_(chooser), groups_(groups), has_rows_(level == ScheduleLevel::kO3) {}

  absl::StatusOr<LoopNest> Walk() {
    LevelPlace whole;
    TUNE_ASSIGN_OR_RETURN(whole.group, groups_.Whole());
    TUNE_ASSIGN_OR_RETURN(Walked walked, WalkGroup(std::move(whole)));
    return std::move(walked.nest);
  }

 private:
  absl::StatusOr<Walked> WalkGroup(LevelPlace place) {
    LevelGroup& group = *place.group;
    if (group.group().depth() > kMostLoops) {
      return absl::InternalError(absl::StrCat("the schedule of ", JoinStatements(group.statements()),
                                              " has more than ", kMostLoops, " loops in one another"));
    }
    if (group.statements().size() == 1 && group.IsComplete()) return Leaf(group);
    if (place.suggestion.empty()) {
      TUNE_ASSIGN_OR_RETURN(const isl::schedule schedule, groups_.ScheduleOrOriginal(group, has_rows_));
      place.suggestion = ScheduleSuggestion(schedule);
      place.is_new = true;
    }
    std::vector<ComponentRows> rows;
    if (has_rows_) {
      TUNE_ASSIGN_OR_RETURN(rows, ChooseRows(place));
    }
    TUNE_ASSIGN_OR_RETURN(const std::vector<ComponentOrder> parts, ChooseParts(place, rows));
    if (parts.size() == 1 && !group.IsComplete()) return WalkLoop(std::move(place), rows);
    return WalkSequence(place, parts, rows);
  }

  static Walked Leaf(const LevelGroup& group) {
    Walked leaf;
    leaf.nest.statements = group.statements();
    return leaf;
  }

  absl::StatusOr<Walked> WalkSequence(const LevelPlace& place, const std::vector<ComponentOrder>& parts,
                                      const std::vector<ComponentRows>& rows) {
    Walked walked;
    walked.nest.statements = place.group->statements();
    walked.nest.ordered = LevelFusion::Depend(place.group->graph(), parts);
    for (const ComponentOrder& part : parts) {
      const std::vector<std::string> statements = LevelFusion::StatementsOf(*place.group, part);
      LevelPlace inside;
      TUNE_ASSIGN_OR_RETURN(inside.group, groups_.Part(*place.group, statements));
      // A subset's loops follow from isl's schedule of it alone, unless its rows were chosen.
      inside.suggestion = place.suggestion.For(statements, /*exactly=*/!has_rows_);
      inside.parallel = place.parallel;
      std::vector<ComponentRows> own;
      if (has_rows_) {
        for (const size_t component : part) own.push_back(rows[component]);
      }
      TUNE_ASSIGN_OR_RETURN(Walked child, inside.group->IsComplete() && statements.size() == 1
                                              ? absl::StatusOr<Walked>(Leaf(*inside.group))
                                              : WalkLoop(std::move(inside), own));
      walked.nest.children.push_back(std::move(child.nest));
    }
    return walked;
  }

  // All statements of the place share one more loop.
  absl::StatusOr<Walked> WalkLoop(LevelPlace place, const std::vector<ComponentRows>& rows) {
    LevelGroup& group = *place.group;
    TUNE_ASSIGN_OR_RETURN(const NextLoop loop, ChooseLoop(place, rows));
    TUNE_ASSIGN_OR_RETURN(const RowDirection direction, groups_.Direction(group, loop.row));
    if (direction == RowDirection::kBackward) {
      return absl::InternalError(absl::StrCat("a loop of ", JoinStatements(group.statements()),
                                              " would run dependent instances in the wrong order"));
    }
    RowDirection in_band = RowDirection::kBackward;  // no band
    if (place.band != nullptr) {
      TUNE_ASSIGN_OR_RETURN(in_band, groups_.Direction(*place.band, loop.row));
    }
    const bool continues = ContinuesBand(loop, in_band, direction);
    LevelPlace inside;
    TUNE_ASSIGN_OR_RETURN(inside.group, groups_.Below(group, loop.row));
    inside.suggestion = loop.below;
    inside.band = continues ? place.band : &group;
    inside.parallel = place.parallel + (direction == RowDirection::kParallel ? 1 : 0);
    TUNE_ASSIGN_OR_RETURN(Walked walked, WalkGroup(std::move(inside)));
    std::vector<LoopBand>& bands = walked.nest.bands;
    if (!walked.continues_band) bands.insert(bands.begin(), LoopBand());
    LoopBand& band = bands.front();
    band.rows.insert(band.rows.begin(), loop.row);
    band.coincident.insert(band.coincident.begin(),
                           (continues ? in_band : direction) == RowDirection::kParallel);
    walked.continues_band = continues;
    return walked;
  }

  // Whether the loop belongs to the band of the loop above. A loop that is parallel only because those above
  // order the dependences begins a band, where it is coincident.
  static bool ContinuesBand(const NextLoop& loop, RowDirection in_band, RowDirection direction) {
    if (in_band == RowDirection::kBackward) return false;
    if (loop.origin == NextLoop::kNewBand) return false;
    return loop.origin == NextLoop::kSameBand || in_band == direction;
  }

  // The loop that all statements of the place share next.
  absl::StatusOr<NextLoop> ChooseLoop(LevelPlace& place, const std::vector<ComponentRows>& rows) {
    LevelGroup& group = *place.group;
    Hyperplanes chosen;
    for (const ComponentRows& component : rows) chosen.insert(component.rows.begin(), component.rows.end());
    if (chosen.size() == group.statements().size()) {
      for (size_t loop = 0; loop < place.suggestion.loops(); ++loop) {
        if (HyperplanesOf(place.suggestion.Row(loop, group.statements())) == chosen)
          return Suggested(place, loop);
      }
      TUNE_ASSIGN_OR_RETURN(ScheduleRow row, ShiftedRow(group, chosen));
      return NextLoop{std::move(row), {}, NextLoop::kChosen};
    }
    if (place.suggestion.loops() > 0) return Suggested(place, 0);
    const bool is_component = group.graph().components().size() == 1;
    TUNE_ASSIGN_OR_RETURN(const isl::schedule schedule,
                          is_component ? groups_.ScheduleOrOriginal(group, has_rows_)
                                       : groups_.Schedule(group, GroupFusion::kForced, has_rows_));
    place.suggestion = ScheduleSuggestion(schedule);
    if (place.suggestion.loops() > 0) return Suggested(place, 0, NextLoop::kChosen);
    return absl::InternalError(absl::StrCat("isl's schedule of ", JoinStatements(group.statements()),
                                            " has no further loop, yet they need one"));
  }

  static NextLoop Suggested(const LevelPlace& place, size_t loop) {
    const NextLoop::Origin first = place.is_new ? NextLoop::kChosen : NextLoop::kNewBand;
    return Suggested(place, loop, place.suggestion.is_begun() ? NextLoop::kSameBand : first);
  }

  static NextLoop Suggested(const LevelPlace& place, size_t loop, NextLoop::Origin origin) {
    return {place.suggestion.Row(loop, place.group->statements()), place.suggestion.Below(loop), origin};
  }

  absl::StatusOr<ScheduleRow> ShiftedRow(LevelGroup& group, const Hyperplanes& rows) {
    TUNE_ASSIGN_OR_RETURN(const DependenceDistances* distances, groups_.Distances(group));
    std::optional<HyperplaneShifts> shifts = distances->Shifts(rows, /*parallel=*/true);
    if (!shifts) shifts = distances->Shifts(rows, /*parallel=*/false);
    if (!shifts) {
      return absl::InternalError(
          absl::StrCat("the rows chosen for ", JoinStatements(group.statements()), " fit no common loop"));
    }
    ScheduleRow row;
    for (const auto& [statement, hyperplane] : rows) {
      row.times.emplace(statement,
                        TimeOf(group.group().domains().at(statement), hyperplane, shifts->at(statement)));
    }
    return row;
  }

  // Those of all statements, or none when one has none.
  static Hyperplanes HyperplanesOf(const ScheduleRow& row) {
    Hyperplanes hyperplanes;
    for (const auto& [statement, time] : row.times) {
      const std::optional<Hyperplane> hyperplane = HyperplaneOf(time);
      if (!hyperplane) return {};
      hyperplanes.emplace(statement, *hyperplane);
    }
    return hyperplanes;
  }

  static std::string Key(const LevelGroup& group, const std::vector<std::string>& statements) {
    return absl::StrCat("schedule[", JoinStatements(statements), "]@", group.group().depth());
  }

  absl::StatusOr<std::vector<ComponentRows>> ChooseRows(const LevelPlace& place) {
    const std::vector<std::vector<std::string>>& components = place.group->graph().components();
    std::vector<ComponentRows> rows(components.size());
    TUNE_ASSIGN_OR_RETURN(const bool together, LevelFusion(groups_, place, &rows).AllNeedSecondLoop());
    if (together) {
      TUNE_ASSIGN_OR_RETURN(const bool chosen, ChooseCommonRows(place, rows));
      if (chosen) return rows;
    }
    for (size_t c = 0; c < components.size(); ++c) {
      TUNE_ASSIGN_OR_RETURN(rows[c], place.group->IsComplete(c) ? ZeroRow(place, components[c].front())
                                                                : ChooseComponentRows(place, components[c]));
    }
    return rows;
  }

  // Of all components, so that they can share a parallel loop; false when there are none such.
  absl::StatusOr<bool> ChooseCommonRows(const LevelPlace& place, std::vector<ComponentRows>& rows) {
    const std::vector<std::string>& statements = place.group->statements();
    const Hyperplanes suggested = SuggestedRows(place, statements);
    HyperplaneQuestion question;
    TUNE_ASSIGN_OR_RETURN(question.set, groups_.HyperplanesOf(*place.group, suggested));
    if (question.set->Options({}, /*parallel=*/true).empty()) return false;
    // isl's rows may be common ones only with constants that are larger, or parameters.
    if (!suggested.empty() && !question.set->distances().Shifts(suggested, /*parallel=*/false)) return false;
    const StatementGraph& graph = place.group->graph();
    for (const std::string& statement : statements)
      question.keys.push_back(Key(*place.group, graph.components()[graph.ComponentOf(statement)]));
    question.standard = InOrder(suggested, statements);
    question.parallel = true;
    question.keeps_standard = !chooser_.has_departed();
    TUNE_ASSIGN_OR_RETURN(const std::vector<Hyperplane> chosen, ChooseHyperplanes(chooser_, question));
    if (chosen.empty()) return false;
    for (ComponentRows& component : rows) component.standard = true;
    for (size_t i = 0; i < statements.size(); ++i) {
      ComponentRows& component = rows[graph.ComponentOf(statements[i])];
      component.rows[statements[i]] = chosen[i];
      if (suggested.empty() || suggested.at(statements[i]) != chosen[i]) component.standard = false;
    }
    return true;
  }

  // Those of the next loop that isl suggests, or none.
  static Hyperplanes SuggestedRows(const LevelPlace& place, const std::vector<std::string>& statements) {
    const ScheduleSuggestion suggestion = place.suggestion.For(statements, /*exactly=*/false);
    return suggestion.loops() > 0 ? HyperplanesOf(suggestion.Row(0, statements)) : Hyperplanes();
  }

  static std::vector<Hyperplane> InOrder(const Hyperplanes& rows,
                                         const std::vector<std::string>& statements) {
    std::vector<Hyperplane> ordered;
    for (const std::string& statement : statements) {
      const auto row = rows.find(statement);
      if (row != rows.end()) ordered.push_back(row->second);
    }
    return ordered;
  }

  // Of a statement that needs no loop, and may stand in others'.
  static absl::StatusOr<ComponentRows> ZeroRow(const LevelPlace& place, const std::string& statement) {
    const isl::set& domain = place.group->group().domains().at(statement);
    const Hyperplane zero(Dimensions(domain, isl_dim_set), 0);
    ComponentRows rows;
    rows.rows = SuggestedRows(place, {statement});
    rows.standard = !rows.rows.empty() || place.suggestion.For({statement}, /*exactly=*/false).loops() == 0;
    if (rows.rows.empty()) rows.rows[statement] = zero;
    return rows;
  }

  // Of statements that need a loop. Where each has a single instance, and only their order is left to be
  // found, isl's rows are taken.
  absl::StatusOr<ComponentRows> ChooseComponentRows(const LevelPlace& place,
                                                    const std::vector<std::string>& statements) {
    TUNE_ASSIGN_OR_RETURN(LevelGroup * component, groups_.Part(*place.group, statements));
    const StatementGroup& inside = component->group();
    const auto is_complete = [&](const std::string& statement) { return inside.IsComplete(statement); };
    if (std::all_of(statements.begin(), statements.end(), is_complete)) return ComponentRows{{}, true};
    const Hyperplanes suggested = SuggestedRows(place, statements);
    HyperplaneQuestion question;
    question.keys.assign(statements.size(), Key(*place.group, statements));
    TUNE_ASSIGN_OR_RETURN(question.set, groups_.HyperplanesOf(*component, suggested));
    question.standard = InOrder(suggested, statements);
    question.parallel = LevelFusion(groups_, place, nullptr).MissingLoops() > 0;
    question.keeps_standard = !chooser_.has_departed();
    TUNE_ASSIGN_OR_RETURN(const std::vector<Hyperplane> chosen, ChooseHyperplanes(chooser_, question));
    ComponentRows rows;
    for (size_t i = 0; i < chosen.size(); ++i) rows.rows[statements[i]] = chosen[i];
    rows.standard = rows.rows == suggested;  // both empty: isl's loop is the only one
    return rows;
  }

  absl::StatusOr<std::vector<ComponentOrder>> ChooseParts(const LevelPlace& place,
                                                          const std::vector<ComponentRows>& rows) {
    const LevelGroup& group = *place.group;
    LevelFusion fusion(groups_, place, has_rows_ ? &rows : nullptr);
    PartitionQuestion question;
    question.key = Key(group, group.statements());
    question.graph = &group.graph();
    question.fuses = [&](const ComponentOrder& part) { return fusion.Fuses(part); };
    TUNE_ASSIGN_OR_RETURN(question.standard, fusion.StandardParts());
    if (group.IsComplete() || group.graph().components().size() == 1) return question.standard;
    TUNE_ASSIGN_OR_RETURN(const bool fused, fusion.MustFuse(question.standard));
    if (!fused) return ChoosePartition(chooser_, question);
    ComponentOrder all;
    for (const ComponentOrder& part : question.standard) all.insert(all.end(), part.begin(), part.end());
    return std::vector<ComponentOrder>{all};
  }

  DepartureChooser chooser_;
  LevelGroups& groups_;
  const bool has_rows_;
};

}  // namespace

absl::StatusOr<LoopNest> WalkScheduleLevel(Chooser& chooser, LevelGroups& groups, ScheduleLevel level) {
  try {
    return LevelWalk(chooser, groups, level).Walk();
  } catch (const isl::exception& error) {
    return absl::InternalError(absl::StrCat("choosing a schedule: isl: ", error.what()));
  }
}

}  // namespace tune
