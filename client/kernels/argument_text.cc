#include "client/kernels/argument_text.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "client/kernels/short_form_text.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

struct AddressName {
  const char* name;
  v1::TextureAddress address;
};
constexpr AddressName kAddresses[] = {{"clamp", v1::TEXTURE_CLAMP},
                                      {"border", v1::TEXTURE_BORDER},
                                      {"wrap", v1::TEXTURE_WRAP},
                                      {"mirror", v1::TEXTURE_MIRROR}};

struct MethodName {
  const char* name;
  v1::CheckMethod method;
};
constexpr MethodName kMethods[] = {{"norm", v1::CHECK_RELATIVE_NORM},
                                   {"sum", v1::CHECK_SUM_OF_DIFFERENCES},
                                   {"each", v1::CHECK_EACH_DIFFERENCE},
                                   {"relative", v1::CHECK_EACH_RELATIVE},
                                   {"none", v1::CHECK_NONE}};

// A part of a line: `random`, `random=0..1`, or, with no key that is known, a text.
struct Part {
  std::string key, value;
  bool has_value = false;
};

Part SplitPart(const std::string& text) {
  const size_t sign = text.find('=');
  if (sign == std::string::npos || text.substr(sign, 2) == "==") return {text, "", false};
  return {std::string(absl::StripAsciiWhitespace(text.substr(0, sign))),
          std::string(absl::StripAsciiWhitespace(text.substr(sign + 1))), true};
}

absl::Status ReadSeed(const std::string& text, v1::ArgumentFill* fill) {
  uint64_t seed = 0;
  if (!absl::SimpleAtoi(text, &seed))
    return absl::InvalidArgumentError(
        absl::StrCat("seed=", EscapeLine(text), ": write a whole number from 0"));
  fill->mutable_random()->set_seed(seed);
  return absl::OkStatus();
}

void ReadRandom(const Part& part, v1::ArgumentFill* fill) {
  v1::RandomFill& random = *fill->mutable_random();
  if (!part.has_value) return;
  const size_t dots = FindOutside(part.value, "..");
  if (dots != std::string::npos) random.set_low(part.value.substr(0, dots));
  random.set_high(dots == std::string::npos ? part.value : part.value.substr(dots + 2));
}

absl::Status ReadFile(const Part& part, v1::ArgumentFill* fill) {
  TUNE_ASSIGN_OR_RETURN(const std::string path, ReadPath(part.value));
  fill->mutable_file()->set_path(path);
  if (part.key == "hdf5") fill->mutable_file()->set_format(v1::FILE_HDF5);
  return absl::OkStatus();
}

// Whether the part says what there is in an argument.
absl::StatusOr<bool> ReadFill(const Part& part, v1::ArgumentFill* fill) {
  if (part.key == "random") {
    ReadRandom(part, fill);
    return true;
  }
  if (!part.has_value) return false;
  if (part.key == "value") {
    fill->set_constant(part.value);
  } else if (part.key == "seed") {
    TUNE_RETURN_IF_ERROR(ReadSeed(part.value, fill));
  } else if (part.key == "generator") {
    fill->set_generator(part.value);
  } else if (part.key == "file" || part.key == "hdf5") {
    TUNE_RETURN_IF_ERROR(ReadFile(part, fill));
  } else if (part.key == "dataset") {
    TUNE_ASSIGN_OR_RETURN(const std::string dataset, ReadPath(part.value));
    fill->mutable_file()->set_dataset(dataset);
  } else {
    return false;
  }
  return true;
}

bool ReadAccess(const std::string& word, v1::KernelArgument* argument) {
  if (word == "in") {
    argument->set_access(v1::ARGUMENT_READ);
  } else if (word == "out") {
    argument->set_access(v1::ARGUMENT_WRITE);
  } else if (word == "inout") {
    argument->set_access(v1::ARGUMENT_READ_WRITE);
  } else {
    return false;
  }
  return true;
}

bool ReadMemory(const std::string& word, v1::KernelArgument* argument) {
  if (word == "symbol") {
    argument->set_memory(v1::ARGUMENT_SYMBOL);
  } else if (word == "texture") {
    argument->set_memory(v1::ARGUMENT_TEXTURE);
  } else if (word == "local") {
    argument->set_memory(v1::ARGUMENT_LOCAL);
  } else if (word == "linear") {
    argument->mutable_texture()->set_linear(true);
  } else if (word == "normalized") {
    argument->mutable_texture()->set_normalized(true);
  } else {
    return false;
  }
  return true;
}

