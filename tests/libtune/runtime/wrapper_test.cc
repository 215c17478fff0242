#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "libtune/include/tune.hpp"
#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

TEST(Wrapper, TunesAndRemembers) {
  const TemporaryFolder folder;
  tune_options options = tune::DefaultOptions();
  const std::string file = folder.File("wisdom");
  options.wisdom_file = file.c_str();
  options.device = "test device";
  for (const bool known : {false, true}) {
    tune::Context context(options);
    EXPECT_EQ(context.device(), "test device");
    tune::Region region = context.CreateRegion("r");
    const tune::Parameter layout = region.Nominal("layout", {"rows", "columns"});
    const tune::Parameter block = region.Powers("block", 1, 64, 2, 1);
    const tune::Parameter depth = region.Steps("depth", 0, 3, 1, 0);
    region.Under(depth, layout, 1);
    int calls = 0;
    for (bool settled = false; !settled && calls < 500; ++calls) {
      tune::Call call = region.Next({100});
      settled = call.settled();
      call.Report(10 - static_cast<double>(call.Integer(layout)) - call.Value(depth) +
                  8.0 / call.Value(block));
    }
    EXPECT_EQ(calls == 1, known);
    const tune::Call call = region.Next({100});
    EXPECT_EQ(call.Integer(layout), 1);
    EXPECT_EQ(context.FindRegion("r").get(), region.get());
  }
}

TEST(Wrapper, ErrorsAreExceptions) {
  tune::Context context;
  tune::Region region = context.CreateRegion("r");
  try {
    region.Real("x", 1, 0, 0);
    FAIL() << "an interval from 1 to 0";
  } catch (const tune::Error& error) {
    EXPECT_EQ(error.code(), TUNE_INVALID_ARGUMENT);
    EXPECT_THAT(error.what(), testing::HasSubstr("the bounds 1 and 0 are no interval"));
  }
  EXPECT_THROW(context.CreateRegion("r"), tune::Error);
  EXPECT_THROW(context.Load("/no/such/file"), tune::Error);
}

TEST(Wrapper, ACallLeftByAnExceptionDoesNotCount) {
  tune::Context context;
  tune::Region region = context.CreateRegion("r");
  for (int i = 0; i < 10; ++i) {
    EXPECT_THROW(region.Time({}, [](const tune::Call&) { throw std::runtime_error("of the program"); }),
                 std::runtime_error);
  }
  tune_progress progress = {};
  progress.struct_size = sizeof(progress);
  ASSERT_EQ(tune_look_up(region.get(), nullptr, 0, nullptr, 0, &progress), TUNE_OK);
  EXPECT_EQ(progress.tries, 0);
  EXPECT_EQ(progress.source, TUNE_FROM_DEFAULT);
  for (int i = 0; i < 2; ++i) region.Time({}, [](const tune::Call& call) { EXPECT_FALSE(call.settled()); });
  EXPECT_TRUE(region.Begin({}).settled());
}

TEST(Wrapper, Moves) {
  tune::Context context;
  tune::Context other = std::move(context);
  other = tune::Context();
  tune::Region region = other.CreateRegion("r");
  tune::Call call = region.Begin({});
  tune::Call moved = std::move(call);
  moved.End();
}

}  // namespace
}  // namespace libtune
