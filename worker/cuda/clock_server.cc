#include "worker/cuda/clock_server.h"

#include <sys/prctl.h>

#include <csignal>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"
#include "worker/cuda/device_query.h"

namespace tune {
namespace {

constexpr int kLongestLine = 256;

// What was asked for, done.
absl::StatusOr<std::string> Obey(GraphicsClock& clock, absl::string_view line) {
  if (line == "list") return absl::StrCat(" ", absl::StrJoin(clock.supported(), " "));
  int mhz = 0;
  if (line == "reset") {
    TUNE_RETURN_IF_ERROR(clock.Reset());
  } else if (absl::ConsumePrefix(&line, "set ") && absl::SimpleAtoi(line, &mhz)) {
    TUNE_RETURN_IF_ERROR(clock.Set(mhz));
  } else {
    return absl::InvalidArgumentError("write list, set MHZ or reset");
  }
  return "";
}

void Answer(std::FILE* out, const absl::StatusOr<std::string>& answer) {
  const std::string text = answer.ok() ? absl::StrCat("ok", *answer)
                                       : absl::StrCat("refused ", EscapeLine(answer.status().message()));
  std::fprintf(out, "%s\n", text.c_str());
  std::fflush(out);
}

absl::StatusOr<std::unique_ptr<GraphicsClock>> ClockOf(int ordinal) {
  const v1::CudaDevices devices = QueryDevices();
  for (const v1::Device& device : devices.devices())
    if (device.cuda().ordinal() == ordinal) return OpenGraphicsClock(device.cuda().uuid());
  return absl::NotFoundError(devices.trouble().empty() ? absl::StrCat("there is no device ", ordinal)
                                                       : devices.trouble());
}

}  // namespace

absl::Status ServeClock(GraphicsClock& clock, std::FILE* in, std::FILE* out) {
  char line[kLongestLine];
  while (std::fgets(line, sizeof(line), in) != nullptr)
    Answer(out, Obey(clock, absl::StripSuffix(line, "\n")));
  return clock.Reset();
}

absl::Status ServeClockOf(int ordinal) {
  prctl(PR_SET_PDEATHSIG, 0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  const absl::StatusOr<std::unique_ptr<GraphicsClock>> clock = ClockOf(ordinal);
  if (clock.ok()) return ServeClock(**clock, stdin, stdout);
  char line[kLongestLine];
  if (std::fgets(line, sizeof(line), stdin) != nullptr) Answer(stdout, clock.status());
  return clock.status();
}

}  // namespace tune