absl::Status ReadAddress(const std::string& word, v1::KernelArgument* argument) {
  for (const AddressName& address : kAddresses) {
    if (word != address.name) continue;
    argument->mutable_texture()->set_address(address.address);
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("address=", EscapeLine(word), ": there are: clamp, border, wrap, mirror"));
}

absl::StatusOr<bool> ReadNamedPart(const Part& part, v1::KernelArgument* argument) {
  if (part.key == "copy-to") {
    argument->set_copied_to_symbol(part.value);
  } else if (part.key == "bytes") {
    int bytes = 0;
    if (!absl::SimpleAtoi(part.value, &bytes))
      return absl::InvalidArgumentError(
          absl::StrCat("bytes=", EscapeLine(part.value), ": write a whole number"));
    argument->set_custom_bytes(bytes);
  } else if (part.key == "extents") {
    for (const std::string& extent : SplitOutside(part.value, ','))
      argument->mutable_texture()->add_extents(extent);
  } else if (part.key == "address") {
    TUNE_RETURN_IF_ERROR(ReadAddress(part.value, argument));
  } else {
    return false;
  }
  return true;
}

absl::Status ReadPart(const std::string& text, v1::KernelArgument* argument) {
  const Part part = SplitPart(text);
  TUNE_ASSIGN_OR_RETURN(bool known, ReadFill(part, argument->mutable_fill()));
  if (known) return absl::OkStatus();
  if (!part.has_value && (ReadAccess(part.key, argument) || ReadMemory(part.key, argument)))
    return absl::OkStatus();
  if (part.has_value) {
    TUNE_ASSIGN_OR_RETURN(known, ReadNamedPart(part, argument));
    if (known) return absl::OkStatus();
  }
  if (part.has_value && IsCIdentifier(part.key)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", EscapeLine(text),
        "\": there is no such part; there are: value, random, seed, generator, file, hdf5, dataset, in, "
        "out, inout, symbol, texture, local, copy-to, bytes, extents, linear, normalized, address"));
  }
  argument->mutable_fill()->set_constant(text);
  return absl::OkStatus();
}

absl::Status ReadType(const std::string& text, v1::KernelArgument* argument) {
  const size_t bracket = text.find('[');
  TUNE_ASSIGN_OR_RETURN(const ElementForm form, ParseElementType(text.substr(0, bracket)));
  argument->set_type(form.type);
  if (form.lanes > 1) argument->set_lanes(form.lanes);
  if (bracket == std::string::npos) return absl::OkStatus();
  if (text.back() != ']' || bracket + 2 == text.size())
    return absl::InvalidArgumentError(
        absl::StrCat("\"", EscapeLine(text), "\": write TYPE[COUNT], such as float[n * n]"));
  argument->set_count(
      std::string(absl::StripAsciiWhitespace(text.substr(bracket + 1, text.size() - bracket - 2))));
  return absl::OkStatus();
}

std::string WriteRandom(const v1::RandomFill& random) {
  std::string text = ":random";
  if (!random.low().empty() || !random.high().empty()) {
    absl::StrAppend(&text, "=", random.low().empty() ? "" : absl::StrCat(random.low(), ".."),
                    random.high().empty() ? "1" : random.high());
  }
  if (random.seed() != 0) absl::StrAppend(&text, ":seed=", random.seed());
  return text;
}

std::string WriteFill(const v1::ArgumentFill& fill) {
  switch (fill.fill_case()) {
    case v1::ArgumentFill::kConstant:
      return absl::StrCat(":value=", fill.constant());
    case v1::ArgumentFill::kRandom:
      return WriteRandom(fill.random());
    case v1::ArgumentFill::kGenerator:
      return absl::StrCat(":generator=", fill.generator());
    case v1::ArgumentFill::kFile:
      return absl::StrCat(fill.file().format() == v1::FILE_HDF5 ? ":hdf5=" : ":file=",
                          WritePath(fill.file().path()), fill.file().dataset().empty() ? "" : ":dataset=",
                          fill.file().dataset().empty() ? "" : WritePath(fill.file().dataset()));
    case v1::ArgumentFill::FILL_NOT_SET:
      return "";
  }
  return "";
}

std::string WriteAccess(v1::ArgumentAccess access) {
  return access == v1::ARGUMENT_READ         ? ":in"
         : access == v1::ARGUMENT_WRITE      ? ":out"
         : access == v1::ARGUMENT_READ_WRITE ? ":inout"
                                             : "";
}

