#include "server/service/guarded_service.h"

#include <google/protobuf/descriptor.h>
#include <grpc/grpc_security_constants.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include "common/exchange/message_memory.h"
#include "common/rpc/status.h"
#include "server/access/permissions.h"

namespace tune {
namespace {

constexpr char kHeader[] = "authorization";

// The common name in the certificate that the caller's connection was made with; gRPC has verified it. Empty:
// none.
std::string CertificateName(const grpc::ServerContext& context) {
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

GuardedService::GuardedService(const Authority* authority, const google::protobuf::FileDescriptor* file,
                               const std::string& name)
    : authority_(authority), descriptor_(file->FindServiceByName(name)) {}

std::set<std::string> GuardedService::MissingMethods() const {
  std::set<std::string> missing;
  for (int i = 0; i < descriptor_->method_count(); ++i) missing.insert(descriptor_->method(i)->name());
  for (const std::string& method : added_) missing.erase(method);
  return missing;
}

absl::StatusOr<Call> GuardedService::Admit(const grpc::ServerContext& context,
                                           const std::string& call) const {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kHeader);
  const absl::string_view header =
      found == metadata.end() ? "" : absl::string_view(found->second.data(), found->second.size());
  const std::string name = header.empty() ? CertificateName(context) : "";
  TUNE_ASSIGN_OR_RETURN(Identity identity,
                        name.empty() ? authority_->OfHeader(header) : authority_->OfCertificate(name));
  TUNE_RETURN_IF_ERROR(CheckPermission(identity, call));
  return Call{std::move(identity), &context};
}

void GuardedService::AddStream(const std::string& method,
                               std::function<absl::Status(const Call&, Stream*)> handler) {
  using RawHandler = grpc::internal::TemplatedBidiStreamingHandler<Stream, false>;
  const std::string& path = paths_.emplace_back("/" + descriptor_->full_name() + "/" + method);
  const std::string name = descriptor_->name() + "." + method;
  const auto run = [this, name, handler = std::move(handler)](grpc::ServerContext* context, Stream* stream) {
    const absl::StatusOr<Call> call = Admit(*context, name);
    return ToGrpc(call.ok() ? handler(*call, stream) : call.status());
  };
  AddMethod(new grpc::internal::RpcServiceMethod(path.c_str(), grpc::internal::RpcMethod::BIDI_STREAMING,
                                                 new RawHandler(run)));
  added_.insert(method);
}

absl::Status CallerGone() { return absl::CancelledError("the caller has left"); }

absl::StatusOr<bool> GuardedService::Read(Stream* stream, int64_t most_bytes,
                                          google::protobuf::Message* message) {
  grpc::ByteBuffer bytes;
  if (!stream->Read(&bytes)) return false;
  TUNE_RETURN_IF_ERROR(ParseBounded(bytes, most_bytes, message));
  return true;
}

absl::Status GuardedService::ReadOne(Stream* stream, int64_t most_bytes, google::protobuf::Message* message) {
  TUNE_ASSIGN_OR_RETURN(const bool found, Read(stream, most_bytes, message));
  if (found) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(message->GetDescriptor()->name(),
                                                 ": no message came, or one of more than this server takes"));
}

bool GuardedService::Write(Stream* stream, const google::protobuf::Message& message) {
  grpc::ByteBuffer bytes;
  bool own = false;
  const grpc::Status status =
      grpc::SerializationTraits<google::protobuf::Message>::Serialize(message, &bytes, &own);
  return status.ok() && stream->Write(bytes);
}

}  // namespace tune
