#include <gmock/gmock.h>

#include "elements/ethernet/arp_host.h"
#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using Packets = std::vector<TestPacket>;

constexpr std::string_view kOurs = "00:00:00:00:00:0a";
constexpr std::string_view kTheirs = "00:00:00:00:00:0b";
const std::string kUs = "10.0.0.1/24, 00:00:00:00:00:0a";

TestPacket packet_for(std::string_view next_hop, const Bytes& bytes = counting(20)) {
  return TestPacket(bytes).set<DestinationAddress>(ip(next_hop));
}
Bytes reply_from(std::string_view address, std::string_view ethernet = kTheirs) {
  return arp(kArpReply, ethernet, address, kOurs, "10.0.0.1");
}
Bytes query_for(std::string_view address) { return arp(kArpRequest, kOurs, "10.0.0.1", "0:0:0:0:0:0", address); }
Bytes frame_to(std::string_view ethernet, const Bytes& bytes = counting(20)) {
  return packetmill::testing::ethernet(bytes, kEthernetIPv4, ethernet, kOurs);
}

struct Bench : ElementTest {
  explicit Bench(const std::string& configuration, int batch_size = 32)
      : ElementTest("ARPQuerier", configuration, {.inputs = 2, .outputs = 2, .batch_size = batch_size}) {}
};

TEST(ARPQuerier, AsksHoldsAndSendsInOrderWhenTheAnswerComes) {
  for (const int batch_size : {1, 32}) {
    Bench test(kUs, batch_size);
    test.push(0, {packet_for("10.0.0.2", counting(20)), packet_for("10.0.0.2", counting(30))});
    EXPECT_THAT(test.output(0), IsEmpty());
    // RFC 826: a request, broadcast, with the target's hardware address left zero.
    EXPECT_EQ(test.output(1), Packets{hex("ffffffffffff 00000000000a 0806"
                                          "0001 0800 06 04 0001 00000000000a 0a000001 000000000000 0a000002")});
    EXPECT_EQ(test.read("length"), "2");
    EXPECT_EQ(test.ledger().held, 2U);

    test.push(1, reply_from("10.0.0.2"));
    EXPECT_EQ(test.output(0), (Packets{frame_to(kTheirs, counting(20)), frame_to(kTheirs, counting(30))}));
    EXPECT_EQ(test.read("length"), "0");
    test.push(0, packet_for("10.0.0.2"));
    EXPECT_EQ(test.output(0), Packets{frame_to(kTheirs)});
    EXPECT_THAT(test.output(1), IsEmpty());
    EXPECT_EQ(test.read("queries"), "1");
    EXPECT_EQ(test.read("responses"), "1");
  }
}

TEST(ARPQuerier, QueriesLeaveByTheOnlyOutput) {
  ElementTest test("ARPQuerier", kUs, {.inputs = 2, .outputs = 1});
  test.push(0, packet_for("10.0.0.2"));
  EXPECT_EQ(test.output(0), Packets{query_for("10.0.0.2")});
}

TEST(ARPQuerier, FrameStartsAtTheMacHeader) {
  Bench test(kUs);
  test.write("insert", "10.0.0.2 00:00:00:00:00:0b");
  test.push(0, packet_for("10.0.0.2"));
  EXPECT_EQ(test.output(0).at(0).mac_offset, 0);
}

TEST(ARPQuerier, QueryTakesTheVlanTagOver) {
  Bench test(kUs);
  test.push(0, packet_for("10.0.0.2").set<VlanTci>(7));
  EXPECT_EQ(test.output(1).at(0).get<VlanTci>(), 7);
}

TEST(ARPQuerier, BroadcastAndMulticastNeedNoQuery) {
  Bench test(kUs);
  test.push(0, {packet_for("255.255.255.255"), packet_for("10.0.0.255"), packet_for("225.129.2.3")});
  EXPECT_EQ(test.output(0),
            (Packets{frame_to("ff:ff:ff:ff:ff:ff"), frame_to("ff:ff:ff:ff:ff:ff"), frame_to("01:00:5e:01:02:03")}));
  EXPECT_THAT(test.output(1), IsEmpty());
}

TEST(ARPQuerier, BroadcastNamesAnother) {
  Bench test(kUs + ", BROADCAST 10.0.0.7");
  EXPECT_EQ(test.read("broadcast"), "10.0.0.7");
  test.push(0, {packet_for("10.0.0.7"), packet_for("10.0.0.255")});
  EXPECT_EQ(test.output(0), Packets{frame_to("ff:ff:ff:ff:ff:ff")});
  EXPECT_EQ(test.output(1), Packets{query_for("10.0.0.255")});
}

