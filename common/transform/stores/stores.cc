#include "common/transform/stores/stores.h"

#include <algorithm>

#include "common/decision/offer.h"
#include "common/program/atomic_update.h"
#include "common/program/statement_value.h"
#include "common/transform/reduction/reduction.h"

namespace tune {
namespace {

// Marks the stores of one kernel.
class StoreMarker {
 public:
  StoreMarker(const KernelPass& pass, const DeviceKernel& kernel) : pass_(pass), kernel_(kernel) {
    for (const v1::Statement& statement : pass.scop.statements()) statements_[statement.name()] = &statement;
  }

  void Mark(Instance* instance) const {
    const v1::Statement& statement = *statements_.at(instance->statement);
    instance->atomic =
        TargetSubscripts(statement).empty() && CanExchange(instance->accesses[statement.target()]);
  }
  void Mark(Transfer* transfer) const {
    if (transfer->update == v1::NONE) {
      transfer->atomic = CanExchange(transfer->to);
    } else {
      transfer->atomic |= pass_.kernel.reduction->atomic;
    }
  }

 private:
  bool CanExchange(const ElementAccess& to) const {
    if (kernel_.FindTile(to.array) != nullptr) return false;
    return std::any_of(pass_.arrays.begin(), pass_.arrays.end(), [&](const DeviceArray& array) {
      return array.scop_name == to.array && HasExchange(array.type);
    });
  }

  const KernelPass& pass_;
  const DeviceKernel& kernel_;
  std::map<std::string, const v1::Statement*> statements_;
};

class StoresTransformation : public CudaTransformation {
  const char* name() const override { return "stores"; }

  // What threads add up together is added to the array's element, not stored.
  static Offer Options(const KernelSite& site) {
    const bool adds = site.threads().HasReduction() && site.kernel.reduction->atomic;
    return {site.Key("stores"), {"plain", "atomic"}, {true, !adds || BlocksCanAdd(site.kernel, site.device)}};
  }

  absl::Status Decide(const KernelSite& site, Chooser& chooser, KernelPlan* plan) const override {
    if (!site.kernel.writes_words) return absl::OkStatus();
    TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, Options(site), 0));
    plan->Set(AtomicStores{chosen == 1});
    return absl::OkStatus();
  }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    if (!pass.plan.Get<AtomicStores>().on) return;
    const StoreMarker marker(pass, *kernel);
    ForEachNode(kernel->body, [&](Node& node) {
      if (auto* instance = node.As<Instance>()) marker.Mark(instance);
      if (auto* transfer = node.As<Transfer>()) marker.Mark(transfer);
    });
  }

  // An exchange costs what a store does not.
  absl::Status Check(const KernelPass& pass, const DeviceKernel& kernel) const override {
    bool any = false;
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* instance = node.As<Instance>();
      any = any || (instance != nullptr && instance->atomic);
    });
    if (!any || pass.plan.Get<AtomicStores>().on) return absl::OkStatus();
    return absl::FailedPreconditionError("a store is atomic");
  }
};

}  // namespace

const CudaTransformation& Stores() {
  static const StoresTransformation transformation;
  return transformation;
}

}  // namespace tune
