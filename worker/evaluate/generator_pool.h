// Generators of one study for several threads, made when they are needed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker/codegen/code_generator.h"

namespace tune {

// Thread safe.
class GeneratorPool {
 public:
  using Factory = std::function<absl::StatusOr<std::unique_ptr<CodeGenerator>>()>;

  // `most`: that are kept, at least one; each holds the study's schedules.
  GeneratorPool(Factory make, int most);

  // Calls `use` with a generator that nobody else uses meanwhile; waits for one while all are taken. Errors
  // are those of making one and of `use`.
  template <typename Result>
  absl::StatusOr<Result> With(const std::function<absl::StatusOr<Result>(CodeGenerator&)>& use) {
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CodeGenerator> generator, Take());
    absl::StatusOr<Result> result = use(*generator);
    Return(std::move(generator));
    return result;
  }

 private:
  absl::StatusOr<std::unique_ptr<CodeGenerator>> Take();
  void Return(std::unique_ptr<CodeGenerator> generator);

  const Factory make_;
  absl::Mutex mutex_;
  std::vector<std::unique_ptr<CodeGenerator>> idle_ ABSL_GUARDED_BY(mutex_);
  int places_ ABSL_GUARDED_BY(mutex_);  // for further ones
};

}  // namespace tune
