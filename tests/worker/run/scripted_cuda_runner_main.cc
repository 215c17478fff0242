// A tune-cuda-runner whose device is a script: what becomes of a candidate stands in its "cubin".
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/base/file.h"
#include "common/base/frames.h"
#include "common/base/message_process.h"
#include "tune/v1/runner.pb.h"

namespace {

// As if they held their names.
void WriteOutputs(const tune::v1::CudaJob& job) {
  for (const tune::v1::RunnerArray& array : job.arrays()) {
    const std::string path = job.record_folder() + "/" + array.name() + ".bin";
    if (!array.read_only()) static_cast<void>(tune::WriteFile(path, array.name()));
  }
}

// "correct", or a word for each way in which a candidate ends the process.
tune::v1::CudaResult Evaluate(const tune::v1::CudaJob& job, int served) {
  tune::v1::CudaResult result;
  for (const tune::v1::CudaCandidate& candidate : job.candidates()) {
    const std::string word = tune::ReadFile(candidate.cubin()).value_or("?");
    if (word == "crash") std::abort();
    if (word == "leave") std::_Exit(7);
    if (word == "hang") pause();
    if (word == "garbage") {
      std::fputs("\xff\xff\xff\x7fnonsense", stdout);
      std::fflush(stdout);
      pause();
    }
    if (word == "fail") {
      result.set_failure("cannot allocate the arrays");
      return result;
    }
    if (!job.record_folder().empty()) WriteOutputs(job);
    std::fprintf(stderr, "%s\n", word.c_str());
    tune::v1::RunnerVerdict* verdict = result.add_verdicts();
    verdict->set_outcome(word == "correct" ? tune::v1::CORRECT : tune::v1::RUNTIME);
    verdict->set_message(word == "correct" ? "" : "illegal address");
    verdict->add_samples(served);  // how many jobs this process has had
    const char* const generation = std::getenv("CUDA_SCRIPTED_GENERATION");  // when it began
    verdict->set_first_seconds(generation == nullptr ? 0 : std::atof(generation));
    if (word != "lost") continue;
    result.set_device_lost(true);
    return result;
  }
  return result;
}

// The kernels' own names, as of `extern "C"`.
int WriteNames(int argc, char** argv) {
  std::string names;
  for (int i = 9; i < argc && std::strncmp(argv[i], "--kernel=", 9) == 0; ++i)
    names += std::string(argv[i] + 9) + "\n";
  return tune::WriteFile(argv[8], names).ok() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--devices") == 0) {
    tune::v1::CudaDevices devices;
    if (const char* trouble = std::getenv("SCRIPTED_TROUBLE")) {
      devices.set_trouble(trouble);
    } else {
      tune::v1::Device* device = devices.add_devices();
      device->set_model("scripted");
      device->set_compiler("NVRTC scripted");
    }
    const std::string bytes = devices.SerializeAsString();
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return 0;
  }
  if (argc >= 7 && std::strcmp(argv[1], "--compile") == 0) {
    const absl::StatusOr<std::string> text = tune::ReadFile(argv[2]);
    if (!text.ok() || !tune::WriteFile(argv[6], *text).ok()) return 1;
    return argc >= 9 && std::strcmp(argv[7], "--names") == 0 ? WriteNames(argc, argv) : 0;
  }
  tune::v1::CudaJob job;
  for (int served = 1;; ++served) {
    const absl::StatusOr<bool> more =
        tune::ReadMessage(STDIN_FILENO, tune::MessageProcess::kMaxMessage, &job);
    if (!more.ok()) return 2;
    if (!*more) return 0;
    const tune::v1::CudaResult result = Evaluate(job, served);
    if (!tune::WriteMessage(STDOUT_FILENO, result).ok()) return 2;
    if (result.device_lost() || !result.failure().empty()) return 0;
  }
}
