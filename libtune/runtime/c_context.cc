// Contexts of tune.h, and what is remembered.
#include <cmath>
#include <cstring>

#include "libtune/runtime/c_objects.h"

namespace {

using libtune::Guarded;
using libtune::Invalid;
using libtune::Status;

tune_options Defaults() {
  tune_options options = {};
  options.struct_size = sizeof(tune_options);
  options.mode = TUNE_ONLINE;
  options.epsilon = 0.05;
  options.epsilon_decay = 0.1;
  options.most_tries = 1000;
  options.most_inputs = 1024;
  options.drift = 3;
  return options;
}

Status CheckOptions(const tune_options& options) {
  if (options.mode != TUNE_ONLINE && options.mode != TUNE_LOOKUP) return Invalid("the mode is no tune_mode");
  if (options.device != nullptr && *options.device == '\0') return Invalid("the device has no name");
  if (!(options.epsilon >= 0 && options.epsilon <= 1)) return Invalid("epsilon is no probability");
  if (!(options.epsilon_decay >= 0 && options.epsilon_decay < 1))
    return Invalid("epsilon_decay is not in [0, 1)");
  if (options.most_tries < 1 || options.most_inputs < 0) {
    return Invalid("most_tries is at least 1, most_inputs at least 0");
  }
  if (options.drift != 0 && !(std::isfinite(options.drift) && options.drift > 1)) {
    return Invalid("drift is 0 or above 1");
  }
  return {};
}

// What a caller with an older or newer header gave, with defaults for what it does not know.
Status Complete(const tune_options* given, tune_options* options) {
  *options = Defaults();
  if (given == nullptr) return {};
  if (given->struct_size < sizeof(size_t)) return Invalid("struct_size is not set; use tune_options_default");
  if (given->struct_size > sizeof(tune_options)) {
    return Invalid("these options are of a newer tune.h than the library; update the library");
  }
  std::memcpy(options, given, given->struct_size);
  return CheckOptions(*options);
}

Status NoContext() { return Invalid("the context is NULL"); }

}  // namespace

tune_status tune_options_default(tune_options* options, size_t struct_size) {
  return Guarded([&]() -> Status {
    if (options == nullptr || struct_size < sizeof(size_t) || struct_size > sizeof(tune_options)) {
      return Invalid(
          "tune_options_default wants options and sizeof(tune_options), of this library's tune.h or an "
          "older one");
    }
    const tune_options defaults = Defaults();
    std::memcpy(options, &defaults, struct_size);
    options->struct_size = struct_size;
    return {};
  });
}

tune_status tune_context_create(const tune_options* options, tune_context** context) {
  return Guarded([&]() -> Status {
    if (context == nullptr) return Invalid("there is no place for the context");
    tune_options complete;
    if (Status status = Complete(options, &complete); !status.ok()) return status;
    *context = new tune_context(complete);
    return {};
  });
}

void tune_context_destroy(tune_context* context) {
  Guarded([&]() -> Status {
    delete context;
    return {};
  });
}

const char* tune_device(const tune_context* context) {
  return context == nullptr ? "" : context->context.device().c_str();
}

tune_status tune_wisdom_load(tune_context* context, const char* file) {
  return Guarded([&]() -> Status {
    if (context == nullptr || file == nullptr) return Invalid("the context or the file is NULL");
    if (context->context.InForkedChild()) return libtune::InChild();
    return context->context.Load(file);
  });
}

tune_status tune_wisdom_save(tune_context* context, const char* file) {
  return Guarded([&]() -> Status {
    if (context == nullptr) return NoContext();
    if (context->context.InForkedChild()) return libtune::InChild();
    return context->context.Save(file == nullptr ? "" : file, 2);
  });
}

namespace {

// The handle of a region that exists.
tune_region* HandleOf(tune_context* context, libtune::Region* region) {
  const std::lock_guard<std::mutex> lock(context->mutex);
  for (const auto& known : context->regions) {
    if (known->region == region) return known.get();
  }
  context->regions.push_back(std::make_unique<tune_region>(region));
  return context->regions.back().get();
}

template <typename Function>
tune_status WithRegion(tune_context* context, const char* name, tune_region** region, Function function) {
  return Guarded([&]() -> Status {
    if (context == nullptr || name == nullptr || region == nullptr) {
      return Invalid("the context, the name or the place for the region is NULL");
    }
    if (context->context.InForkedChild()) return libtune::InChild();
    libtune::Region* found = nullptr;
    if (Status status = function(&found); !status.ok()) return status;
    *region = HandleOf(context, found);
    return {};
  });
}

}  // namespace

tune_status tune_region_create(tune_context* context, const char* name, tune_region** region) {
  return WithRegion(context, name, region,
                    [&](libtune::Region** found) { return context->context.CreateRegion(name, found); });
}

tune_status tune_region_find(tune_context* context, const char* name, tune_region** region) {
  return WithRegion(context, name, region,
                    [&](libtune::Region** found) { return context->context.FindRegion(name, found); });
}
