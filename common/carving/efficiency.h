// The two metrics between which carving trades (Ryoo et al., Program optimization carving for GPU computing,
// 2008, section 4.1.2).
#pragma once

#include "common/carving/static_metrics.h"

namespace tune {

// Equation 1: 1 / (Instr * Threads). Of several kernels: 1 over the sum of these products, since the equation
// stands for all instructions that the device executes. 0 where nothing is known to be executed.
double Efficiency(const StaticMetrics& metrics);

// Equation 2: Instr / Regions * [(W_TB - 1) / 2 + (B_SM - 1) * W_TB]: how much there is to execute, by a warp
// and by others, each time that it waits. Nothing is rounded: the paper's example is 226.6, printed as 227.
//
// Of several kernels: the equation over all waits together. Its first factor is the instructions of all
// threads over the regions of all threads, its second one the mean of the bracket over all regions. A mean of
// the kernels' own utilisations would not do: one small kernel that never waits has a huge one, one of a
// single warp has none, and neither says much of the configuration. 0 where no block fits.
double Utilization(const StaticMetrics& metrics);

}  // namespace tune
