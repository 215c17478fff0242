// The process in which isl reads what others have sent: it may die, and is ended at a limit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/message_process.h"
#include "tune/v1/analysis.pb.h"

namespace tune {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int64_t kAnalyserMemory = 0;  // sanitizers reserve more than any limit
#else
inline constexpr int64_t kAnalyserMemory = int64_t{2} << 30;
#endif

struct AnalyserOptions {
  std::vector<std::string> program;                // tune-analyser with arguments; see AnalyserProgram
  int64_t memory_bytes = kAnalyserMemory;          // of the process; 0: no limit
  absl::Duration answer_limit = absl::Minutes(3);  // longer than isl's own limits in the process
};

// tune-analyser beside this program. NOT_FOUND says that it is not installed.
absl::StatusOr<std::vector<std::string>> AnalyserProgram();

// One such process. One thread, the one that started it: the process ends with it.
class Analyser {
 public:
  // UNAVAILABLE when it cannot be started.
  static absl::StatusOr<std::unique_ptr<Analyser>> Start(const AnalyserOptions& options);

  // The answer; an answer with an error is that error. RESOURCE_EXHAUSTED when the process ended (how, and
  // what it said last) or took too long, which ends it; INTERNAL when it answered no message. Nothing can be
  // asked after these two.
  // `cancelled` is polled about every 50 ms: CANCELLED, which ends the process, too.
  absl::StatusOr<v1::AnalysisAnswer> Ask(
      const v1::AnalysisRequest& request, const std::function<bool()>& cancelled = [] { return false; });

  bool alive() const { return process_->alive(); }

 private:
  Analyser(std::unique_ptr<MessageProcess> process, absl::Duration limit)
      : process_(std::move(process)), limit_(limit) {}

  const std::unique_ptr<MessageProcess> process_;
  const absl::Duration limit_;
};

}  // namespace tune
