#include <memory>

#include "absl/strings/str_join.h"
#include "client/cli/build_text.h"
#include "client/cli/commands.h"
#include "client/cli/program_options.h"
#include "client/cli/tuned_kernels.h"
#include "client/cli/tuned_output.h"
#include "client/report/json.h"
#include "client/submit/shell_words.h"

namespace tune {
namespace {

struct FetchOptions {
  std::vector<std::string> studies;
  std::string output;
  bool force = false, one_size = false;
};

// One text, or a list where there are several.
Json DeviceTexts(const TunedOutput& tuned) {
  if (tuned.device_files.empty()) return Json();
  if (tuned.device_files.size() == 1) return tuned.device_files[0].text;
  Json texts = Json::array();
  for (const DeviceFile& file : tuned.device_files) texts.push_back(file.text);
  return texts;
}

Json AsJson(const FetchOptions& options, const TunedOutput& tuned, bool to_file) {
  Json json = {{"studies", options.studies}, {"file", to_file ? Json(options.output) : Json()}};
  json["not_faster"] = tuned.not_faster;
  json["doubts"] = tuned.doubts;
  if (!to_file) {
    json["text"] = tuned.text;
    json["device_text"] = DeviceTexts(tuned);
    if (!tuned.wisdom.empty()) json["wisdom"] = tuned.wisdom;
    return json;
  }
  if (!tuned.wisdom.empty()) json["wisdom"] = WisdomPath(options.output);
  json["device_files"] = Json::array();
  for (const DeviceFile& file : tuned.device_files) json["device_files"].push_back(file.path);
  return json;
}

std::string HowToBuild(const TunedOutput& tuned, const std::string& output) {
  if (!tuned.kernel_file.empty()) return KernelBuildText(tuned, output);
  const std::string openmp = tuned.openmp ? ", with -fopenmp added" : "";
  if (tuned.device_files.empty()) return absl::StrCat("build it as you build the original", openmp, ".\n");
  return absl::StrCat("build\n  ", absl::StrJoin(DeviceBuildCommands(tuned), "\n  "), "\nand ", output,
                      " as you build the original", openmp, ", linked with\n  ",
                      JoinShellWords(DeviceObjects(tuned)), " ", JoinShellWords(DeviceLibraries()), "\n");
}

absl::StatusOr<int> RunFetch(Session& session, const FetchOptions& options) {
  TUNE_RETURN_IF_ERROR(CheckOutputName(options.output));
  const bool to_file = !options.output.empty() && options.output != "-";
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  TUNE_ASSIGN_OR_RETURN(const TunedOutput tuned,
                        FetchTuned(session, *client, options.studies, to_file ? options.output : "",
                                   options.force, options.one_size));
  if (!to_file && !session.options.json && !tuned.device_files.empty()) {
    return UsageError(absl::StrCat(
        options.studies[0], " is tuned for cuda, so the result is several files: give the name of the ",
        tuned.kernel_file.empty() ? "C file with --output NAME.c" : "header with --output NAME.h"));
  }
  if (tuned.text.empty()) {
    std::vector<std::string> command = {"fetch"};
    command.insert(command.end(), options.studies.begin(), options.studies.end());
    if (!options.output.empty()) command.insert(command.end(), {"-o", options.output});
    command.push_back("--force");
    const std::string text = WithheldText(tuned.not_faster, session.Hint(JoinShellWords(command)));
    if (session.options.json) {
      session.out() << PrintJson(
          {{"studies", options.studies}, {"file", Json()}, {"not_faster", tuned.not_faster}});
    }
    session.err() << text;
    return kExitOk;
  }
  session.err() << LeftOutText(tuned) << DoubtText(tuned);
  OutputRules rules;
  rules.force = options.force;
  if (to_file) TUNE_RETURN_IF_ERROR(WriteTunedFiles(tuned, options.output, rules));
  if (session.options.json) {
    session.out() << PrintJson(AsJson(options, tuned, to_file));
  } else if (to_file) {
    session.out() << "Wrote " << NamesOfTunedFiles(tuned, options.output) << "; "
                  << HowToBuild(tuned, options.output);
  } else {
    session.out() << tuned.text;
  }
  return kExitOk;
}

}  // namespace

void AddFetch(CLI::App& app, Session& session) {
  auto options = std::make_shared<FetchOptions>();
  CLI::App* verb = AddVerb(
      app, session, "fetch", "Get the user's file with tuned code in place of its regions",
      "  tunectl fetch s3 > gemm.tuned.c\n"
      "  tunectl fetch s3 -o gemm.tuned.c          on cuda also writes gemm.tuned.cu and .h\n"
      "  tunectl fetch s3 s4 -o both.c             two regions of one file, or two sizes of one region\n"
      "  tunectl fetch s5 -o matmul.tuned.h        of hand-written kernels: the macros of the best "
      "configuration, NAME.wisdom, which\n"
      "                                            programs can read at run time, and in CUDA NAME.cu, with "
      "the kernels and a\n"
      "                                            function that launches them; of studies at several sizes "
      "the one that fits\n\n" +
          std::string(kSizesRule) + kSlowSizesRule +
          "Of studies of the same size, such as those of two targets, the one is taken that is fastest in "
          "the user's program.\nOn cuda each size has a CUDA file, and one more has the entry points that "
          "take the right size. Of a study that was submitted with --cases the file is for all sizes and "
          "GPUs "
          "(generate --cases),\nand takes at sizes that are near those of the lab's studies, on their "
          "devices, the "
          "formats that were fastest there.\n",
      "studies, file, device_files, of hand-written kernels wisdom, not_faster: what is left out, and "
      "doubts: "
      "code that the server has not compared;\nwithout --output text and device_text in place of "
      "device_files: the CUDA file, a list "
      "where "
      "there are several; file is null\nwhere nothing is handed out without --force");
  verb->add_option("STUDY", options->studies, "Ids of studies, of regions of the same file, at any sizes")
      ->required()
      ->check(StudyName());
  verb->add_option("-o,--output", options->output,
                   "File to write, in the language of the original; a CUDA file that belongs to it and the "
                   "header of its entry points lie "
                   "beside it, with the suffixes .cu and .h. "
                   "Default: standard output")
      ->type_name("FILE");
  verb->add_flag("--one-size", options->one_size,
                 "Of studies with --cases too, the code that was measured, for their own sizes, in place of "
                 "that for all "
                 "sizes and GPUs");
  verb->add_flag("--force", options->force, kForceTunedHelp);
  verb->callback(
      [&session, options] { session.command = [&session, options] { return RunFetch(session, *options); }; });
}

}  // namespace tune
