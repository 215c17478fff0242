#include "server/service/guarded_service.h"

#include <google/protobuf/descriptor.h>
#include <grpc/grpc_security_constants.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <memory>

#include "common/exchange/message_memory.h"
#include "common/rpc/status.h"
#include "server/access/permissions.h"

namespace tune {
namespace {

constexpr char kHeader[] = "authorization";

// The common name in the certificate that the caller's connection was made with; gRPC has verified it. Empty:
// none.
std::string CertificateName(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> connection = context.auth_context();
  if (connection == nullptr || !connection->IsPeerAuthenticated()) return "";
  const std::vector<grpc::string_ref> names = connection->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME);
  return names.size() == 1 ? std::string(names[0].data(), names[0].size()) : "";
}

}  // namespace

Charge ChargeOf(const Identity& identity) {
  return identity.role == Role::kAdmin ? Charge::kNobody : Charge::kOwner;
}

absl::Status ParseBounded(const grpc::ByteBuffer& bytes, int64_t most_bytes,
                          google::protobuf::Message* message) {
  const std::string& type = message->GetDescriptor()->name();
  if (static_cast<int64_t>(bytes.Length()) > most_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(type, ": the message has ", bytes.Length(),
                                                   " bytes; at most ", most_bytes, " are taken"));
  }
  grpc::ByteBuffer copy = bytes;  // of references; the readers want one that they may change
  {
    grpc::ProtoBufferReader reader(&copy);
    google::protobuf::io::CodedInputStream stream(&reader);
    if (ParsedBytes(*message->GetDescriptor(), &stream, kMostMessageMemory) > kMostMessageMemory) {
      return absl::InvalidArgumentError(absl::StrCat(type, ": the message would take more than ",
                                                     kMostMessageMemory >> 20,
                                                     " MiB of memory; it is refused"));
    }
  }
  grpc::ProtoBufferReader reader(&copy);
  if (message->ParseFromZeroCopyStream(&reader)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(type, ": the message cannot be read; it is damaged or another one"));
}

grpc::ByteBuffer BytesOf(const google::protobuf::Message& message) {
  grpc::ByteBuffer bytes;
  bool own = false;
  // A message of this process's own making has all that it needs.
  grpc::SerializationTraits<google::protobuf::Message>::Serialize(message, &bytes, &own);
  return bytes;
}

absl::Status CallerGone() { return absl::CancelledError("the caller has left"); }

GuardedService::GuardedService(const Authority* authority, const google::protobuf::FileDescriptor* file,
                               const std::string& name)
    : authority_(authority), descriptor_(file->FindServiceByName(name)) {}

std::set<std::string> GuardedService::MissingMethods() const {
  std::set<std::string> missing;
  for (int i = 0; i < descriptor_->method_count(); ++i) missing.insert(descriptor_->method(i)->name());
  for (const auto& [path, method] : methods_) missing.erase(path.substr(path.rfind('/') + 1));
  return missing;
}

void GuardedService::Begin(const std::string& path, const grpc::CallbackServerContext& context,
                           WireCall* wire, CallThreads* threads) const {
  const Method& method = methods_.at(path);
  const absl::StatusOr<Identity> identity = Admit(context, method.name);
  if (!identity.ok()) return wire->End(identity.status());
  const auto begin = [&method, call = Call{*identity, wire, threads}] { method.begin(call); };
  if (method.work == Work::kShort) return begin();
  const std::string caller = absl::StrCat(descriptor_->name(), " ", identity->name);
  const bool taken = threads->turns().Take(caller, [=] {
    wire->WhenDone([threads, caller] { threads->turns().Give(caller); });
    begin();
  });
  if (!taken) {
    wire->End(absl::ResourceExhaustedError(
        absl::StrCat("too many calls of ", identity->name, " are waiting; try again when some have ended")));
  }
}

absl::StatusOr<Identity> GuardedService::Admit(const grpc::CallbackServerContext& context,
                                               const std::string& method) const {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kHeader);
  const absl::string_view header =
      found == metadata.end() ? "" : absl::string_view(found->second.data(), found->second.size());
  const std::string name = header.empty() ? CertificateName(context) : "";
  TUNE_ASSIGN_OR_RETURN(Identity identity,
                        name.empty() ? authority_->OfHeader(header) : authority_->OfCertificate(name));
  TUNE_RETURN_IF_ERROR(CheckPermission(identity, method));
  return identity;
}

void GuardedService::AddMethod(const std::string& method, Work work, std::function<void(const Call&)> begin) {
  methods_["/" + descriptor_->full_name() + "/" + method] = {descriptor_->name() + "." + method, work,
                                                             std::move(begin)};
}

void GuardedService::AddWithRequest(const std::string& method, const Message& prototype, int64_t most_bytes,
                                    Work work, std::function<void(const Call&, Message&)> handler) {
  const Message* type = &prototype;
  AddMethod(method, work, [type, most_bytes, work, handler = std::move(handler)](const Call& call) {
    call.wire->Read([=](grpc::ByteBuffer* bytes) {
      if (bytes == nullptr) {
        return call.wire->End(absl::InvalidArgumentError(absl::StrCat(
            type->GetDescriptor()->name(), ": no message came, or one of more than this server takes")));
      }
      call.threads->Run(work, [=, bytes = *bytes] {
        const std::unique_ptr<Message> request(type->New());
        const absl::Status status = ParseBounded(bytes, most_bytes, request.get());
        status.ok() ? handler(call, *request) : call.wire->End(status);
      });
    });
  });
}

absl::StatusOr<bool> GuardedService::ReceiveNow(WireCall& wire, Message* part) {
  grpc::ByteBuffer bytes;
  if (!wire.ReadNow(&bytes)) return false;
  TUNE_RETURN_IF_ERROR(ParseBounded(bytes, kMostMessageBytes, part));
  return true;
}

}  // namespace tune