TEST(ARPQuerier, DropsPacketsWithoutDestinationAndSaysSoOnce) {
  Bench test(kUs);
  test.push(0, {packet_for("0.0.0.0"), packet_for("0.0.0.0")});
  EXPECT_EQ(test.drops("no_destination"), 2);
  EXPECT_EQ(test.messages(),
            std::vector<std::string>{"element: would query for 0.0.0.0; missing dest IP addr annotation?"});
}

TEST(ARPQuerier, AsksAtMostTenTimesASecond) {
  Bench test(kUs);
  for (int i = 0; i < 10; ++i) {
    test.push(0, packet_for("10.0.0.2"));
    test.advance(Duration::milliseconds(50));
  }
  EXPECT_THAT(test.output(1), SizeIs(5));
  EXPECT_EQ(test.read("queries"), "5");
}

TEST(ARPQuerier, OverCapacityTheOldestPacketsGo) {
  Bench test(kUs + ", CAPACITY 4");
  Packets packets;
  for (int i = 2; i < 7; ++i) packets.push_back(packet_for("10.0.0." + std::to_string(i)));
  test.push(0, packets);
  EXPECT_EQ(test.drops("over_capacity"), 3);  // the fifth makes half of the four go, and itself counts
  EXPECT_EQ(test.read("length"), "2");
  EXPECT_EQ(test.read("count"), "5");
  EXPECT_EQ(test.read("stats"), "3 packets killed\n5 ARP queries sent\n");
}

TEST(ARPQuerier, SlimFactorSaysHowManyGoAtOnce) {
  Bench test(kUs + ", CAPACITY 4, CAPACITY_SLIM_FACTOR 4");
  test.push(0, Packets(5, packet_for("10.0.0.2")));
  EXPECT_EQ(test.drops("over_capacity"), 2);
  EXPECT_EQ(test.read("length"), "3");
  EXPECT_EQ(Bench(kUs + ", CAPACITY_SLIM_FACTOR 0").errors(), "CAPACITY_SLIM_FACTOR cannot be zero\n");
}

TEST(ARPQuerier, EntryPacketCapacityKeepsTheNewest) {
  Bench test(kUs + ", ENTRY_PACKET_CAPACITY 2");
  test.push(0, {packet_for("10.0.0.2", counting(20)), packet_for("10.0.0.2", counting(21)),
                packet_for("10.0.0.2", counting(22))});
  EXPECT_EQ(test.drops("over_entry_packet_capacity"), 1);
  test.push(1, reply_from("10.0.0.2"));
  EXPECT_EQ(test.output(0), (Packets{frame_to(kTheirs, counting(21)), frame_to(kTheirs, counting(22))}));
}

TEST(ARPQuerier, EntryCapacityForgetsTheOldestAddress) {
  Bench test(kUs + ", ENTRY_CAPACITY 1");
  test.push(0, packet_for("10.0.0.2"));
  test.push(0, packet_for("10.0.0.3"));
  EXPECT_EQ(test.drops("over_entry_capacity"), 1);
  EXPECT_THAT(test.read("table"), ::testing::StartsWith("10.0.0.3 0 FF-FF-FF-FF-FF-FF 0.0000"));
}

TEST(ARPQuerier, UnansweredPacketsGoAfterTheTimeout) {
  Bench test(kUs + ", TIMEOUT 3s");
  test.push(0, packet_for("10.0.0.2"));
  test.advance(Duration::seconds(2));
  EXPECT_EQ(test.drops("unanswered"), 0);
  test.advance(Duration::seconds(2));
  EXPECT_EQ(test.drops("unanswered"), 1);
  EXPECT_EQ(test.read("table"), "");
}

TEST(ARPQuerier, AnswersAreForgottenAfterTheTimeout) {
  Bench test(kUs + ", TIMEOUT 3s, POLL_TIMEOUT 0");
  test.push(1, reply_from("10.0.0.2"));
  test.advance(Duration::milliseconds(2999));
  test.push(0, packet_for("10.0.0.2"));
  EXPECT_THAT(test.output(0), SizeIs(1));
  test.advance(Duration::milliseconds(2));
  test.push(0, packet_for("10.0.0.2"));
  EXPECT_THAT(test.output(0), IsEmpty());
  EXPECT_EQ(test.output(1), Packets{query_for("10.0.0.2")});
}

