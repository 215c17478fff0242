// tune.h for C++11 and later: objects that free themselves, and errors as exceptions. tune.h says what
// everything means.
#ifndef TUNE_HPP
#define TUNE_HPP

#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tune.h"

namespace tune {

class Error : public std::runtime_error {
 public:
  Error(tune_status code, const std::string& text) : std::runtime_error(text), code_(code) {}
  tune_status code() const noexcept { return code_; }

 private:
  tune_status code_;
};

inline void Check(tune_status status) {
  if (status != TUNE_OK)
    throw Error(status, std::string(tune_status_name(status)) + ": " + tune_last_error());
}

inline tune_options DefaultOptions() {
  tune_options options;
  Check(tune_options_default(&options, sizeof(options)));
  return options;
}

// The index of a parameter of a region.
enum class Parameter : int {};

// A computation that goes on. One that is neither ended nor reported, because of an exception for example,
// does not count.
class Call {
 public:
  explicit Call(const tune_call& call) noexcept : call_(call), open_(true) {}
  Call(Call&& other) noexcept : call_(other.call_), open_(other.open_) { other.open_ = false; }
  Call& operator=(Call&&) = delete;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (open_) tune_abandon(&call_);
  }

  double Value(Parameter parameter) const noexcept { return tune_value(&call_, static_cast<int>(parameter)); }
  long Integer(Parameter parameter) const noexcept {
    return tune_integer(&call_, static_cast<int>(parameter));
  }
  bool settled() const noexcept { return call_.settled == 1; }

  void End() { Close(tune_end(&call_)); }
  void Report(double seconds) { Close(tune_report(&call_, seconds)); }
  void Reject() { Close(tune_reject(&call_)); }

 private:
  void Close(tune_status status) {
    open_ = false;
    Check(status);
  }

  tune_call call_;
  bool open_;
};

// As long as its context; copies are the same region.
class Region {
 public:
  explicit Region(tune_region* region) noexcept : region_(region) {}
  tune_region* get() const noexcept { return region_; }

  Parameter Nominal(const std::string& name, std::initializer_list<const char*> choices) {
    int index = -1;
    Check(tune_add_nominal(region_, name.c_str(), choices.begin(), static_cast<int>(choices.size()), &index));
    return static_cast<Parameter>(index);
  }
  Parameter Real(const std::string& name, double low, double high, double initial) {
    int index = -1;
    Check(tune_add_real(region_, name.c_str(), low, high, initial, &index));
    return static_cast<Parameter>(index);
  }
  Parameter Steps(const std::string& name, double low, double high, double step, double initial) {
    int index = -1;
    Check(tune_add_steps(region_, name.c_str(), low, high, step, initial, &index));
    return static_cast<Parameter>(index);
  }
  Parameter Powers(const std::string& name, double low, double high, double base, double initial) {
    int index = -1;
    Check(tune_add_powers(region_, name.c_str(), low, high, base, initial, &index));
    return static_cast<Parameter>(index);
  }
  // `parameter` exists only where `parent` has the choice of index `choice`.
  void Under(Parameter parameter, Parameter parent, int choice) {
    Check(tune_add_condition(region_, static_cast<int>(parameter), static_cast<int>(parent), choice));
  }
  void DescribeArguments(const std::string& text) { Check(tune_describe_arguments(region_, text.c_str())); }
  void Add(const tune_rule& rule) { Check(tune_add_rule(region_, &rule)); }

  // Timed from here to Call::End.
  Call Begin(std::initializer_list<long> inputs) {
    tune_call call;
    Check(tune_begin(region_, inputs.begin(), static_cast<int>(inputs.size()), &call));
    return Call(call);
  }
  // For Call::Report.
  Call Next(std::initializer_list<long> inputs) {
    tune_call call;
    Check(tune_next(region_, inputs.begin(), static_cast<int>(inputs.size()), &call));
    return Call(call);
  }
  // compute(const Call&), timed; when it throws, its time does not count.
  template <typename Compute>
  void Time(std::initializer_list<long> inputs, Compute&& compute) {
    Call call = Begin(inputs);
    compute(static_cast<const Call&>(call));
    call.End();
  }

 private:
  tune_region* region_;
};

class Context {
 public:
  explicit Context(const tune_options& options = DefaultOptions()) : context_(nullptr) {
    Check(tune_context_create(&options, &context_));
  }
  Context(Context&& other) noexcept : context_(other.context_) { other.context_ = nullptr; }
  Context& operator=(Context&& other) noexcept {
    std::swap(context_, other.context_);
    return *this;
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { tune_context_destroy(context_); }
  tune_context* get() const noexcept { return context_; }

  Region CreateRegion(const std::string& name) {
    tune_region* region = nullptr;
    Check(tune_region_create(context_, name.c_str(), &region));
    return Region(region);
  }
  Region FindRegion(const std::string& name) {
    tune_region* region = nullptr;
    Check(tune_region_find(context_, name.c_str(), &region));
    return Region(region);
  }
  std::string device() const { return tune_device(context_); }
  void Load(const std::string& file) { Check(tune_wisdom_load(context_, file.c_str())); }
  void Save() { Check(tune_wisdom_save(context_, nullptr)); }
  void Save(const std::string& file) { Check(tune_wisdom_save(context_, file.c_str())); }

 private:
  tune_context* context_;
};

}  // namespace tune

#endif  // TUNE_HPP
