#include "server/analysis/remote_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/server/analysis/analysers.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// Of gemm with all sizes 100, on eight cores.
absl::StatusOr<std::unique_ptr<Space>> GemmSpace(const SpaceFactory& factory) {
  v1::StudySpec spec;
  *spec.mutable_scop() = testing::GemmScop();
  v1::Reference reference;
  for (const char* name : {"ni", "nj", "nk"}) {
    v1::ParameterValue* parameter = reference.add_parameters();
    parameter->set_name(name);
    parameter->set_value(100);
  }
  v1::Device device;
  device.set_target(v1::CPU);
  device.set_cores(8);
  return factory(spec, reference, device);
}

std::string WalkText(Space& space, Chooser& chooser) {
  RecordingChooser recording(&chooser);
  const absl::Status status = space.Walk(recording);
  return absl::StrCat(PrintConfiguration(recording.configuration()), status.ToString());
}

// Writes down the points, and answers as `inner`.
class PointsChooser : public Chooser {
 public:
  explicit PointsChooser(Chooser* inner) : inner_(inner) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    absl::StrAppend(&text, point.key, " of");
    for (size_t i = 0; i < point.options.size(); ++i)
      absl::StrAppend(&text, " ", point.options[i], point.allowed[i] ? "" : "(closed)");
    absl::StrAppend(&text, " default ", point.default_option, " ", point.unrecorded_option, "\n");
    return inner_->Choose(point);
  }
  std::string text;

 private:
  Chooser* const inner_;
};

TEST(RemoteSpace, WalksAreThoseOfTheSpaceItself) {
  const std::unique_ptr<Space> here = GemmSpace(StudySpaces()).value();
  const std::unique_ptr<Space> there = GemmSpace(RemoteSpaces(RealAnalyser())).value();
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    testing::RandomChooser random(seed), again(seed);
    PointsChooser points(&random), points_there(&again);
    EXPECT_EQ(WalkText(*there, points_there), WalkText(*here, points));
    EXPECT_EQ(points_there.text, points.text);
  }
}

TEST(RemoteSpace, ExpectationsChangeNothing) {
  const std::unique_ptr<Space> space = GemmSpace(RemoteSpaces(RealAnalyser())).value();
  std::vector<v1::Configuration> recorded(1);  // the first expects nothing
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    testing::RandomChooser random(seed);
    RecordingChooser recording(&random);
    ASSERT_TRUE(space->Walk(recording).ok());
    recorded.push_back(recording.configuration());
  }
  recorded[2].mutable_decisions(3)->set_option("no option");
  recorded[3].mutable_decisions()->DeleteSubrange(2, 3);
  for (const v1::Configuration& expected : recorded) {
    testing::RandomChooser random(1);
    RecordingChooser recording(&random);
    EXPECT_EQ(space->WalkAs(expected, recording), absl::OkStatus());
    EXPECT_EQ(PrintConfiguration(recording.configuration()), PrintConfiguration(recorded[1]));
  }
}

class FailingChooser : public Chooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    if (++asked_ == 3) return absl::AbortedError("no more");
    return point.default_option;
  }

 private:
  int asked_ = 0;
};

TEST(RemoteSpace, AWalkIsGivenUp) {
  const std::unique_ptr<Space> space = GemmSpace(RemoteSpaces(RealAnalyser())).value();
  DefaultChooser by_default;
  const std::string expected = WalkText(*space, by_default);
  FailingChooser failing;
  EXPECT_EQ(space->Walk(failing), absl::AbortedError("no more"));
  EXPECT_EQ(WalkText(*space, by_default), expected);
}

TEST(RemoteSpace, ASpaceThatCannotBeMadeSaysWhy) {
  v1::StudySpec spec;
  *spec.mutable_scop() = testing::GemmScop();
  spec.mutable_scop()->set_schedule("{ domain: \"{ S0[i, j] }\" }");
  v1::Device device;
  device.set_target(v1::CPU);
  const absl::Status status = RemoteSpaces(RealAnalyser())(spec, {}, device).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("scop, schedule"));
}

TEST(RemoteSpace, AProcessThatDiesIsAnError) {
  EXPECT_EQ(GemmSpace(RemoteSpaces(ShellAnalyser("kill -9 $$"))).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// A process that answers that the space is open, then to a walk what `answer` prints.
std::string OpenThen(const std::string& answer) {
  const std::string request = "dd bs=65536 count=1 of=/dev/null 2> /dev/null; ";  // it comes in one piece
  return absl::StrCat(request, "printf '\\000\\000\\000\\000'; ", request, answer, "; exec sleep 1000");
}

// A command that writes the answer as a frame.
std::string Printed(const v1::AnalysisAnswer& answer) {
  std::string text = "printf '";
  const std::string bytes = answer.SerializeAsString();
  for (const size_t byte : {bytes.size() & 255, bytes.size() >> 8, size_t{0}, size_t{0}})
    absl::StrAppend(&text, "\\", byte >> 6, (byte >> 3) & 7, byte & 7);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    absl::StrAppend(&text, "\\", byte >> 6, (byte >> 3) & 7, byte & 7);
  }
  return text + "'";
}

TEST(RemoteSpace, NonsenseIsNoWalk) {
  v1::AnalysisAnswer good;
  v1::NamedPoint* named = good.mutable_part()->add_named();
  named->set_key("d0");
  named->add_options("a");
  named->add_options("b");
  named->add_allowed(true);
  named->add_allowed(false);
  named->set_unrecorded_option(-1);
  good.mutable_part()->add_asked()->set_chosen(0);
  good.mutable_part()->set_ended(true);
  const auto walk = [](const v1::AnalysisAnswer& answer) {
    DefaultChooser chooser;
    const auto space = GemmSpace(RemoteSpaces(ShellAnalyser(OpenThen(Printed(answer)))));
    return space.ok() ? (*space)->Walk(chooser) : space.status();
  };
  EXPECT_EQ(walk(good), absl::OkStatus());
  const std::vector<void (*)(v1::WalkPart&)> damages = {
      [](v1::WalkPart& part) { part.mutable_named(0)->clear_options(); },
      [](v1::WalkPart& part) { part.mutable_named(0)->add_options("c"); },
      [](v1::WalkPart& part) { part.mutable_named(0)->set_default_option(1); },
      [](v1::WalkPart& part) { part.mutable_named(0)->set_default_option(-1); },
      [](v1::WalkPart& part) { part.mutable_named(0)->set_unrecorded_option(7); },
      [](v1::WalkPart& part) { part.mutable_asked(0)->set_point(1); },
      [](v1::WalkPart& part) { part.mutable_asked(0)->set_point(-1); },
      [](v1::WalkPart& part) { part.mutable_asked(0)->set_chosen(1); },
      [](v1::WalkPart& part) { part.mutable_asked(0)->set_chosen(-1); },
      [](v1::WalkPart& part) { part.set_ended(false); },
      [](v1::WalkPart& part) {
        part.clear_asked();
        part.set_ended(false);
      }};
  for (size_t i = 0; i < damages.size(); ++i) {
    v1::AnalysisAnswer bad = good;
    damages[i](*bad.mutable_part());
    EXPECT_EQ(walk(bad).code(), absl::StatusCode::kInternal) << i;
  }
}

}  // namespace
}  // namespace tune