TEST(ARPQuerier, PollsWhatItUsesBeforeItExpires) {
  for (const bool broadcast : {false, true}) {
    Bench test(kUs + ", POLL_TIMEOUT 10s, BROADCAST_POLL " + (broadcast ? "true" : "false"));
    test.push(1, reply_from("10.0.0.2"));
    test.advance(Duration::seconds(10));
    test.push(0, Packets(2, packet_for("10.0.0.2")));
    EXPECT_THAT(test.output(0), SizeIs(2));  // the answer is still good
    Bytes poll = query_for("10.0.0.2");
    if (!broadcast) std::copy_n(ether(kTheirs).bytes.begin(), 6, poll.begin());
    EXPECT_EQ(test.output(1), Packets{poll});
  }
}

TEST(ARPQuerier, OneNameGivesBothAddresses) {
  struct OneHost final : Names {
    std::optional<IPv4Prefix> find_ipv4_prefix(std::string_view name) const override {
      return name == "eth0" ? std::optional(IPv4Prefix{ip("10.0.0.1"), ip("255.255.255.0")}) : std::nullopt;
    }
    std::optional<EthernetAddress> find_ethernet(std::string_view name) const override {
      return name == "eth0" ? std::optional(ether(kOurs)) : std::nullopt;
    }
  };
  ArpHost host;
  EXPECT_FALSE(parse("eth0", host, OneHost()));
  EXPECT_EQ(to_string(host.ip.address), "10.0.0.1");
  EXPECT_EQ(host.ip.length(), 24);
  EXPECT_EQ(host.ethernet, std::optional(ether(kOurs)));
  EXPECT_EQ(Bench("10.0.0.1").errors(), "ETH: required argument missing\n");
  EXPECT_EQ(Bench("IP 10.0.0.1, ETH 00:00:00:00:00:0a").errors(), "");
}

TEST(ARPQuerier, HandlersChangeTheTable) {
  Bench test(kUs);
  test.push(0, packet_for("10.0.0.2"));
  test.advance(Duration::seconds(1));
  EXPECT_EQ(test.write("insert", "10.0.0.2 00:00:00:00:00:0b"), "");
  EXPECT_EQ(test.output(0), Packets{frame_to(kTheirs)});
  test.advance(Duration::milliseconds(1500));
  EXPECT_EQ(test.read("table"), "10.0.0.2 1 00-00-00-00-00-0B 1.500000000\n");
  EXPECT_EQ(test.write("delete", "10.0.0.2"), "");
  EXPECT_EQ(test.read("count"), "0");
  test.push(0, packet_for("10.0.0.3"));
  EXPECT_EQ(test.write("clear"), "");
  EXPECT_EQ(test.drops("cleared"), 1);
  EXPECT_EQ(test.write("insert", "10.0.0.2"), "expected 'IP ETH'");
  EXPECT_EQ(test.write("delete", "nobody"), "invalid IP address");
}

TEST(ARPQuerier, OwnAddressMayChange) {
  Bench test(kUs);
  EXPECT_EQ(test.read("ipaddr"), "10.0.0.1");
  EXPECT_EQ(test.write("ipaddr", "10.0.0.9"), "");
  test.push(0, packet_for("10.0.0.2"));
  EXPECT_EQ(test.output(1), Packets{arp(kArpRequest, kOurs, "10.0.0.9", "0:0:0:0:0:0", "10.0.0.2")});
}

TEST(ARPQuerier, OnlyWholeRepliesAreLearned) {
  Bench test(kUs);
  const Bytes reply = reply_from("10.0.0.2");
  for (std::size_t length = 0; length < reply.size(); ++length)
    test.push(1, Bytes(reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(length)));
  EXPECT_EQ(test.drops("not_arp_reply"), reply.size());
  // Everything that RFC 826 asks before it looks at the addresses: types, lengths and the operation.
  for (std::size_t at = 12; at < 22; ++at) {
    Bytes wrong = reply;
    wrong[at] ^= 0x40;
    test.push(1, wrong);
  }
  test.push(1, reply_from("10.0.0.2", "ff:ff:ff:ff:ff:ff"));
  test.push(1, query_for("10.0.0.2"));
  EXPECT_EQ(test.drops("not_arp_reply"), reply.size() + 12);
  EXPECT_EQ(test.read("count"), "0");
}

TEST(ARPQuerier, TableGrowsAsFarAsItMust) {
  Bench test(kUs + ", CAPACITY 0");
  Packets packets;
  for (int i = 0; i < 1000; ++i)
    packets.push_back(TestPacket().set<DestinationAddress>({swap_network(0x0b000000U + i)}));
  test.push(0, packets);
  EXPECT_EQ(test.read("count"), "1000");
  EXPECT_EQ(test.read("length"), "1000");
  test.push(1, reply_from("11.0.3.231"));
  EXPECT_EQ(test.output(0), Packets{frame_to(kTheirs, {})});
}

}  // namespace
}  // namespace packetmill::testing
