#include "server/exchange/look_up.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"
#include "common/evaluation/objective.h"
#include "common/scop/parameter_product.h"
#include "common/scop/scop_identity.h"
#include "server/exchange/asked_objective.h"
#include "server/store/study_key.h"

namespace tune {
namespace {

constexpr int kDefaultLimit = 5;
constexpr int kMaxLimit = 100;
constexpr int kMaxResults = 1000;  // of a match

// What the stored keys are compared with.
struct Wanted {
  ScopIdentity scop;
  v1::Target target = v1::TARGET_UNSPECIFIED;  // unspecified: any
  std::string program, settings;
  std::string generator;        // as in StudyKey
  bool has_parameters = false;  // a value for every parameter of the scop
  bool closed = false;          // the extents follow from the parameters
  std::vector<int64_t> parameters;
  bool compares_device = false;
  std::set<std::string> models, architectures;
};

struct Ranked {
  StudyKey key;
  v1::Match::DeviceMatch device;
  v1::Match::SizeMatch size;
  double distance;
  double cost =
      0;  // of its best by the objective that is asked for, of those that can be compared; 0: not known

  // Of different devices or sizes it says nothing of which is better.
  bool IsComparable() const { return device == v1::Match::SAME_DEVICE && size <= v1::Match::SAME_SETTINGS; }
};

// The best that workers offer: where there is a GPU, that.
v1::Target BestTarget(const std::vector<v1::Device>& workers) {
  v1::Target best = v1::TARGET_UNSPECIFIED;
  for (const v1::Device& device : workers) best = std::max(best, device.target());
  return best;
}

void AddDevice(const std::string& model, const std::string& architecture, Wanted* wanted) {
  if (!model.empty()) wanted->models.insert(model);
  if (!architecture.empty()) wanted->architectures.insert(architecture);
  wanted->compares_device = true;
}

// Devices whose model or architecture the user has named: among the workers and the stored results.
void ChooseNamedDevices(const std::string& name, const std::vector<v1::Device>& workers,
                        const std::vector<StudyKey>& keys, Wanted* wanted) {
  const std::string part = absl::AsciiStrToLower(name);
  const auto consider = [&](const std::string& model, const std::string& architecture) {
    if (absl::AsciiStrToLower(architecture) == part || absl::StrContains(absl::AsciiStrToLower(model), part))
      AddDevice(model, architecture, wanted);
  };
  for (const v1::Device& device : workers) consider(device.model(), DeviceArchitecture(device));
  for (const StudyKey& key : keys) consider(key.device, key.architecture);
  wanted->compares_device = true;  // also when nobody knows it: then all others are other devices
}

void ReadParameters(const v1::LookUpRequest& request, Wanted* wanted) {
  std::map<std::string, int64_t> values;
  for (const v1::ParameterValue& parameter : request.parameters())
    values[parameter.name()] = parameter.value();
  if (!AddProducts(request.scop(), &values).ok()) return;
  for (const v1::Parameter& parameter : request.scop().parameters()) {
    const auto value = values.find(parameter.name());
    if (value == values.end()) return;
    wanted->parameters.push_back(value->second);
  }
  wanted->has_parameters = true;
}

// Whether all names in the extents are parameters.
bool ExtentsAreClosed(const v1::Scop& scop) {
  std::set<std::string> parameters;
  for (const v1::Parameter& parameter : scop.parameters()) parameters.insert(parameter.name());
  for (const v1::Array& array : scop.arrays()) {
    for (const v1::Extent& extent : array.extents()) {
      std::string spaced = extent.c_expression();
      std::replace_if(
          spaced.begin(), spaced.end(), [&](char c) { return !IsNameCharacter(c); }, ' ');
      for (const absl::string_view word : absl::StrSplit(spaced, ' ', absl::SkipEmpty())) {
        if (!absl::ascii_isdigit(word[0]) && parameters.count(std::string(word)) == 0) return false;
      }
    }
  }
  return true;
}

Wanted ReadRequest(const v1::LookUpRequest& request, ScopIdentity scop,
                   const std::vector<v1::Device>& workers) {
  Wanted wanted;
  wanted.scop = std::move(scop);
  wanted.target = request.target();
  if (wanted.target == v1::TARGET_UNSPECIFIED && request.device().empty())
    wanted.target = BestTarget(workers);
  wanted.generator = KeyGenerator(request.generator());
  wanted.program = request.program_fingerprint();
  wanted.settings = request.settings_fingerprint();
  ReadParameters(request, &wanted);
  wanted.closed = ExtentsAreClosed(request.scop());
  return wanted;
}

v1::Match::DeviceMatch CompareDevice(const Wanted& wanted, const StudyKey& key) {
  if (!wanted.compares_device) return v1::Match::DEVICE_NOT_COMPARED;
  if (wanted.models.count(key.device) > 0) return v1::Match::SAME_DEVICE;
  if (wanted.architectures.count(key.architecture) > 0) return v1::Match::SAME_ARCHITECTURE;
  return v1::Match::OTHER_DEVICE;
}

v1::Match::SizeMatch CompareSizes(const Wanted& wanted, const StudyKey& key) {
  if (wanted.scop.fingerprint != key.scop) return v1::Match::OTHER_SIZES;
  if (!wanted.program.empty() && wanted.program == key.program) return v1::Match::SAME_SIZES;
  if (wanted.has_parameters && key.has_parameters) {
    if (wanted.parameters != key.parameters) return v1::Match::OTHER_SIZES;
    if (wanted.closed) return v1::Match::SAME_SIZES;
  }
  const bool settings = !wanted.settings.empty() && wanted.settings == key.settings;
  return settings ? v1::Match::SAME_SETTINGS : v1::Match::UNKNOWN_SIZES;
}

// Sum of |log(a / b)| over the sizes that are known of both.
double Distance(const Wanted& wanted, const StudyKey& key) {
  double distance = 0;
  const auto add = [&](const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
      if (a[i] > 0 && b[i] > 0) distance += std::abs(std::log(static_cast<double>(a[i]) / b[i]));
    }
  };
  add(wanted.scop.sizes, key.sizes);
  if (wanted.has_parameters && key.has_parameters) add(wanted.parameters, key.parameters);
  return distance;
}

bool Nearer(const Ranked& a, const Ranked& b) {
  if (a.device != b.device) return a.device < b.device;
  if (a.size != b.size) return a.size < b.size;
  if (a.distance != b.distance) return a.distance < b.distance;
  if (a.IsComparable() && a.cost != b.cost) return IsLessCost(a.cost, b.cost);
  return StudyNumberOf(a.key.study_id).value() > StudyNumberOf(b.key.study_id).value();
}

absl::StatusOr<double> CostOfKey(const Store& store, const AskedObjective& objective, const StudyKey& key) {
  const absl::StatusOr<v1::Study> study = store.GetStudy(key.study_id);
  if (absl::IsNotFound(study.status())) return 0;  // removed meanwhile
  TUNE_RETURN_IF_ERROR(study.status());
  return objective.BestCostOf(*study);
}

absl::StatusOr<std::vector<Ranked>> Rank(const Store& store, const AskedObjective& objective,
                                         const std::vector<StudyKey>& keys, const Wanted& wanted) {
  std::vector<Ranked> ranked;
  for (const StudyKey& key : keys) {
    const bool other_target = wanted.target != v1::TARGET_UNSPECIFIED && wanted.target != key.target;
    if (key.generator != wanted.generator) continue;
    if (!(key.best_seconds > 0) || other_target) continue;  // nor what is no number, which has no order
    Ranked& one = ranked.emplace_back(
        Ranked{key, CompareDevice(wanted, key), CompareSizes(wanted, key), Distance(wanted, key)});
    if (one.IsComparable()) {
      TUNE_ASSIGN_OR_RETURN(one.cost, CostOfKey(store, objective, key));
    }
  }
  std::sort(ranked.begin(), ranked.end(), Nearer);
  return ranked;
}

// Of the scop, or of the kernels.
absl::StatusOr<ScopIdentity> IdentityOf(const Store& store, const v1::LookUpRequest& request) {
  if (request.has_kernel()) {
    if (request.kernel().shape().empty())
      return absl::InvalidArgumentError("kernel: its shape is missing; KernelShape tells it");
    ScopIdentity identity;
    identity.shape = request.kernel().shape();
    identity.fingerprint = request.kernel().fingerprint();
    return identity;
  }
  if (request.scop().statements().empty())
    return absl::InvalidArgumentError("scop: it has no statements, so there is nothing to look up");
  return store.Identify(request.scop());
}

}  // namespace

