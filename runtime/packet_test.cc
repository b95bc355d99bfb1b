#include "runtime/packet.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "runtime/element.h"
#include "runtime/headers.h"
#include "runtime/pool.h"

namespace packetmill {
namespace {

/// Both kinds of packet: the interpreter's, and one of chosen fields.
template <class P>
class AnyPacket : public ::testing::Test {
 protected:
  /// A frame of bytes 0, 1, 2, ... in a buffer of `headroom + length + tailroom` bytes.
  P& make(std::uint32_t headroom, std::uint32_t length, std::uint32_t tailroom) {
    buffer_.assign(headroom + length + tailroom, 0xee);
    packet_.set_frame(buffer_.data(), static_cast<std::uint32_t>(buffer_.size()), headroom, length);
    std::iota(packet_.data(), packet_.data() + length, std::uint8_t{0});
    if constexpr (requires { packet_.clear_metadata(); }) packet_.clear_metadata();
    return packet_;
  }

 private:
  std::vector<std::uint8_t> buffer_;
  P packet_;
};
using Packets = ::testing::Types<Packet, PacketOf<MacHeader, NetworkHeader, TransportHeader, PaintColor>>;
TYPED_TEST_SUITE(AnyPacket, Packets);

TYPED_TEST(AnyPacket, KnowsItsRoom) {
  auto& packet = this->make(10, 20, 30);
  EXPECT_EQ(packet.headroom(), 10);
  EXPECT_EQ(packet.length(), 20);
  EXPECT_EQ(packet.tailroom(), 30);
  EXPECT_EQ(packet.capacity(), 60);
}

TYPED_TEST(AnyPacket, GivesNoHeaderThatIsNotWhole) {
  auto& packet = this->make(1, 20, 30);
  EXPECT_NE(packet.template header<IPv4Header>(), nullptr);
  EXPECT_EQ(packet.template header<IPv4Header>(1), nullptr);
  EXPECT_NE(packet.template header<std::uint8_t>(19), nullptr);
  EXPECT_EQ(packet.template header<std::uint8_t>(20), nullptr);
  EXPECT_EQ(packet.template header<std::uint8_t>(0xffffffff), nullptr);
}

TYPED_TEST(AnyPacket, GivesNoHeaderOfAnEmptyFrame) {
  EXPECT_EQ(this->make(1, 0, 0).template header<std::uint8_t>(), nullptr);
}

TYPED_TEST(AnyPacket, PullsTakesAndPuts) {
  auto& packet = this->make(10, 20, 5);
  packet.pull(3);
  packet.take(2);
  EXPECT_EQ(packet.length(), 15);
  EXPECT_EQ(packet.data()[0], 3);
  EXPECT_EQ(packet.tailroom(), 7);
  EXPECT_FALSE(packet.put(8));
  EXPECT_EQ(packet.length(), 15);
  EXPECT_TRUE(packet.put(7));
  EXPECT_EQ(packet.length(), 22);
  EXPECT_EQ(packet.tailroom(), 0);
}

TYPED_TEST(AnyPacket, PushesIntoItsHeadroomWhereThereIsEnough) {
  auto& packet = this->make(10, 20, 0);
  packet.template set<NetworkHeader>(10);
  const auto* data = packet.data();
  EXPECT_TRUE(packet.push(4));
  EXPECT_EQ(packet.length(), 24);
  EXPECT_EQ(packet.data(), data - 4);
  EXPECT_EQ(packet.template get<NetworkHeader>(), 10);
}

TYPED_TEST(AnyPacket, PushMovesFrameAndHeaderPositionsWhereTheHeadroomIsTooSmall) {
  auto& packet = this->make(4, 20, 30);
  packet.template set<MacHeader>(2);
  packet.template set<NetworkHeader>(4);
  packet.template set<PaintColor>(7);
  ASSERT_TRUE(packet.push(14));
  EXPECT_EQ(packet.length(), 34);
  EXPECT_EQ(packet.headroom(), 1) << "no frame begins with its buffer: header position 0 means 'not set'";
  for (std::uint8_t i = 0; i < 20; ++i) EXPECT_EQ(packet.data()[14 + i], i);
  EXPECT_EQ(packet.template get<NetworkHeader>(), packet.headroom() + 14);
  EXPECT_EQ(packet.template get<MacHeader>(), packet.headroom() + 12);
  EXPECT_EQ(packet.template get<TransportHeader>(), 0) << "was not set, and stays so";
  EXPECT_EQ(packet.template get<PaintColor>(), 7);
}

TYPED_TEST(AnyPacket, PushDoesNothingWhereTheBufferIsTooSmall) {
  auto& packet = this->make(4, 20, 5);
  packet.template set<NetworkHeader>(4);
  EXPECT_FALSE(packet.push(9)) << "one byte must stay in front";
  EXPECT_EQ(packet.length(), 20);
  EXPECT_EQ(packet.headroom(), 4);
  EXPECT_EQ(packet.data()[0], 0);
  EXPECT_EQ(packet.template get<NetworkHeader>(), 4);
  EXPECT_TRUE(packet.push(8));
  EXPECT_EQ(packet.tailroom(), 0);
}

TYPED_TEST(AnyPacket, OfTheGreatestLength) {
  auto& packet = this->make(1, 65535, 20);
  EXPECT_TRUE(packet.push(20));
  EXPECT_EQ(packet.length(), 65555);
  EXPECT_EQ(packet.data()[20 + 65534], static_cast<std::uint8_t>(65534));
  EXPECT_FALSE(packet.push(1));
}

/// An element that may look at the network header.
struct Looker {
  using Reads = Fields<NetworkHeader>;
};

TYPED_TEST(AnyPacket, HeaderAtAPositionIsWholeOrNull) {
  auto& packet = this->make(10, 20, 30);
  const View<Looker, TypeParam> view(packet);
  const auto header_at = [&](std::uint32_t position) {
    packet.template set<NetworkHeader>(position);
    return view.template header_at<IPv4Header, NetworkHeader>();
  };
  EXPECT_EQ(header_at(0), nullptr) << "not set";
  EXPECT_EQ(static_cast<void*>(header_at(10)), packet.data());
  EXPECT_EQ(header_at(11), nullptr) << "reaches past the frame's end";
  EXPECT_NE(header_at(1), nullptr) << "in front of the frame: stripped, but still there";
  EXPECT_EQ(header_at(0xfffffff0), nullptr);
}

TEST(Packet, FieldsReadAsZeroUntilTheyAreWritten) {
  Packet packet;
  packet.clear_metadata();
  packet.set<DestinationAddress>(IPv4Address::from_host(1));
  packet.set<RssHash>(5);
  EXPECT_EQ(packet.annotations()[3], 1) << "an address lies in network byte order";
  Packet copy;
  copy.copy_metadata(packet);
  EXPECT_EQ(copy.get<RssHash>(), 5);
  packet.clear_metadata();
  EXPECT_EQ(packet.get<DestinationAddress>(), IPv4Address{});
  EXPECT_EQ(packet.get<RssHash>(), 0);
  EXPECT_EQ(copy.get<DestinationAddress>(), IPv4Address::from_host(1));
}

}  // namespace
}  // namespace packetmill
