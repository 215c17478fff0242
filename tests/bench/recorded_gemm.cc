#include "tests/bench/recorded_gemm.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace libtune {
namespace {

void Expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

}  // namespace

RecordedGemm::RecordedGemm(const std::string& file) {
  Read(file);
  Define();
}

void RecordedGemm::Read(const std::string& file) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (const size_t place = line.rfind("n = "); place != std::string::npos) {
      size_ = std::atol(line.c_str() + place + 4);
      continue;
    }
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    std::array<int, 5> variant{};
    const int count = kind == "gpu" ? 5 : kind == "cpu" ? 1 : 0;
    for (int i = 0; i < count; ++i) words >> variant[i];
    Grid grid{};
    for (double& seconds : grid) {
      words >> seconds;
      seconds *= 1e-6;
    }
    Expect(!words.fail(), file + ": not a line of record_gemm_variants: " + line);
    if (kind == "copies") copies_ = grid;
    if (kind == "cpu") host_[variant[0]] = grid;
    if (kind == "gpu") gpu_[variant] = grid;
  }
  Expect(size_ > 0 && gpu_.size() == 288 && !host_.empty(),
         file + ": no complete output of record_gemm_variants");
}

void RecordedGemm::Define() {
  const auto add = [&](const Status& status) {
    Expect(status.ok(), status.text());
    return space_.size() - 1;
  };
  for (int i = 0; i < kParts; ++i)
    parts_[i].platform = add(space_.AddNominal("P" + std::to_string(i), {"cpu", "gpu"}));
  row_split_ = add(space_.AddReal("R0", 0.05, 0.95, 0.5));
  column_split_ = add(space_.AddReal("R1", 0.05, 0.95, 0.5));
  const double most_threads = host_.rbegin()->first;
  for (int i = 0; i < kParts; ++i) {
    Part& part = parts_[i];
    const std::string index = std::to_string(i);
    part.threads = add(space_.AddSteps("TCPU" + index, 1, most_threads, 1, 1));
    part.points = add(space_.AddSteps("TGPU" + index, 32, 256, 32, 32));
    part.shared = add(space_.AddNominal("S" + index, {"no", "yes"}));
    part.unroll_points = add(space_.AddNominal("UT" + index, {"no", "yes"}));
    part.unroll_copies = add(space_.AddNominal("US" + index, {"no", "yes"}));
    part.height = add(space_.AddPowers("B" + index, 1, 32, 2, 1));
    Expect(space_.AddCondition(part.threads, part.platform, 0).ok(), "threads");
    for (const int of_gpu : {part.points, part.shared, part.unroll_points, part.height}) {
      Expect(space_.AddCondition(of_gpu, part.platform, 1).ok(), "GPU");
    }
    Expect(space_.AddCondition(part.unroll_copies, part.shared, 1).ok(), "shared memory");
  }
}

double RecordedGemm::At(const Grid& grid, double rows, double columns) {
  // What has no rows takes no time.
  const auto corner = [&](int row, int column) {
    return row == 0 || column == 0 ? 0 : grid[(row - 1) * 4 + column - 1];
  };
  const int row = std::min(static_cast<int>(rows * 4), 3);
  const int column = std::min(static_cast<int>(columns * 4), 3);
  const double down = rows * 4 - row;
  const double along = columns * 4 - column;
  return (1 - down) * ((1 - along) * corner(row, column) + along * corner(row, column + 1)) +
         down * ((1 - along) * corner(row + 1, column) + along * corner(row + 1, column + 1));
}

double RecordedGemm::PartSeconds(const Values& values, const Part& part, double rows, double columns) const {
  const auto number = [&](int parameter) { return static_cast<int>(std::lround(values[parameter])); };
  if (number(part.platform) == 0) return At(host_.at(number(part.threads)), rows, columns);
  const int shared = number(part.shared);
  const std::array<int, 5> variant = {number(part.points), number(part.height), shared,
                                      number(part.unroll_points), shared * number(part.unroll_copies)};
  return At(copies_, rows, columns) + At(gpu_.at(variant), rows, columns);
}

double RecordedGemm::Seconds(const Values& values) const {
  double platforms[2] = {0, 0};
  for (int i = 0; i < kParts; ++i) {
    const double rows = i < 2 ? values[row_split_] : 1 - values[row_split_];
    const double columns = i % 2 == 0 ? values[column_split_] : 1 - values[column_split_];
    platforms[values[parts_[i].platform] == 0 ? 0 : 1] += PartSeconds(values, parts_[i], rows, columns);
  }
  return std::max(platforms[0], platforms[1]);
}

Values RecordedGemm::PollyAcc() const {
  Values values = space_.Defaults();
  for (const Part& part : parts_) values[part.platform] = 1;
  return values;
}

}  // namespace libtune