absl::StatusOr<v1::LookUpResponse> LookUp(const Store& store, const v1::LookUpRequest& request,
                                          const std::vector<v1::Device>& workers) {
  TUNE_ASSIGN_OR_RETURN(ScopIdentity scop, IdentityOf(store, request));
  Wanted wanted = ReadRequest(request, std::move(scop), workers);
  TUNE_ASSIGN_OR_RETURN(const std::vector<StudyKey> keys, store.FindKeys(wanted.scop.shape));
  if (!request.device().empty()) {
    ChooseNamedDevices(request.device(), workers, keys, &wanted);
  } else {
    for (const v1::Device& device : workers) {
      if (wanted.target == v1::TARGET_UNSPECIFIED || device.target() == wanted.target)
        AddDevice(device.model(), DeviceArchitecture(device), &wanted);
    }
  }
  v1::LookUpResponse response;
  for (const std::string& model : wanted.models) response.add_devices(model);
  const int limit = request.limit() <= 0 ? kDefaultLimit : std::min(request.limit(), kMaxLimit);
  const AskedObjective objective(store, request);
  TUNE_ASSIGN_OR_RETURN(const std::vector<Ranked> all, Rank(store, objective, keys, wanted));
  for (const Ranked& ranked : all) {
    if (response.matches_size() == limit) break;
    const absl::StatusOr<v1::Study> study = store.GetStudy(ranked.key.study_id);
    if (absl::IsNotFound(study.status())) continue;  // removed meanwhile
    TUNE_RETURN_IF_ERROR(study.status());
    const absl::StatusOr<v1::Configuration> best = objective.BestOf(*study);
    if (absl::IsNotFound(best.status())) continue;
    TUNE_RETURN_IF_ERROR(best.status());
    v1::Match& match = *response.add_matches();
    *match.mutable_study() = *study;
    *match.mutable_configuration() = *best;
    match.set_device(ranked.device);
    match.set_size(ranked.size);
    const int results = std::clamp(request.results(), 0, kMaxResults);
    if (results > 0) {
      TUNE_ASSIGN_OR_RETURN(*match.mutable_results(), objective.ResultsOf(*study, results));
    }
  }
  return response;
}

}  // namespace tune
