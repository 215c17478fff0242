#include "client/kernels/reference_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "client/kernels/short_form_text.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

void SetList(absl::string_view text, google::protobuf::RepeatedPtrField<std::string>* list) {
  list->Clear();
  for (std::string& part : SplitOutside(text, ',')) *list->Add() = std::move(part);
}

absl::Status NoSuchPart(absl::string_view part, absl::string_view parts) {
  return absl::InvalidArgumentError(
      absl::StrCat("\"", EscapeLine(part), "\": there is no such part; there are: ", parts));
}

absl::Status ReadPlainKernel(const std::vector<std::string>& parts, v1::PlainKernel* plain) {
  for (size_t i = 1; i < parts.size(); ++i) {
    const absl::StatusOr<NamedText> part = ReadNamedText(parts[i]);
    if (part.ok() && part->name == "file") {
      TUNE_ASSIGN_OR_RETURN(*plain->mutable_file(), ReadPath(part->text));
    } else if (!part.ok() || !SetKernelField(part->name, part->text, plain->mutable_kernel())) {
      return NoSuchPart(parts[i], "file=, block=, grid=, threads=, shared=, takes=, template=");
    }
  }
  return absl::OkStatus();
}

absl::Status ReadHostFunction(const std::vector<std::string>& parts, v1::HostFunction* function) {
  for (size_t i = 1; i < parts.size(); ++i) {
    const absl::StatusOr<NamedText> part = ReadNamedText(parts[i]);
    if (part.ok() && part->name == "file") {
      TUNE_ASSIGN_OR_RETURN(*function->mutable_file(), ReadPath(part->text));
    } else if (part.ok() && part->name == "takes") {
      SetList(part->text, function->mutable_arguments()->mutable_names());
    } else {
      return NoSuchPart(parts[i], "file=, takes=");
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool SetKernelField(absl::string_view word, absl::string_view text, v1::KernelFunction* kernel) {
  if (word == "template") {
    SetList(text, kernel->mutable_template_arguments());
  } else if (word == "block") {
    SetList(text, kernel->mutable_block());
  } else if (word == "grid" || word == "threads") {
    SetList(text, kernel->mutable_grid());
    kernel->set_grid_unit(word == "grid" ? v1::GRID_UNIT_UNSPECIFIED : v1::GRID_UNIT_THREADS);
  } else if (word == "shared") {
    kernel->set_dynamic_shared_bytes(std::string(text));
  } else if (word == "takes") {
    SetList(text, kernel->mutable_arguments()->mutable_names());
  } else {
    return false;
  }
  return true;
}

std::vector<std::pair<std::string, std::string>> KernelFields(const v1::KernelFunction& kernel) {
  std::vector<std::pair<std::string, std::string>> fields;
  const auto add = [&](const char* word, const auto& list) {
    if (!list.empty()) fields.emplace_back(word, absl::StrJoin(list, ", "));
  };
  add("template", kernel.template_arguments());
  add("block", kernel.block());
  add(kernel.grid_unit() == v1::GRID_UNIT_THREADS ? "threads" : "grid", kernel.grid());
  if (!kernel.dynamic_shared_bytes().empty()) fields.emplace_back("shared", kernel.dynamic_shared_bytes());
  if (kernel.has_arguments()) fields.emplace_back("takes", absl::StrJoin(kernel.arguments().names(), ", "));
  return fields;
}

absl::Status ReadReference(absl::string_view text, v1::KernelReference* reference) {
  const std::vector<std::string> parts = SplitOutside(text, ':');
  absl::string_view first = parts.empty() ? "" : absl::string_view(parts[0]);
  if (parts.size() == 1 && first == "default") {
    reference->set_default_configuration(true);
    return absl::OkStatus();
  }
  if (absl::ConsumePrefix(&first, "kernel ")) {
    reference->mutable_plain_kernel()->mutable_kernel()->set_name(
        std::string(absl::StripAsciiWhitespace(first)));
    return ReadPlainKernel(parts, reference->mutable_plain_kernel());
  }
  if (absl::ConsumePrefix(&first, "function ")) {
    reference->mutable_host_function()->set_name(std::string(absl::StripAsciiWhitespace(first)));
    return ReadHostFunction(parts, reference->mutable_host_function());
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", EscapeLine(text), "\": write default, kernel NAME:block=... or function NAME:file=..."));
}

std::string WriteReference(const v1::KernelReference& reference) {
  if (reference.has_plain_kernel()) {
    const v1::PlainKernel& plain = reference.plain_kernel();
    std::string text = absl::StrCat("kernel ", plain.kernel().name());
    if (!plain.file().empty()) absl::StrAppend(&text, ":file=", WritePath(plain.file()));
    for (const auto& [word, field] : KernelFields(plain.kernel()))
      absl::StrAppend(&text, ":", word, "=", field);
    return text;
  }
  if (reference.has_host_function()) {
    const v1::HostFunction& function = reference.host_function();
    std::string text = absl::StrCat("function ", function.name(), ":file=", WritePath(function.file()));
    if (function.has_arguments())
      absl::StrAppend(&text, ":takes=", absl::StrJoin(function.arguments().names(), ", "));
    return text;
  }
  return reference.default_configuration() ? "default" : "";
}

}  // namespace tune
