// tune-extract: reads C files, writes the scops in them as a v1::Extraction. A program of its own, so that
// only it needs clang.
#include <google/protobuf/text_format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "client/extract/scop_extractor.h"
#include "client/extract/source/diagnostic.h"
#include "common/base/file.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

struct Options {
  ExtractionRequest request;
  std::string output;                  // file; empty: standard output
  std::string input_file;              // for the program's standard input
  std::vector<std::string> constants;  // "NAME=N"
  bool text = false;
  bool print = false;
  bool regions = false;
};

void Declare(CLI::App& app, Options* options) {
  ExtractionRequest& request = options->request;
  auto list = [&app](const char* name, std::vector<std::string>& values, const char* help) {
    app.add_option(name, values, help)->allow_extra_args(false);
  };
  app.add_option("file", request.file, "C file with `#pragma scop` regions")->required();
  list("-I", request.include_directories, "folder of headers, searched in the order given");
  list("-D", request.defines, "macro, NAME or NAME=VALUE");
  list("--with", request.with, "further C file of the program");
  list("--cflag", request.compile_flags, "flag for the host compiler; none: its default, -O3 -march=native");
  list("--ldflag", request.link_flags, "flag for the linker, as -lm");
  list("--arg", request.arguments, "argument of the program");
  list("--fix", request.fixed,
       "parameter that is taken for the constant to which the file sets it, if it has one: the region "
       "requires "
       "this value");
  list("--constant", options->constants,
       "NAME=N: parameter that is taken for this value: the region requires it");
  app.add_option("--stdin", options->input_file, "file that the program reads from its standard input");
  app.add_option("--function", request.function,
                 "the regions are the loops of this function, without pragmas");
  app.add_option("--output", options->output, "file to write to, instead of standard output");
  CLI::Option* text =
      app.add_flag("--text", options->text, "write protobuf text format, to be read and stored");
  CLI::Option* print = app.add_flag("--print", options->print, "write the scops for people")->excludes(text);
  app.add_flag("--regions", options->regions,
               "write what could be regions, pragmas or not, as a v1::LoopNests")
      ->excludes(text)
      ->excludes(print);
}

std::string Encode(const Options& options, const v1::Extraction& extraction) {
  std::string encoded;
  if (options.print) {
    for (const v1::Scop& scop : extraction.scops()) encoded += PrintScop(scop);
  } else if (options.text) {
    google::protobuf::TextFormat::PrintToString(extraction, &encoded);
  } else {
    extraction.SerializeToString(&encoded);
  }
  return encoded;
}

// The input that --output names, by whatever path or link; empty: none.
std::string OverwrittenInput(const Options& options) {
  std::vector<std::string> inputs = options.request.with;
  inputs.insert(inputs.end(), {options.request.file, options.input_file});
  for (const std::string& input : inputs) {
    std::error_code error;
    if (std::filesystem::equivalent(input, options.output, error) && !error) return input;
  }
  return "";
}

// As Run.
int Finish(const Options& options, const std::string& encoded,
           const google::protobuf::RepeatedPtrField<v1::Diagnostic>& diagnostics) {
  for (const v1::Diagnostic& diagnostic : diagnostics) std::cerr << RenderDiagnostic(diagnostic);
  if (!options.output.empty()) {
    if (absl::Status status = WriteFile(options.output, encoded); !status.ok()) {
      std::cerr << "tune-extract: --output: " << status.message() << "\n";
      return 2;
    }
  } else if (!(std::cout << encoded << std::flush)) {
    std::cerr << "tune-extract: standard output cannot be written\n";
    return 2;
  }
  return diagnostics.empty() ? 0 : 1;
}

// False where one is not NAME=N, with a name once; that was said.
bool ReadConstants(const std::vector<std::string>& texts, std::map<std::string, int64_t>* constants) {
  for (const std::string& text : texts) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    int64_t value = 0;
    if (parts.first.empty() || !absl::SimpleAtoi(parts.second, &value) ||
        !constants->emplace(parts.first, value).second) {
      std::cerr << "tune-extract: --constant " << text << ": write NAME=INTEGER, each name once\n";
      return false;
    }
  }
  return true;
}

// 0: written; 1: something was refused; 2: wrong usage, or the output cannot be written.
int Run(Options options) {
  if (!options.input_file.empty()) {
    absl::StatusOr<std::string> input = ReadFile(options.input_file);
    if (!input.ok()) {
      std::cerr << "tune-extract: --stdin: " << input.status().message() << "\n";
      return 2;
    }
    options.request.standard_input = *std::move(input);
  }
  if (!ReadConstants(options.constants, &options.request.constants)) return 2;
  if (const std::string input = OverwrittenInput(options); !input.empty()) {
    std::cerr << "tune-extract: --output " << options.output << ": is " << input << ", which is read\n";
    return 2;
  }
  if (options.regions) {
    const v1::LoopNests nests = FindLoopNests(options.request);
    return Finish(options, nests.SerializeAsString(), nests.diagnostics());
  }
  const v1::Extraction extraction = ExtractScops(options.request);
  return Finish(options, Encode(options, extraction), extraction.diagnostics());
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  CLI::App app("Extracts the static control parts of a C program");
  app.name("tune-extract");
  tune::Options options;
  tune::Declare(app, &options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return tune::Run(std::move(options));
}
