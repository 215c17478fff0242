// The part of a file that tunes itself which compares what the device computes with what the original does.
// Words in capitals are replaced.
#pragma once

namespace tune {

// Before what takes the region's place.
constexpr char kOnlineCheck[] = R"(
// Results agree where the error's Euclidean norm is below so much of the original's, array by array; integers where they
// are equal. Others where the build says so.
#ifndef PREFIX_FLOAT_TOLERANCE
#define PREFIX_FLOAT_TOLERANCE 1e-3
#endif
#ifndef PREFIX_DOUBLE_TOLERANCE
#define PREFIX_DOUBLE_TOLERANCE 1e-8
#endif

namespace {

// Of elements, or the parts of complex ones: 'f' float, 'd' double, 'i' all else.
const char kKind[] = {KINDS};

template <typename Number>
bool Near(const Number *found, const Number *expected, size_t count, double *error, double *norm) {
  for (size_t i = 0; i < count; ++i) {
    if (found[i] == expected[i] || (found[i] != found[i] && expected[i] != expected[i])) {
      if (std::isfinite(expected[i])) *norm += double(expected[i]) * double(expected[i]);
      continue;
    }
    if (!std::isfinite(found[i]) || !std::isfinite(expected[i])) return false;
    const double difference = double(found[i]) - double(expected[i]);
    *error += difference * difference;
    *norm += double(expected[i]) * double(expected[i]);
  }
  return true;
}

// Calls visit(offset, count) for the elements of each row of the box, offset in bytes; false as soon as one says so.
template <typename Visit>
bool ForEachRow(Box box, size_t element, const Visit &visit) {
  if (box.dimensions == 0) return visit(size_t(0), size_t(1));
  for (int i = 0; i < box.dimensions; ++i) {
    if (box.first[i] < 0) box.first[i] = 0;
    if (box.last[i] >= box.extent[i]) box.last[i] = box.extent[i] - 1;
    if (box.first[i] > box.last[i]) return true;
  }
  const int row = box.dimensions - 1;
  long long place[kDimensions] = {};
  for (int i = 0; i < box.dimensions; ++i) place[i] = box.first[i];
  for (;;) {
    size_t offset = 0;
    for (int i = 0; i < box.dimensions; ++i) offset = offset * box.extent[i] + place[i];
    if (!visit(offset * element, size_t(box.last[row] - box.first[row] + 1))) return false;
    int next = row - 1;
    while (next >= 0 && place[next] == box.last[next]) {
      place[next] = box.first[next];
      --next;
    }
    if (next < 0) return true;
    ++place[next];
  }
}

// What the device computed, beside the program's arrays until the original has done the same.
struct Results {
  void *arrays[kArrays] = {};

  Results() = default;
  Results(const Results &) = delete;
  Results &operator=(const Results &) = delete;
  ~Results() { Clear(); }

  void Clear() {
    for (void *&array : arrays) {
      free(array);
      array = 0;
    }
  }

  // False where there is no memory.
  bool Reserve(const long long *sizes) {
    Clear();
    for (int i = 0; i < kArrays; ++i) {
      const size_t bytes = kWritten[i] ? BytesOf(i, UsedBox(i, sizes)) : 0;
      if (bytes == 0) continue;
      arrays[i] = malloc(bytes);
      if (arrays[i] == 0) {
        Clear();
        return false;
      }
    }
    return true;
  }

  // Whether the original's results are the same, in what the region writes.
  bool Agree(void *const *expected, const long long *sizes) const {
    for (int i = 0; i < kArrays; ++i) {
      if (arrays[i] != 0 && !AgreesArray(i, (const char *)expected[i], WrittenBox(i, sizes))) return false;
    }
    return true;
  }

 private:
  bool AgreesArray(int array, const char *expected, const Box &box) const {
    const char *const found = (const char *)arrays[array];
    double error = 0, norm = 0;
    return ForEachRow(box, kElement[array],
                      [&](size_t offset, size_t count) {
                        return AgreeRow(array, found + offset, expected + offset, count, &error, &norm);
                      }) &&
           IsSmall(array, error, norm);
  }

  static bool AgreeRow(int array, const char *found, const char *expected, size_t count, double *error, double *norm) {
    const size_t bytes = count * kElement[array];
    if (kKind[array] == 'f')
      return Near((const float *)found, (const float *)expected, bytes / sizeof(float), error, norm);
    if (kKind[array] == 'd')
      return Near((const double *)found, (const double *)expected, bytes / sizeof(double), error, norm);
    return memcmp(found, expected, bytes) == 0;
  }

  static bool IsSmall(int array, double error, double norm) {
    const double tolerance = kKind[array] == 'f' ? PREFIX_FLOAT_TOLERANCE : PREFIX_DOUBLE_TOLERANCE;
    return error <= tolerance * tolerance * norm;
  }
};

// Configurations whose results agreed in this process, with the inputs that they did so at.
class Vetted {
 public:
  bool Has(const std::vector<long> &key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return keys_.count(key) > 0;
  }
  void Add(const std::vector<long> &key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    keys_.insert(key);
  }

 private:
  std::mutex mutex_;
  std::set<std::vector<long>> keys_;
};

}  // namespace
)";

}  // namespace tune
