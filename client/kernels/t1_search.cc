#include <cmath>

#include "client/kernels/t1_space.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

void ReadName(T1Object* search, v1::KernelSearch* wanted) {
  search->Require("Name");
  const std::optional<std::string> name = search->Text("Name");
  if (!name.has_value()) return;
  if (*name == "Random" || *name == "random" || *name == "random_sample") {
    wanted->set_strategy("random");
  } else if (*name == "ants") {
    wanted->set_strategy(*name);
  } else {
    search->Note("Name",
                 absl::StrCat("\"", EscapeLine(*name),
                              "\" is not taken: there are the strategies ants, which is the default, and "
                              "random"));
  }
}

void ReadBudget(T1Object* budget, v1::KernelSearch* wanted) {
  for (const char* field : {"Type", "BudgetValue"}) budget->Require(field);
  const std::optional<std::string> type =
      budget->Word("Type", {"TuningDuration", "ConfigurationCount", "ConfigurationFraction"});
  const std::optional<double> value = budget->Number("BudgetValue");
  budget->NoteOthers();
  if (!type.has_value() || !value.has_value()) return;
  if (!(*value > 0) || !std::isfinite(*value)) return budget->Fault("BudgetValue", "is no number above 0");
  if (*type == "TuningDuration") {
    wanted->set_seconds(*value);
  } else if (*type == "ConfigurationFraction") {
    if (*value > 1) return budget->Fault("BudgetValue", "a fraction is at most 1");
    wanted->set_fraction(*value);
  } else if (*value != std::floor(*value) || *value > 1e15) {
    budget->Fault("BudgetValue", "is no whole number of configurations");
  } else {
    wanted->set_evaluations(static_cast<int64_t>(*value));
  }
}

void ReadGeneral(T1Object* general) {
  const std::optional<int64_t> version = general->Integer("FormatVersion");
  if (version.has_value() && *version != 1)
    general->Note("FormatVersion", absl::StrCat(*version, ": the file is read as version 1"));
  if (general->Word("LoggingLevel", {"Off", "Error", "Warning", "Info", "Debug"}).has_value())
    general->Note("LoggingLevel", "is not taken");
  if (general->Word("TimeUnit", {"Nanoseconds", "Microseconds", "Milliseconds", "Seconds"}).has_value())
    general->Note("TimeUnit", "is not taken: results say their unit");
  if (general->Text("OutputFile").has_value())
    general->Note("OutputFile", "is not taken: `tunectl export --format t4` writes results");
  if (general->Word("OutputFormat", {"JSON", "XML"}) == "XML")
    general->Note("OutputFormat", "XML is not taken: results are written as JSON");
  (void)general->Find("BenchmarkName");
  general->NoteOthers();
}

}  // namespace

void ReadT1Search(T1Object* file, v1::KernelDefinition* definition, T1Report* report) {
  if (const Json* const found = file->Find("Search"); found != nullptr) {
    T1Object search(*found, "Search", report);
    ReadName(&search, definition->mutable_search());
    for (T1Object& attribute : search.Objects("Attributes")) {
      for (const char* field : {"Name", "Value"}) attribute.Require(field);
      (void)attribute.Find("Value");
      if (const std::optional<std::string> name = attribute.Text("Name"); name.has_value())
        attribute.Note("Name", absl::StrCat("\"", EscapeLine(*name), "\" is not taken"));
      attribute.NoteOthers();
    }
    search.NoteOthers();
  }
  for (T1Object& budget : file->Objects("Budget")) ReadBudget(&budget, definition->mutable_search());
  if (const Json* const found = file->Find("General"); found != nullptr) {
    T1Object general(*found, "General", report);
    ReadGeneral(&general);
  }
}

}  // namespace tune
