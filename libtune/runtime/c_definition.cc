// What a program says of a region before its first call: parameters, hierarchy, variants, rules.
#include <cmath>
#include <cstring>

#include "libtune/runtime/c_objects.h"

namespace {

using libtune::Guarded;
using libtune::Invalid;
using libtune::RegionDefinition;
using libtune::Status;

// `function` changes the definition, which is refused after the region's first call.
template <typename Function>
tune_status Defining(tune_region* region, Function function) {
  return Guarded([&]() -> Status {
    if (region == nullptr) return Invalid("the region is NULL");
    if (region->region->context()->InForkedChild()) return libtune::InChild();
    RegionDefinition* definition = region->region->Define();
    if (definition == nullptr) {
      return libtune::WrongState("region " + region->region->definition().name +
                                 " was called already; define it before its first call");
    }
    Status status = function(definition);
    return status.ok() ? status : Status(status.code(), "region " + definition->name + ": " + status.text());
  });
}

Status Added(RegionDefinition* definition, const Status& status, int* parameter) {
  if (!status.ok()) return status;
  definition->defaults = definition->space.Defaults();
  if (parameter != nullptr) *parameter = definition->space.size() - 1;
  return {};
}

std::string Text(const char* text) { return text == nullptr ? std::string() : std::string(text); }

std::vector<libtune::Term> TermsOf(const tune_metric& metric) {
  std::vector<libtune::Term> terms;
  for (int i = 0; i < metric.count; ++i) {
    libtune::Term term = {metric.terms[i].coefficient, {}};
    for (int j = 0; j < metric.terms[i].count; ++j) {
      const tune_factor& factor = metric.terms[i].factors[j];
      term.factors.push_back({factor.is_input != 0, factor.index, factor.exponent});
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

Status ReadMetric(const tune_metric& given, libtune::Metric* metric) {
  if (given.function != nullptr) {
    *metric = libtune::Metric(given.function, given.user);
    return {};
  }
  if (given.count < 0 || (given.count > 0 && given.terms == nullptr))
    return Invalid("a rule's metric has no terms");
  for (int i = 0; i < given.count; ++i) {
    const tune_term& term = given.terms[i];
    if (term.count < 0 || (term.count > 0 && term.factors == nullptr) || !std::isfinite(term.coefficient)) {
      return Invalid("a term of a rule's metric has no factors, or no coefficient");
    }
  }
  *metric = libtune::Metric(TermsOf(given));
  return {};
}

Status ReadLinear(const RegionDefinition& definition, const tune_rule& given, std::vector<int>* linear) {
  if (given.linear_count < 0 || static_cast<size_t>(given.linear_count) > libtune::kMostLinear ||
      (given.linear_count > 0 && given.linear == nullptr)) {
    return Invalid("a rule has " + std::to_string(given.linear_count) + " linear parameters; 0 to " +
                   std::to_string(libtune::kMostLinear) + " are accepted");
  }
  for (int i = 0; i < given.linear_count; ++i) {
    const int parameter = given.linear[i];
    if (parameter < 0 || parameter >= definition.space.size() || definition.space.at(parameter).nominal()) {
      return Invalid("a rule's linear parameters are numeric; " + std::to_string(parameter) +
                     " is none of those");
    }
    linear->push_back(parameter);
  }
  return {};
}

Status AddRule(RegionDefinition* definition, const tune_rule& given) {
  if (given.kind < TUNE_MIN_COMPUTE || given.kind > TUNE_MIN_REUSE)
    return Invalid("a rule's kind is no tune_rule_kind");
  if (Status status = definition->space.CheckChoice(given.parameter, given.choice); !status.ok())
    return status;
  if (std::isnan(given.threshold)) return Invalid("a rule's threshold is not a number");
  libtune::FeedbackRule rule = {
      static_cast<tune_rule_kind>(given.kind), given.parameter, given.choice, given.threshold, {}, {}, {}};
  if (Status status = ReadMetric(given.first, &rule.first); !status.ok()) return status;
  if (Status status = ReadMetric(given.second, &rule.second); !status.ok()) return status;
  if (Status status = ReadLinear(*definition, given, &rule.linear); !status.ok()) return status;
  definition->rules.push_back(std::move(rule));
  return {};
}

}  // namespace

tune_status tune_describe_arguments(tune_region* region, const char* text) {
  return Defining(region, [&](RegionDefinition* definition) -> Status {
    definition->arguments = Text(text);
    return {};
  });
}

tune_status tune_add_nominal(tune_region* region, const char* name, const char* const* choices, int count,
                             int* parameter) {
  return Defining(region, [&](RegionDefinition* definition) {
    std::vector<std::string> names;
    for (int i = 0; choices != nullptr && i < count && i <= libtune::kMostChoices; ++i)
      names.push_back(Text(choices[i]));
    return Added(definition, definition->space.AddNominal(Text(name), std::move(names)), parameter);
  });
}

tune_status tune_add_real(tune_region* region, const char* name, double low, double high, double initial,
                          int* parameter) {
  return Defining(region, [&](RegionDefinition* definition) {
    return Added(definition, definition->space.AddReal(Text(name), low, high, initial), parameter);
  });
}

tune_status tune_add_steps(tune_region* region, const char* name, double low, double high, double step,
                           double initial, int* parameter) {
  return Defining(region, [&](RegionDefinition* definition) {
    return Added(definition, definition->space.AddSteps(Text(name), low, high, step, initial), parameter);
  });
}

tune_status tune_add_powers(tune_region* region, const char* name, double low, double high, double base,
                            double initial, int* parameter) {
  return Defining(region, [&](RegionDefinition* definition) {
    return Added(definition, definition->space.AddPowers(Text(name), low, high, base, initial), parameter);
  });
}

tune_status tune_add_condition(tune_region* region, int parameter, int parent, int choice) {
  return Defining(region, [&](RegionDefinition* definition) {
    return definition->space.AddCondition(parameter, parent, choice);
  });
}

tune_status tune_add_variants(tune_region* region, const char* name, const tune_variant* variants, int count,
                              int* parameter) {
  return Defining(region, [&](RegionDefinition* definition) -> Status {
    if (definition->variant_parameter.has_value())
      return libtune::WrongState("the region has variants already");
    std::vector<std::string> names;
    std::vector<tune_function> functions;
    for (int i = 0; variants != nullptr && i < count && i <= libtune::kMostChoices; ++i) {
      if (variants[i].function == nullptr)
        return Invalid("the function of variant " + std::to_string(i) + " is NULL");
      names.push_back(Text(variants[i].name));
      functions.push_back(variants[i].function);
    }
    Status status = Added(definition, definition->space.AddNominal(Text(name), std::move(names)), parameter);
    if (!status.ok()) return status;
    definition->variant_parameter = definition->space.size() - 1;
    definition->variants = std::move(functions);
    return {};
  });
}

tune_status tune_add_rule(tune_region* region, const tune_rule* rule) {
  return Defining(region, [&](RegionDefinition* definition) -> Status {
    if (rule == nullptr || rule->struct_size != sizeof(tune_rule)) {
      return Invalid("the rule is NULL, or its struct_size is not sizeof(tune_rule)");
    }
    return AddRule(definition, *rule);
  });
}

tune_status tune_set_check(tune_region* region, const tune_check* check) {
  return Defining(region, [&](RegionDefinition*) -> Status {
    if (check == nullptr) {
      region->runner.SetCheck(std::nullopt);
      return {};
    }
    if (check->struct_size != sizeof(tune_check) || check->save == nullptr || check->restore == nullptr ||
        check->release == nullptr || check->agree == nullptr) {
      return Invalid("a check needs struct_size and its four functions");
    }
    region->runner.SetCheck(*check);
    return {};
  });
}

tune_status tune_set_probe(tune_region* region, double seconds) {
  return Defining(region, [&](RegionDefinition*) -> Status {
    if (!(seconds >= 0)) return Invalid("the limit of a probe is a number of seconds, or 0");
    region->runner.SetProbe(seconds);
    return {};
  });
}
