#include "common/evaluation/roofline.h"

#include <algorithm>

namespace tune {
namespace {

double Quotient(double amount, double rate) { return rate > 0 ? amount / rate : 0; }

// Both kinds share the units of a processor, and have units of their own on a GPU.
void ConsiderOperations(const v1::RegionWork& work, const v1::Device& device, Roofline* bound) {
  const v1::PeakRates& peaks = device.peaks();
  const double in_float = Quotient(work.float_operations(), peaks.float_operations());
  const double in_double = Quotient(work.double_operations(), peaks.double_operations());
  const double seconds = device.target() == v1::CUDA ? std::max(in_float, in_double) : in_float + in_double;
  if (seconds <= bound->bound_seconds) return;
  const double amount = work.float_operations() + work.double_operations();
  *bound = {seconds, Roofline::Limit::kOperations, amount, amount / seconds};
}

void ConsiderBytes(double amount, double rate, Roofline::Limit limit, Roofline* bound) {
  const double seconds = Quotient(amount, rate);
  if (seconds > bound->bound_seconds) *bound = {seconds, limit, amount, rate};
}

}  // namespace

std::optional<Roofline> RooflineOf(const v1::RegionWork& work, const v1::Device& device) {
  const v1::PeakRates& peaks = device.peaks();
  const auto read = static_cast<double>(work.read_bytes()),
             written = static_cast<double>(work.written_bytes());
  const auto cache = static_cast<double>(peaks.cache_size());
  Roofline bound;
  ConsiderOperations(work, device, &bound);
  ConsiderBytes(read + written, peaks.cache_bytes(), Roofline::Limit::kCache, &bound);
  ConsiderBytes(std::max(0.0, read - cache) + std::max(0.0, written - cache), peaks.memory_bytes(),
                Roofline::Limit::kMemory, &bound);
  if (bound.bound_seconds <= 0) return std::nullopt;
  return bound;
}

std::optional<Roofline> RooflineOf(const v1::Study& study) {
  if (!study.reference().has_work() || !study.device().has_peaks()) return std::nullopt;
  return RooflineOf(study.reference().work(), study.device());
}

}  // namespace tune
