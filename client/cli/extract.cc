#include <google/protobuf/util/json_util.h>

#include <memory>

#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/cli/safe_output.h"
#include "client/report/units.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

struct ExtractOptions {
  ProgramOptions program;
  std::string output;
  bool force = false;
};

absl::StatusOr<int> RunExtract(Session& session, const ExtractOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const FrontEndRequest request, options.program.Request());
  TUNE_ASSIGN_OR_RETURN(const v1::Extraction extraction, ReadProgram(request));
  const OutputRules rules = {options.program.Inputs(), &extraction.program(), options.force};
  if (!options.output.empty())
    TUNE_RETURN_IF_ERROR(WriteOutputs({{options.output, PrintExtraction(extraction)}}, rules));
  if (session.options.json) {
    google::protobuf::util::JsonPrintOptions print;
    print.add_whitespace = true;
    print.preserve_proto_field_names = true;
    print.always_print_primitive_fields = true;
    v1::Extraction scops = extraction;
    scops.clear_program();
    std::string json;
    const auto printed = google::protobuf::util::MessageToJsonString(scops, &json, print);
    if (!printed.ok()) return absl::InternalError(printed.ToString());
    session.out() << json;
    return kExitOk;
  }
  if (options.output.empty()) {
    for (const v1::Scop& scop : extraction.scops()) session.out() << PrintScop(scop);
  } else {
    session.out() << FormatCount(extraction.scops_size(), "region") << " of " << request.file << " stored in "
                  << options.output << "; submit it with `" << session.Hint("submit " + options.output)
                  << "`.\n";
  }
  return kExitOk;
}

}  // namespace

void AddExtract(CLI::App& app, Session& session) {
  auto options = std::make_shared<ExtractOptions>();
  CLI::App* verb =
      AddVerb(app, session, "extract",
              "Show what the front end makes of a file in C or C++, or store it; needs no server",
              "  tunectl extract gemm.c\n"
              "  tunectl extract gemm.c --output gemm.scop     to submit where no clang is installed\n",
              "scops as in proto/tune/v1/scop.proto, without the program's text");
  options->program.AddTo(*verb);
  verb->add_option("-o,--output", options->output, "Store everything that submit needs in this file")
      ->type_name("FILE");
  verb->add_flag("--force", options->force, kForceHelp);
  verb->callback([&session, options] {
    session.command = [&session, options] { return RunExtract(session, *options); };
  });
}

}  // namespace tune
