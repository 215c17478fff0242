#include "common/cases/comprehensive_optimization.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

using Kind = CaseCounter::Kind;

class Optimizer {
 public:
  Optimizer(const OptimizationProblem& problem, ConsistencySolver& solver, size_t most)
      : problem_(problem), solver_(solver), most_(most), bounds_(LowerBounds(problem.Given())) {}

  absl::StatusOr<std::vector<ProgramCase>> Run() {
    Quintuple root;
    root.constraints = problem_.Given();
    for (size_t i = 0; i < problem_.strategies().size(); ++i) root.left.push_back(static_cast<int>(i));
    for (size_t i = problem_.counters().size(); i > 0; --i) root.counters.push_back(static_cast<int>(i - 1));
    TUNE_RETURN_IF_ERROR(ComprehensiveOptimization(std::move(root)));
    return std::move(cases_);
  }

 private:
  // Algorithm 1.
  absl::Status ComprehensiveOptimization(Quintuple quintuple) {
    if (quintuple.processed()) return Finish(std::move(quintuple));
    for (Quintuple& next : Optimize(std::move(quintuple)))
      TUNE_RETURN_IF_ERROR(ComprehensiveOptimization(std::move(next)));
    return absl::OkStatus();
  }

  // Algorithm 2.
  std::vector<Quintuple> Optimize(Quintuple quintuple) {
    std::vector<Quintuple> result;
    const int counter = quintuple.counters.back();
    quintuple.counters.pop_back();
    const std::set<int> before = quintuple.Applied();
    const PolynomialConstraint accepted = Accepts(counter, before);
    const PolynomialConstraint refused = accepted.Negation();
    Quintuple accept = quintuple;
    accept.constraints.push_back(accepted);
    accept.decisions.push_back({CaseDecision::Kind::kAccept, counter, -1, accepted});
    if (Possible(accept.constraints)) result.push_back(std::move(accept));
    const int strategy = NextStrategy(counter, quintuple);
    if (strategy < 0) return result;
    quintuple.constraints.push_back(refused);
    quintuple.decisions.push_back({CaseDecision::Kind::kRefuse, counter, strategy, refused});
    if (!Possible(quintuple.constraints)) return result;
    Apply(strategy, &quintuple);
    ReopenWorsened(counter, before, &quintuple);
    quintuple.counters.push_back(counter);
    for (Quintuple& next : Optimize(std::move(quintuple))) result.push_back(std::move(next));
    return result;
  }

  // When the counter is good enough.
  PolynomialConstraint Accepts(int counter, const std::set<int>& applied) const {
    const CaseCounter& described = problem_.counters()[counter];
    const RationalFunction value = problem_.Evaluate(counter, applied);
    const Polynomial limit = Polynomial::Name(described.limit) * value.denominator;
    return described.kind == Kind::kResource ? AtMost(value.numerator, limit)
                                             : AtMost(limit, value.numerator);
  }

  bool Possible(const ConstraintSystem& constraints) {
    return solver_.Check(constraints) != Consistency::kInconsistent;
  }

  // -1: none is left.
  int NextStrategy(int counter, const Quintuple& quintuple) const {
    for (const int strategy : problem_.counters()[counter].strategies) {
      if (std::find(quintuple.left.begin(), quintuple.left.end(), strategy) != quintuple.left.end())
        return strategy;
    }
    return -1;
  }

  void Apply(int strategy, Quintuple* quintuple) const {
    const bool intermediate = problem_.strategies()[strategy].intermediate;
    (intermediate ? quintuple->intermediate : quintuple->source).push_back(strategy);
    quintuple->left.erase(std::find(quintuple->left.begin(), quintuple->left.end(), strategy));
  }

  // Whether the counter cannot be worse after the strategies `after` than it was after `before`.
  bool KeepsOrImproves(int counter, const std::set<int>& before, const std::set<int>& after) const {
    const RationalFunction old = problem_.Evaluate(counter, before), now = problem_.Evaluate(counter, after);
    const Polynomial left = now.numerator * old.denominator, right = old.numerator * now.denominator;
    const bool resource = problem_.counters()[counter].kind == Kind::kResource;
    return FollowsFromBounds(resource ? AtMost(left, right) : AtMost(right, left), bounds_);
  }

  void ReopenWorsened(int counter, const std::set<int>& before, Quintuple* quintuple) const {
    const std::set<int> after = quintuple->Applied();
    for (int i = static_cast<int>(problem_.counters().size()) - 1; i >= 0; --i) {
      const bool open =
          std::find(quintuple->counters.begin(), quintuple->counters.end(), i) != quintuple->counters.end();
      if (i != counter && !open && !KeepsOrImproves(i, before, after)) quintuple->counters.push_back(i);
    }
  }

  // What every leaf gets: strategies that can do no harm.
  void ApplyAlways(Quintuple* quintuple) const {
    for (const int strategy : std::vector<int>(quintuple->left)) {
      if (!problem_.strategies()[strategy].always) continue;
      const std::set<int> before = quintuple->Applied();
      std::set<int> after = before;
      after.insert(strategy);
      bool harmless = true;
      for (size_t i = 0; i < problem_.counters().size(); ++i)
        harmless = harmless && KeepsOrImproves(static_cast<int>(i), before, after);
      if (!harmless) continue;
      Apply(strategy, quintuple);
      quintuple->decisions.push_back({CaseDecision::Kind::kAlways, -1, strategy, {}});
    }
  }

  absl::Status Finish(Quintuple quintuple) {
    if (cases_.size() >= most_)
      return absl::ResourceExhaustedError(absl::StrCat("there are more than ", most_, " cases"));
    ProgramCase found;
    found.unknown = solver_.Check(quintuple.constraints, &found.solution) != Consistency::kConsistent;
    ApplyAlways(&quintuple);
    found.applied = quintuple.Applied();
    found.decisions = std::move(quintuple.decisions);
    const ConstraintSystem given = problem_.Given();
    found.constraints.assign(quintuple.constraints.begin() + static_cast<int64_t>(given.size()),
                             quintuple.constraints.end());
    found.simplified = solver_.Simplify(given, found.constraints);
    cases_.push_back(std::move(found));
    return absl::OkStatus();
  }

  const OptimizationProblem& problem_;
  ConsistencySolver& solver_;
  const size_t most_;
  const std::map<std::string, int64_t> bounds_;
  std::vector<ProgramCase> cases_;
};

}  // namespace

std::set<int> Quintuple::Applied() const {
  std::set<int> applied(source.begin(), source.end());
  applied.insert(intermediate.begin(), intermediate.end());
  return applied;
}

absl::StatusOr<std::vector<ProgramCase>> OptimizeComprehensively(const OptimizationProblem& problem,
                                                                 ConsistencySolver& solver, size_t most) {
  return Optimizer(problem, solver, most).Run();
}

}  // namespace tune
