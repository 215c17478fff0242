// What candidates are worth beside their time, under the names of other tuners.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {

// A quantity of a candidate, by its name here (QuantityOf).
struct NamedQuantity {
  std::string name, unit;  // UnitOf
  double value = 0;
};

// Energy, power and energy-delay product, where they were measured, then the metrics; without the time.
std::vector<NamedQuantity> QuantitiesOf(const v1::Evaluation& evaluation);

// Kernel Tuner's name of a quantity: its observer of NVML has "nvml_energy" and "nvml_power".
std::string KernelTunerQuantity(const std::string& name);

// Takes a value into an evaluation that has its time: energy in joules and power in watts, by their names
// here or in Kernel Tuner (its observers' prefixes included), into the measurement, all else as a metric.
// Power counts where there is no energy; a product of energy and time follows from them.
void AddQuantity(const std::string& name, double value, v1::Evaluation* evaluation);

// The objective and its direction of a file that calls it `name`. `maximise`: what the file itself says; of a
// file of others it is what Kernel Tuner takes for this name, and a name that tells nothing is made small.
v1::SearchOptions ObjectiveNamed(const std::string& name, std::optional<bool> maximise);

// Makes it the objective of a study of results; where the name tells nothing, a warning of the study says so.
void SetObjective(const std::string& name, std::optional<bool> maximise, v1::Study* study);

}  // namespace tune
