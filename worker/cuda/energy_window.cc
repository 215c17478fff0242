#include "worker/cuda/energy_window.h"

#include <cstdint>

namespace tune {
namespace {

// Of a window, from one step of the counter to another; and how long the device works between two readings.
constexpr double kWindowSeconds = 1, kReadingSeconds = 10e-3;
// A counter that stands still for so long, while the device works, does not count.
constexpr double kLongestStep = 2;

// The work under way, and what the counter said of it last.
class Work {
 public:
  Work(EnergyCounter& counter, const std::function<double()>& now,
       const std::function<absl::StatusOr<bool>()>& piece)
      : counter_(counter), now_(now), piece_(piece) {}

  absl::Status Begin() {
    TUNE_ASSIGN_OR_RETURN(reading_, counter_.Read());
    return absl::OkStatus();
  }

  // Works until the counter has moved. False when the work ended before.
  absl::StatusOr<bool> UntilStep() {
    const double start = now_();
    const double before = reading_;
    while (reading_ <= before) {
      if (now_() - start > kLongestStep)
        return absl::UnavailableError("the device's energy counter does not move while it works");
      TUNE_ASSIGN_OR_RETURN(const bool goes_on, UntilReading());
      if (!goes_on) return false;
    }
    return true;
  }

  double reading() const { return reading_; }
  int64_t pieces() const { return pieces_; }

 private:
  absl::StatusOr<bool> UntilReading() {
    const double start = now_();
    do {
      TUNE_ASSIGN_OR_RETURN(const bool goes_on, piece_());
      if (!goes_on) return false;
      ++pieces_;
    } while (now_() - start < kReadingSeconds);
    TUNE_ASSIGN_OR_RETURN(reading_, counter_.Read());
    return true;
  }

  EnergyCounter& counter_;
  const std::function<double()>& now_;
  const std::function<absl::StatusOr<bool>()>& piece_;
  double reading_ = 0;
  int64_t pieces_ = 0;
};

}  // namespace

absl::StatusOr<EnergyWindow> MeasureEnergy(EnergyCounter& counter, const std::function<double()>& now,
                                           const std::function<absl::StatusOr<bool>()>& piece) {
  Work work(counter, now, piece);
  const EnergyWindow ended = {0, true};
  TUNE_RETURN_IF_ERROR(work.Begin());
  const double settled = now() + counter.settle_seconds();
  do {
    TUNE_ASSIGN_OR_RETURN(const bool goes_on, work.UntilStep());
    if (!goes_on) return ended;
  } while (now() < settled);
  const double start = now();
  const double first = work.reading();
  const int64_t before = work.pieces();
  do {
    TUNE_ASSIGN_OR_RETURN(const bool goes_on, work.UntilStep());
    if (!goes_on) return ended;
  } while (now() - start < kWindowSeconds);
  return EnergyWindow{(work.reading() - first) / static_cast<double>(work.pieces() - before), false};
}

}  // namespace tune
