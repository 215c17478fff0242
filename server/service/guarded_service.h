// How every rpc begins: who calls and whether that may, before a byte of the message is read; then the
// message, when it is small enough also in memory.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/method_handler.h>
#include <grpcpp/support/proto_buffer_writer.h>
#include <grpcpp/support/sync_stream.h>

#include <deque>
#include <functional>
#include <set>
#include <string>

#include "common/base/status.h"
#include "server/access/authority.h"
#include "server/study/coordinator.h"

namespace tune {

// A call that may be made.
struct Call {
  Identity identity;
  const grpc::ServerContext* context;
};

// Admins have no quotas.
Charge ChargeOf(const Identity& identity);

// INVALID_ARGUMENT when the bytes are no message of its type, or more than `most_bytes`, or one that would
// take more than kMostMessageMemory: two bytes can become hundreds.
absl::Status ParseBounded(const grpc::ByteBuffer& bytes, int64_t most_bytes,
                          google::protobuf::Message* message);

// CANCELLED.
absl::Status CallerGone();

inline constexpr int64_t kMostMessageMemory = int64_t{64} << 20;
// Of a message, unless its rpc says otherwise.
inline constexpr int64_t kMostMessageBytes = int64_t{4} << 20;

// Base of the services: their constructors add each of their methods by its name. Every method is a stream
// for gRPC, which leaves it to the handler when a message is read; on the wire nothing differs. Thread safe.
class GuardedService : public grpc::Service {
 public:
  // Methods of tune/v1 that nobody has added; they would be answered with UNIMPLEMENTED.
  std::set<std::string> MissingMethods() const;

 protected:
  // `authority` is not owned. `file`: descriptor of the file that the service is in.
  GuardedService(const Authority* authority, const google::protobuf::FileDescriptor* file,
                 const std::string& name);

  template <typename Request, typename Response>
  using Handler = std::function<absl::Status(const Call& call, Request& request, Response* response)>;
  // False: the caller has left.
  template <typename Part>
  using Send = std::function<bool(const Part& part)>;
  template <typename Request, typename Part>
  using SendHandler = std::function<absl::Status(const Call& call, Request& request, const Send<Part>& send)>;
  // False at the end of the parts.
  template <typename Part>
  using Receive = std::function<absl::StatusOr<bool>(Part* part)>;
  template <typename Part, typename Response>
  using ReceiveHandler =
      std::function<absl::Status(const Call& call, const Receive<Part>& receive, Response* response)>;

  template <typename Request, typename Response>
  void Add(const std::string& method, Handler<Request, Response> handler,
           int64_t most_bytes = kMostMessageBytes) {
    AddStream(method, [handler = std::move(handler), most_bytes](const Call& call, Stream* stream) {
      Request request;
      TUNE_RETURN_IF_ERROR(ReadOne(stream, most_bytes, &request));
      Response response;
      TUNE_RETURN_IF_ERROR(handler(call, request, &response));
      return Write(stream, response) ? absl::OkStatus() : CallerGone();
    });
  }
  template <typename Request, typename Part>
  void AddSender(const std::string& method, SendHandler<Request, Part> handler) {
    AddStream(method, [handler = std::move(handler)](const Call& call, Stream* stream) {
      Request request;
      TUNE_RETURN_IF_ERROR(ReadOne(stream, kMostMessageBytes, &request));
      return handler(call, request, [stream](const Part& part) { return Write(stream, part); });
    });
  }
  template <typename Part, typename Response>
  void AddReceiver(const std::string& method, ReceiveHandler<Part, Response> handler) {
    AddStream(method, [handler = std::move(handler)](const Call& call, Stream* stream) {
      Response response;
      const auto receive = [stream](Part* part) { return Read(stream, kMostMessageBytes, part); };
      TUNE_RETURN_IF_ERROR(handler(call, receive, &response));
      return Write(stream, response) ? absl::OkStatus() : CallerGone();
    });
  }

 private:
  using Stream = grpc::ServerReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>;

  static absl::StatusOr<bool> Read(Stream* stream, int64_t most_bytes, google::protobuf::Message* message);
  static absl::Status ReadOne(Stream* stream, int64_t most_bytes, google::protobuf::Message* message);
  static bool Write(Stream* stream, const google::protobuf::Message& message);
  absl::StatusOr<Call> Admit(const grpc::ServerContext& context, const std::string& call) const;
  void AddStream(const std::string& method, std::function<absl::Status(const Call&, Stream*)> handler);

  const Authority* const authority_;
  const google::protobuf::ServiceDescriptor* const descriptor_;
  std::deque<std::string> paths_;  // gRPC keeps pointers to them
  std::set<std::string> added_;
};

}  // namespace tune
