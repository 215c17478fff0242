#include "client/cli/commands.h"

namespace tune {

void AddGlobalOptions(CLI::App& app, GlobalOptions& options) {
  const std::string group = "Global options";
  app.add_option(
         "--server", options.server,
         "Server to talk to, host:port or unix:/path (environment: TUNE_SERVER). Default: the private server "
         "of a running `tunectl tune`, else 127.0.0.1:7410")
      ->type_name("ADDRESS")
      ->group(group);
  app.add_option("--token-file", options.token_file,
                 "File that holds the token which the server demands (environment: TUNE_TOKEN_FILE). "
                 "Default: the one "
                 "that the server of this user makes, for a server on this machine, where there is one")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--ca-file", options.ca_file,
                 "PEM file of the authority that signed the server's certificate; turns TLS on (environment: "
                 "TUNE_CA_FILE)")
      ->type_name("FILE")
      ->group(group);
  app.add_option(
         "--cert", options.certificate_file,
         "PEM file of your certificate, for a server that takes those for tokens (environment: TUNE_CERT)")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--key", options.key_file, "PEM file of its private key (environment: TUNE_KEY)")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--private", options.private_server,
               "Use the private server of `tunectl tune`, and run it for this command when it does not run")
      ->group(group);
  app.add_flag("--json", options.json, "Print data as JSON on standard output")->group(group);
}

CLI::App* AddVerb(CLI::App& app, Session& session, const std::string& name, const std::string& description,
                  const std::string& examples, const std::string& json) {
  CLI::App* verb = app.add_subcommand(name, description);
  std::string footer = "Examples:\n" + examples;
  if (!json.empty()) footer += "\n--json prints " + json + "\n";
  verb->footer(footer);
  return verb;
}

}  // namespace tune
