#include "worker/cuda/clock_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

// What is done to it.
class RecordedClock : public GraphicsClock {
 public:
  const std::vector<int>& supported() const override { return supported_; }
  absl::Status Set(int mhz) override {
    absl::StrAppend(&done, "set ", mhz, "; ");
    return mhz == 1500 ? absl::OkStatus() : absl::InvalidArgumentError("no such\nclock");
  }
  absl::Status Reset() override {
    absl::StrAppend(&done, "reset; ");
    return absl::OkStatus();
  }

  std::string done;

 private:
  const std::vector<int> supported_ = {1500, 900};
};

std::string AnswersTo(GraphicsClock& clock, const std::string& lines) {
  std::FILE* const in = std::tmpfile();
  std::FILE* const out = std::tmpfile();
  std::fputs(lines.c_str(), in);
  std::rewind(in);
  EXPECT_TRUE(ServeClock(clock, in, out).ok());
  std::rewind(out);
  char answers[1024] = "";
  const size_t size = std::fread(answers, 1, sizeof(answers), out);
  std::fclose(in);
  std::fclose(out);
  return std::string(answers, size);
}

TEST(ClockServerTest, AnswersEachLineAndSetsBackAtTheEnd) {
  RecordedClock clock;
  EXPECT_EQ(AnswersTo(clock, "list\nset 1500\nreset\nset 7\nset fast\nnothing"),
            "ok 1500 900\nok\nok\nrefused no such\\x0aclock\nrefused write list, set MHZ or reset\n"
            "refused write list, set MHZ or reset\n");
  EXPECT_EQ(clock.done, "set 1500; reset; set 7; reset; ");
  clock.done.clear();
  EXPECT_EQ(AnswersTo(clock, ""), "");
  EXPECT_EQ(clock.done, "reset; ");
}

}  // namespace
}  // namespace tune
