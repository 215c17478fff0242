#include "server/dashboard/connection_threads.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

TEST(ConnectionThreads, EachConnectionHasOne) {
  ConnectionThreads threads(100);
  absl::Notification end;
  absl::BlockingCounter begun(50);
  for (int i = 0; i < 50; ++i) {
    threads.enqueue([&] {
      begun.DecrementCount();
      end.WaitForNotification();
    });
  }
  begun.Wait();
  EXPECT_EQ(threads.CountThreads(), 50);
  end.Notify();
}

TEST(ConnectionThreads, MoreThanTheBoundWaitAndAreNotForgotten) {
  std::atomic<int> done = 0;
  absl::Notification end;
  {
    ConnectionThreads threads(3);
    for (int i = 0; i < 20; ++i) {
      threads.enqueue([&] {
        end.WaitForNotification();
        ++done;
      });
    }
    EXPECT_LE(threads.CountThreads(), 3);
    end.Notify();
  }
  EXPECT_EQ(done, 20);
}

TEST(ConnectionThreads, AFreeThreadIsUsedAgain) {
  ConnectionThreads threads(100, absl::InfiniteDuration());
  for (int i = 0; i < 20; ++i) {
    absl::Notification done;
    threads.enqueue([&] { done.Notify(); });
    done.WaitForNotification();
  }
  // It may not have come back from a connection before the next was there.
  EXPECT_LT(threads.CountThreads(), 20);
}

TEST(ConnectionThreads, ThreadsWithoutWorkEnd) {
  ConnectionThreads threads(100, absl::ZeroDuration());
  for (int i = 0; i < 20; ++i) threads.enqueue([] {});
  while (threads.CountThreads() > 0) sched_yield();
}

class IdleConnectionsTest : public DashboardTest {};

TEST_F(IdleConnectionsTest, DoNotKeepThePageFromOthers) {
  DashboardOptions options = Options();
  options.request_wait = absl::Hours(1);
  Serve(options);
  const std::string& url = dashboard_->url();
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
  std::vector<int> idle;
  for (int i = 0; i < 400; ++i) {
    idle.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(connect(idle.back(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  EXPECT_EQ(Get("/healthz").status, 200);
  for (const int connection : idle) close(connection);
}

}  // namespace
}  // namespace tune
