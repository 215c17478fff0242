#include "worker/cuda/energy_window.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

// A device whose time goes on by its work alone, and whose counter moves in steps.
class Device : public EnergyCounter {
 public:
  Device(double watts, double step_seconds) : watts_(watts), step_seconds_(step_seconds) {}

  absl::StatusOr<double> Read() override {
    if (refusing) return absl::NotFoundError("it does not tell");
    return watts_ * step_seconds_ * std::floor(now / step_seconds_);
  }
  double settle_seconds() const override { return settle; }

  std::function<double()> Clock() {
    return [this] { return now; };
  }
  std::function<absl::StatusOr<bool>()> Piece(double seconds) {
    return [this, seconds]() -> absl::StatusOr<bool> {
      now += seconds;
      ++pieces;
      return pieces != last_piece;
    };
  }

  double now = 17.03, settle = 0;
  int pieces = 0, last_piece = -1;
  bool refusing = false;

 private:
  const double watts_, step_seconds_;
};

// Short ones are counted within the time of a reading at both ends of a second, long ones to the step.
TEST(EnergyWindowTest, IsPowerTimesTheTimeOfOnePiece) {
  for (const double seconds : {20e-6, 1e-3, 0.033, 0.4}) {
    for (const double step : {0.02, 0.1}) {
      Device device(350, step);
      const auto window = MeasureEnergy(device, device.Clock(), device.Piece(seconds));
      ASSERT_TRUE(window.ok()) << window.status();
      EXPECT_FALSE(window->ended);
      EXPECT_NEAR(window->joules / (350 * seconds), 1, 0.02 + 2 * step * (seconds >= 0.4))
          << seconds << " " << step;
    }
  }
}

// With readings alone, the step would be a tenth of what is measured.
TEST(EnergyWindowTest, StepsDoNotBlurTheResult) {
  Device device(200, 0.1);
  for (int i = 0; i < 20; ++i) {
    device.now += 0.0137;  // begins anywhere within a step
    const auto window = MeasureEnergy(device, device.Clock(), device.Piece(1e-3));
    ASSERT_TRUE(window.ok()) << window.status();
    EXPECT_NEAR(window->joules, 0.2, 0.2 * 0.02);
  }
}

TEST(EnergyWindowTest, ACounterThatFollowsSlowlySettlesFirst) {
  Device device(100, 0.05);
  device.settle = 3;
  const double start = device.now;
  ASSERT_TRUE(MeasureEnergy(device, device.Clock(), device.Piece(1e-3)).ok());
  EXPECT_GE(device.now - start, 4);
}

TEST(EnergyWindowTest, WorkThatEndsHasNoEnergy) {
  Device device(100, 0.1);
  device.last_piece = 5;
  const auto window = MeasureEnergy(device, device.Clock(), device.Piece(1e-3));
  ASSERT_TRUE(window.ok()) << window.status();
  EXPECT_TRUE(window->ended);
  EXPECT_EQ(device.pieces, 5);
}

TEST(EnergyWindowTest, ACounterThatStandsStillIsTold) {
  Device device(0, 0.1);
  const auto window = MeasureEnergy(device, device.Clock(), device.Piece(1e-3));
  EXPECT_TRUE(absl::IsUnavailable(window.status())) << window.status();
}

TEST(EnergyWindowTest, ErrorsAreHandedOn) {
  Device device(100, 0.1);
  const auto broken = [] { return absl::StatusOr<bool>(absl::InternalError("broken")); };
  EXPECT_TRUE(absl::IsInternal(MeasureEnergy(device, device.Clock(), broken).status()));
  device.refusing = true;
  EXPECT_TRUE(absl::IsNotFound(MeasureEnergy(device, device.Clock(), device.Piece(1e-3)).status()));
}

}  // namespace
}  // namespace tune
