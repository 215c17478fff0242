#include "worker/run/process_end.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

// The OpenMP runtimes and the C++ library say so before they end the process.
bool SaysOutOfMemory(absl::string_view error_output) {
  return absl::StrContains(error_output, "Out of memory") || absl::StrContains(error_output, "bad_alloc") ||
         absl::StrContains(error_output, "Thread creation failed");
}

// "A[12][0]"; counts rows beyond the last one too.
std::string Element(const v1::RunnerArray& array, int64_t offset) {
  int64_t position = offset / static_cast<int64_t>(ElementSize(array.element_type()));
  std::vector<int64_t> index(array.extents_size());
  for (int d = array.extents_size(); d-- > 0;) {
    const int64_t extent = std::max<int64_t>(1, array.extents(d));
    index[d] = d == 0 ? position : position % extent;
    position /= extent;
  }
  return index.empty() ? array.name() : absl::StrCat(array.name(), "[", absl::StrJoin(index, "]["), "]");
}

// What the faulting address says, or "".
std::string DescribeFault(const v1::RunnerJob& job, const v1::CandidateEnd& end) {
  if (end.stack_overflow()) return "the stack overflowed";
  if (end.array_plus_one() < 1 || end.array_plus_one() > job.arrays_size()) return "";
  const v1::RunnerArray& array = job.arrays(end.array_plus_one() - 1);
  if (end.array_offset() < 0) {
    const uint64_t before = 0 - static_cast<uint64_t>(end.array_offset());
    return absl::StrCat("access ", before, " bytes before the start of array ", array.name());
  }
  const auto bytes =
      ArrayBytes(array.name(), array.element_type(), {array.extents().begin(), array.extents().end()});
  if (bytes.ok() && end.array_offset() >= *bytes) {
    return absl::StrCat("access behind the end of array ", array.name(), ", at ",
                        Element(array, end.array_offset()));
  }
  return absl::StrCat("write to read-only array ", array.name(), ", at ", Element(array, end.array_offset()));
}

// As SubprocessResult::Describe.
std::string DescribeEnd(const v1::CandidateEnd& end) {
  if (end.signal() == 0) return absl::StrCat("exited with status ", end.exit_code());
  return absl::StrCat("was killed by signal ", end.signal(), " (", strsignal(end.signal()), ")");
}

}  // namespace

v1::RunnerVerdict MakeVerdict(v1::Outcome outcome, std::string message) {
  v1::RunnerVerdict verdict;
  verdict.set_outcome(outcome);
  verdict.set_message(std::move(message));
  return verdict;
}

v1::RunnerVerdict JudgeProcessEnd(const v1::RunnerJob& job, const v1::CandidateEnd& end,
                                  absl::string_view printed) {
  const std::string& during = end.phase();
  if (end.timed_out()) {
    return MakeVerdict(v1::TIMEOUT,
                       absl::StrFormat("had not ended after %.4g s, in %s", end.wall_seconds(), during));
  }
  if (end.signal() == SIGXCPU) {
    return MakeVerdict(v1::TIMEOUT,
                       absl::StrFormat("used more than %.4g s of CPU time in %s", job.cpu_seconds(), during));
  }
  if ((end.fault_error_number() == ENOMEM && !end.stack_overflow()) || SaysOutOfMemory(printed)) {
    return MakeVerdict(
        v1::OOM, absl::StrFormat("an allocation failed in %s: %d MiB are allowed besides the arrays", during,
                                 job.memory_bytes() >> 20));
  }
  if (end.signal() == SIGKILL) {
    // Limits of its own end otherwise: this is no judgement of the candidate.
    return MakeVerdict(v1::WORKER_LOST,
                       absl::StrCat("was killed from outside in ", during,
                                    ", by the system for lack of memory on this machine, or by a person"));
  }
  if (end.signal() == SIGXFSZ) {
    return MakeVerdict(v1::RUNTIME,
                       absl::StrFormat("wrote a file of more than %d bytes in %s", job.file_bytes(), during));
  }
  if (end.signal() != 0) {
    const std::string fault = DescribeFault(job, end);
    return MakeVerdict(v1::RUNTIME,
                       absl::StrCat(DescribeEnd(end), " in ", during, fault.empty() ? "" : ": ", fault));
  }
  return MakeVerdict(v1::RUNTIME, absl::StrCat("ended without a result: ", DescribeEnd(end), " in ", during));
}

}  // namespace tune
