// Names of the metrics that place a kernel under the roofs of its device.
#pragma once

namespace tune {

// Floating-point operations (a fused multiply-add is two) for each byte between the device's memory and its
// L2 cache. Normalised by the intensity from which on the device's memory is no limit.
inline constexpr char kArithmeticIntensity[] = "arithmetic_intensity";
// Floating-point operations a second. Normalised by the device's peak for the kernel's mixture of single and
// double precision: value / normalised is that peak.
inline constexpr char kFlopThroughput[] = "flop_throughput";

}  // namespace tune
