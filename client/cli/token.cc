// tunectl token: who may call a server.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "client/cli/commands.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "common/base/file_descriptor.h"
#include "common/rpc/token_file.h"

namespace tune {
namespace {

constexpr size_t kIdDigits = 12;

struct Options {
  std::string file;
  std::string role, name, output;
  bool certificate = false;
  std::string revoked;
};

std::string FileOf(const Options& options) {
  return options.file.empty() ? TokenFileBeside(DefaultDatabase()) : options.file;
}

// The secret in a new file that its user alone can read.
absl::Status WriteSecret(const std::string& path, const std::string& secret) {
  const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  const std::string line = secret + "\n";
  if (file.open() && write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()))
    return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(path, ": cannot be written: ", std::strerror(errno), "; give another --output"));
}

absl::StatusOr<int> Add(Session& session, const Options& options) {
  Identity identity;
  const absl::StatusOr<Role> role = ParseRole(options.role);
  if (!role.ok()) return UsageError(role.status().message());
  identity.role = *role;
  identity.name = options.name;
  if (const absl::Status status = CheckIdentityName(identity.name); !status.ok()) {
    return UsageError(status.message());
  }
  if (!options.output.empty() && access(options.output.c_str(), F_OK) == 0) {
    return absl::AlreadyExistsError(absl::StrCat(options.output, ": exists; give another --output"));
  }
  const std::string file = FileOf(options);
  if (options.certificate) {
    TUNE_RETURN_IF_ERROR(AddCertificate(file, identity));
    session.err() << file << ": who shows a certificate for " << identity.name << " is a "
                  << RoleName(identity.role) << "\n";
    return kExitOk;
  }
  TUNE_ASSIGN_OR_RETURN(const std::string secret, AddToken(file, identity));
  if (options.output.empty()) {
    session.out() << secret << "\n";
  } else {
    TUNE_RETURN_IF_ERROR(WriteSecret(options.output, secret));
  }
  session.err() << file << ": " << RoleName(identity.role) << " " << identity.name
                << " has a new token; it is shown this once. Its user keeps it in a file of mode 0600 and "
                   "gives that as "
                   "--token-file\n";
  return kExitOk;
}

absl::StatusOr<int> Revoke(Session& session, const Options& options) {
  const std::string file = FileOf(options);
  TUNE_ASSIGN_OR_RETURN(const int count, RevokeTokens(file, options.revoked));
  session.err() << file << ": " << count << (count == 1 ? " token" : " tokens") << " of " << options.revoked
                << " revoked; a running server refuses them from now on\n";
  return kExitOk;
}

absl::StatusOr<int> List(Session& session, const Options& options) {
  TUNE_ASSIGN_OR_RETURN(const TokenTable table, TokenTable::Read(FileOf(options)));
  Json json = Json::array();
  Table text({{"ROLE"}, {"NAME"}, {"ID"}});
  for (const TokenEntry& entry : table.entries()) {
    const std::string role(RoleName(entry.identity.role));
    const std::string id = entry.hash.empty() ? "certificate" : entry.hash.substr(0, kIdDigits);
    json.push_back({{"role", role}, {"name", entry.identity.name}, {"id", id}});
    text.AddRow({role, entry.identity.name, id});
  }
  if (session.options.json) {
    session.out() << PrintJson(json);
  } else {
    session.out() << text.Print();
  }
  return kExitOk;
}

CLI::App* AddTokenVerb(CLI::App& token, const std::string& name, const std::string& description,
                       Options& options) {
  CLI::App* verb = token.add_subcommand(name, description);
  verb->add_option(
          "--file", options.file,
          "The server's --token-file. Default: the one that tuned-server makes beside its default database")
      ->type_name("FILE");
  return verb;
}

}  // namespace

void AddToken(CLI::App& app, Session& session) {
  CLI::App* token =
      AddVerb(app, session, "token", "Who may call a server: makes, revokes and lists tokens in its file",
              "  tunectl token add client alice --output alice.token\n"
              "  tunectl token add worker node7 --file /srv/lab/tuned.db.token\n"
              "  tunectl token revoke alice\n"
              "  tunectl token list\n\n"
              "Roles: a client submits and reads, and cancels its own studies; a worker takes leases; an "
              "admin may do both, and\nwhat concerns the server (gc, backup, others' studies). The file "
              "holds hashes of secrets; a running server reads\nit again when it changes. To change a "
              "secret add a second token, let its user take it, and revoke the old one by\nits id.",
              "of list an array of {role, name, id}");
  token->require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App* add = AddTokenVerb(*token, "add", "Makes a token; its secret is shown once", *options);
  add->add_option("role", options->role, "client, worker or admin")->required();
  add->add_option("name", options->name, "Whose it is: the owner of what is submitted with it")->required();
  add->add_option("-o,--output", options->output, "New file for the secret. Default: standard output")
      ->type_name("FILE");
  add->add_flag(
      "--certificate", options->certificate,
      "No secret: the caller shows a certificate with this common name (tuned-server --tls-client-ca)");
  add->callback(
      [&session, options] { session.command = [&session, options] { return Add(session, *options); }; });
  CLI::App* revoke = AddTokenVerb(*token, "revoke", "Takes tokens back", *options);
  revoke
      ->add_option("name", options->revoked, "All of this name, or the one with this id (8 digits at least)")
      ->required();
  revoke->callback(
      [&session, options] { session.command = [&session, options] { return Revoke(session, *options); }; });
  CLI::App* list = AddTokenVerb(*token, "list", "Whose tokens there are", *options);
  list->add_flag("--json", session.options.json, "Print data as JSON on standard output");
  list->callback(
      [&session, options] { session.command = [&session, options] { return List(session, *options); }; });
}

}  // namespace tune
