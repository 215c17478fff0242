// Options that say what carving removes.
#include "client/cli/program_options.h"

namespace tune {

void AddCarvingLimits(CLI::App& verb, const std::function<v1::CarveOptions*()>& carve,
                      const std::string& group) {
  const auto add = [&](const char* name, auto set, const char* help, double lowest, double highest) {
    verb.add_option_function<double>(
            name, [carve, set](double x) { set(carve(), x); }, help)
        ->check(CLI::Range(lowest, highest))
        ->type_name("X")
        ->group(group);
  };
  add(
      "--carve-margin", [](v1::CarveOptions* options, double x) { options->set_margin(x); },
      "A configuration is removed where another one has more than 1 + X times its efficiency (equation 1: 1 "
      "/ "
      "instructions of all threads) and its utilisation (equation 2: what runs while a warp waits). Default: "
      "0, only the Pareto front stays",
      0, 1000);
  add(
      "--carve-uncoalesced", [](v1::CarveOptions* options, double x) { options->set_uncoalesced(x); },
      "Most accesses among all to global memory, 0 to 1, of which a warp's threads touch more memory than "
      "they "
      "need, where others have no more. Default: no limit",
      0, 1);
  add(
      "--carve-bandwidth", [](v1::CarveOptions* options, double x) { options->set_bandwidth(x); },
      "Most of the device's memory bandwidth, 1 being all of it, that would be asked for if nothing ever "
      "waited, where others ask for no more. Default: no limit",
      1e-6, 1e6);
  add(
      "--carve-bytes", [](v1::CarveOptions* options, double x) { options->set_bytes(x); },
      "Most bytes of global memory that are moved, as a multiple of what the configuration that moves least "
      "does. Default: no limit",
      1, 1e6);
}

}  // namespace tune