std::string WriteTexture(const v1::Texture& texture) {
  std::string text;
  if (!texture.extents().empty()) absl::StrAppend(&text, ":extents=", absl::StrJoin(texture.extents(), ","));
  if (texture.linear()) absl::StrAppend(&text, ":linear");
  if (texture.normalized()) absl::StrAppend(&text, ":normalized");
  for (const AddressName& address : kAddresses) {
    if (address.address == texture.address()) absl::StrAppend(&text, ":address=", address.name);
  }
  return text;
}

}  // namespace

absl::StatusOr<v1::KernelArgument> ReadArgument(absl::string_view text) {
  const std::vector<std::string> parts = SplitOutside(text, ':');
  if (parts.size() < 2 || parts[0].empty() || parts[1].empty())
    return absl::InvalidArgumentError(
        absl::StrCat("write ", kArgumentForm, ", such as in:float[n * n]:random"));
  v1::KernelArgument argument;
  argument.set_name(parts[0]);
  TUNE_RETURN_IF_ERROR(Annotate(ReadType(parts[1], &argument), parts[0]));
  for (size_t i = 2; i < parts.size(); ++i)
    TUNE_RETURN_IF_ERROR(Annotate(ReadPart(parts[i], &argument), parts[0]));
  if (argument.fill().fill_case() == v1::ArgumentFill::FILL_NOT_SET) argument.clear_fill();
  return argument;
}

std::string WriteArgument(const v1::KernelArgument& argument) {
  std::string text = absl::StrCat(argument.name(), ":", ElementName(FormOf(argument)));
  if (!argument.count().empty()) absl::StrAppend(&text, "[", argument.count(), "]");
  if (argument.custom_bytes() != 0) absl::StrAppend(&text, ":bytes=", argument.custom_bytes());
  const v1::ArgumentMemory memory = argument.memory();
  absl::StrAppend(&text, memory == v1::ARGUMENT_SYMBOL    ? ":symbol"
                         : memory == v1::ARGUMENT_TEXTURE ? ":texture"
                         : memory == v1::ARGUMENT_LOCAL   ? ":local"
                                                          : "");
  absl::StrAppend(&text, WriteTexture(argument.texture()), WriteAccess(argument.access()));
  if (!argument.copied_to_symbol().empty()) absl::StrAppend(&text, ":copy-to=", argument.copied_to_symbol());
  return text + WriteFill(argument.fill());
}

absl::StatusOr<v1::OutputCheck> ReadOutputCheck(absl::string_view text) {
  const std::vector<std::string> parts = SplitOutside(text, ':');
  if (parts.empty() || parts[0].empty())
    return absl::InvalidArgumentError("write OUTPUT:METHOD=THRESHOLD, such as out:each=0.001");
  v1::OutputCheck check;
  check.set_argument(parts[0]);
  for (size_t i = 1; i < parts.size(); ++i) {
    const Part part = SplitPart(parts[i]);
    const auto method = std::find_if(std::begin(kMethods), std::end(kMethods),
                                     [&](const MethodName& m) { return part.key == m.name; });
    if (method != std::end(kMethods)) {
      double threshold = 0;
      check.set_method(method->method);
      if (!part.has_value) continue;
      if (!absl::SimpleAtod(part.value, &threshold))
        return absl::InvalidArgumentError(
            absl::StrCat(parts[0], ": \"", EscapeLine(part.value), "\" is no threshold"));
      check.set_threshold(threshold);
      continue;
    }
    const absl::StatusOr<bool> known = ReadFill(part, check.mutable_expected());
    if (!known.ok()) return Annotate(known.status(), parts[0]);
    if (*known) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        parts[0], ": \"", EscapeLine(parts[i]),
        "\": there is no such method; there are: norm, sum, each, relative, none; expected values are "
        "value=, generator=, file=, hdf5="));
  }
  return check;
}

std::string WriteOutputCheck(const v1::OutputCheck& check) {
  std::string text = check.argument();
  for (const MethodName& method : kMethods) {
    const bool is_default = check.method() == v1::CHECK_METHOD_UNSPECIFIED && check.has_threshold();
    if (method.method != (is_default ? v1::CHECK_RELATIVE_NORM : check.method())) continue;
    absl::StrAppend(&text, ":", method.name);
    if (check.has_threshold()) absl::StrAppend(&text, "=", PrintValue(Value::Float(check.threshold())));
  }
  return text + WriteFill(check.expected());
}

}  // namespace tune
