#include "worker/evaluate/generator_pool.h"

#include <algorithm>

namespace tune {

GeneratorPool::GeneratorPool(Factory make, int most) : make_(std::move(make)), places_(std::max(1, most)) {}

absl::StatusOr<std::unique_ptr<CodeGenerator>> GeneratorPool::Take() {
  {
    absl::MutexLock lock(&mutex_);
    const auto possible = [this]()
                              ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !idle_.empty() || places_ > 0; };
    mutex_.Await(absl::Condition(&possible));
    if (!idle_.empty()) {
      std::unique_ptr<CodeGenerator> generator = std::move(idle_.back());
      idle_.pop_back();
      return generator;
    }
    --places_;
  }
  absl::StatusOr<std::unique_ptr<CodeGenerator>> generator = make_();
  if (!generator.ok()) {
    absl::MutexLock lock(&mutex_);
    ++places_;
  }
  return generator;
}

void GeneratorPool::Return(std::unique_ptr<CodeGenerator> generator) {
  absl::MutexLock lock(&mutex_);
  idle_.push_back(std::move(generator));
}

}  // namespace tune
