// net_af_packet over a veth pair, in a network namespace that lives and dies with the test's process.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "ports/dpdk/burst.h"
#include "ports/dpdk/eal.h"
#include "tests/support/router_test.h"

namespace packetmill::dpdk {
namespace {

using Frame = std::vector<std::uint8_t>;

constexpr std::uint16_t kEtherType = 0x88b5;  // IEEE 802, for experiments: nothing else on the link uses it

Frame numbered(std::uint8_t number) {
  Frame frame(60, number);
  frame[12] = kEtherType >> 8;
  frame[13] = kEtherType & 0xff;
  return frame;
}

/// Enters a network namespace of its own, as root or as a user who may have one. Returns why that is not permitted.
std::optional<std::string> enter_namespace() {
  const std::string user = std::to_string(geteuid()), group = std::to_string(getegid());
  const bool root = geteuid() == 0;
  if (unshare(root ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET) != 0) return "no network namespace is permitted here";
  if (!root) {
    std::ofstream("/proc/self/setgroups") << "deny";
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  }
  if (std::system("ip link add near type veth peer name far && ip link set near up && ip link set far up") != 0)
    return "no veth pair can be made here";
  return std::nullopt;
}

/// A raw socket on an interface; receives frames of `kEtherType` only.
class RawSocket {
 public:
  explicit RawSocket(const char* interface) : socket_(socket(AF_PACKET, SOCK_RAW, htons(kEtherType))) {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(kEtherType);
    address.sll_ifindex = static_cast<int>(if_nametoindex(interface));
    bound_ = bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawSocket() { close(socket_); }
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;

  [[nodiscard]] bool bound() const { return bound_; }
  void send(const Frame& frame) const {
    ASSERT_EQ(::send(socket_, frame.data(), frame.size(), 0), ssize_t(frame.size()));
  }
  [[nodiscard]] Frame receive() const {
    Frame frame(2048);
    timeval patience{.tv_sec = 10, .tv_usec = 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const ssize_t size = recv(socket_, frame.data(), frame.size(), 0);
    frame.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return frame;
  }

 private:
  int socket_;
  bool bound_ = false;
};

/// The first `wanted` frames of `kEtherType` on queue 0, or what came of them before patience ran out.
std::vector<Frame> receive_frames(Port& port, std::size_t wanted) {
  std::vector<Frame> contents;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (contents.size() < wanted && std::chrono::steady_clock::now() < deadline) {
    rte_mbuf* frames[32];
    const unsigned count = receive(port, 0, frames, 32);
    for (rte_mbuf* frame : std::span(frames, count)) {
      const auto data = bytes(frame);
      if (data.size() >= 14 && (data[12] << 8 | data[13]) == kEtherType)
        contents.emplace_back(data.begin(), data.end());
    }
    release(frames, count);
    if (count == 0) std::this_thread::yield();
  }
  return contents;
}

TEST(AfPacket, ForwardsBothWaysOverAVethPair) {
  if (const auto refused = enter_namespace()) GTEST_SKIP() << *refused;
  ASSERT_EQ(start_eal({}), std::nullopt);
  Ports ports;
  std::string error;
  Port* const port = ports.open("net_af_packet0,iface=near", error);
  ASSERT_NE(port, nullptr) << error;
  ASSERT_EQ(port->start({}), std::nullopt);
  EXPECT_EQ(port->capabilities().driver, "net_af_packet");

  const RawSocket far("far");
  ASSERT_TRUE(far.bound());
  for (std::uint8_t i = 1; i <= 5; ++i) far.send(numbered(i));
  EXPECT_EQ(receive_frames(*port, 5), (std::vector{numbered(1), numbered(2), numbered(3), numbered(4), numbered(5)}));

  for (std::uint8_t i = 6; i <= 8; ++i) {
    rte_mbuf* frame = allocate(port->pool(), 60);
    ASSERT_NE(frame, nullptr);
    std::copy_n(numbered(i).begin(), 60, bytes(frame).begin());
    ASSERT_EQ(transmit(*port, 0, &frame, 1), 1U);
    EXPECT_EQ(far.receive(), numbered(i));
  }
}

TEST(AfPacket, AConfigurationAnswersTheFarEnd) {
  if (const auto refused = enter_namespace()) GTEST_SKIP() << *refused;
  const RawSocket far("far");
  ASSERT_TRUE(far.bound());
  testing::RouterTest router(
      "near :: FromDPDKDevice(\"net_af_packet0,iface=near\") -> c :: Classifier(12/88b5, -) -> EtherMirror"
      " -> to :: ToDPDKDevice(\"net_af_packet0,iface=near\"); c [1] -> Discard;");
  ASSERT_EQ(router.errors(), "");
  far.send(numbered(9));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (router.read("to.count") == "0" && std::chrono::steady_clock::now() < deadline)
    router.advance(Duration::microseconds(10));
  EXPECT_EQ(far.receive(), numbered(9)) << "both addresses are the same";
}

}  // namespace
}  // namespace packetmill::dpdk
