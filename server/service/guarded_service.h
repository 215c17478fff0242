// How every rpc begins: who calls and whether that may, before a byte of the message is read; then the
// message, when it is small enough also in memory.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "common/base/status.h"
#include "server/access/authority.h"
#include "server/service/call_threads.h"
#include "server/service/wire_call.h"
#include "server/study/coordinator.h"

namespace tune {

// A call that may be made.
struct Call {
  Identity identity;
  WireCall* wire;        // until it is answered or ended
  CallThreads* threads;  // outlive it
};

// Admins have no quotas.
Charge ChargeOf(const Identity& identity);

// INVALID_ARGUMENT when the bytes are no message of its type, or more than `most_bytes`, or one that would
// take more than kMostMessageMemory: two bytes can become hundreds.
absl::Status ParseBounded(const grpc::ByteBuffer& bytes, int64_t most_bytes,
                          google::protobuf::Message* message);

// The message as it is sent.
grpc::ByteBuffer BytesOf(const google::protobuf::Message& message);

// CANCELLED.
absl::Status CallerGone();

inline constexpr int64_t kMostMessageMemory = int64_t{64} << 20;
// Of a message, unless its rpc says otherwise.
inline constexpr int64_t kMostMessageBytes = int64_t{4} << 20;

// Base of the services: their constructors add each of their methods by its name. Thread safe.
class GuardedService {
 public:
  virtual ~GuardedService() = default;

  // Methods of tune/v1 that nobody has added; they would be answered with UNIMPLEMENTED.
  std::set<std::string> MissingMethods() const;

  // Whether "/package.Service/Method" is one of its methods.
  bool Has(const std::string& path) const { return methods_.count(path) > 0; }
  // Begins a call of that method, which ends by itself.
  void Begin(const std::string& path, const grpc::CallbackServerContext& context, WireCall* wire,
             CallThreads* threads) const;

 protected:
  using Message = google::protobuf::Message;

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
  // Answers or ends the call at some time, and holds no thread until then.
  template <typename Request>
  using WaitHandler = std::function<void(const Call& call, Request& request)>;

  template <typename Request, typename Response>
  void Add(const std::string& method, Work work, Handler<Request, Response> handler) {
    AddWithRequest(method, Request::default_instance(), kMostMessageBytes, work,
                   [handler = std::move(handler)](const Call& call, Message& request) {
                     Response response;
                     const absl::Status status = handler(call, static_cast<Request&>(request), &response);
                     status.ok() ? call.wire->Answer(BytesOf(response)) : call.wire->End(status);
                   });
  }
  template <typename Request, typename Part>
  void AddSender(const std::string& method, SendHandler<Request, Part> handler) {
    AddWithRequest(method, Request::default_instance(), kMostMessageBytes, Work::kLong,
                   [handler = std::move(handler)](const Call& call, Message& request) {
                     const auto send = [&](const Part& part) { return call.wire->WriteNow(BytesOf(part)); };
                     call.wire->End(handler(call, static_cast<Request&>(request), send));
                   });
  }
  template <typename Part, typename Response>
  void AddReceiver(const std::string& method, ReceiveHandler<Part, Response> handler) {
    AddMethod(method, Work::kLong, [handler = std::move(handler)](const Call& call) {
      call.threads->Run(Work::kLong, [call, handler] {
        Response response;
        const auto receive = [&](Part* part) { return ReceiveNow(*call.wire, part); };
        const absl::Status status = handler(call, receive, &response);
        status.ok() ? call.wire->Answer(BytesOf(response)) : call.wire->End(status);
      });
    });
  }
  template <typename Request>
  void AddWaiting(const std::string& method, int64_t most_bytes, WaitHandler<Request> handler) {
    AddWithRequest(method, Request::default_instance(), most_bytes, Work::kShort,
                   [handler = std::move(handler)](const Call& call, Message& request) {
                     handler(call, static_cast<Request&>(request));
                   });
  }

 private:
  struct Method {
    std::string name;  // "Service.Method"
    Work work;
    std::function<void(const Call& call)> begin;
  };

  static absl::StatusOr<bool> ReceiveNow(WireCall& wire, Message* part);
  absl::StatusOr<Identity> Admit(const grpc::CallbackServerContext& context, const std::string& method) const;
  void AddMethod(const std::string& method, Work work, std::function<void(const Call&)> begin);
  // `handler` is run when the call's one message, of the type of `prototype`, is there.
  void AddWithRequest(const std::string& method, const Message& prototype, int64_t most_bytes, Work work,
                      std::function<void(const Call&, Message&)> handler);

  const Authority* const authority_;
  const google::protobuf::ServiceDescriptor* const descriptor_;
  std::map<std::string, Method> methods_;  // by path
};

}  // namespace tune
