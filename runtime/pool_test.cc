#include "runtime/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace packetmill {
namespace {

TEST(PacketPool, GivesPacketsWithTheRoomThatWasAskedFor) {
  PacketDepot depot(10);
  PacketPool pool(depot);
  for (const std::uint32_t length : {0U, 1U, 60U, 1514U, 2048U, 2049U, 9000U, 65535U}) {
    Packet* packet = pool.allocate(length);
    ASSERT_NE(packet, nullptr);
    EXPECT_EQ(packet->length(), length);
    EXPECT_EQ(packet->headroom(), kHeadroom);
    EXPECT_GE(packet->tailroom(), kTailroom);
    std::memset(packet->buffer(), 0xab, packet->capacity());
    pool.free(packet);
  }
  Packet* roomy = pool.allocate(60, 5000);
  EXPECT_EQ(roomy->headroom(), 5000);
  pool.free(roomy);
}

TEST(PacketPool, GivesPacketsWhoseFieldsReadAsZero) {
  PacketDepot depot(1);
  PacketPool pool(depot);
  Packet* packet = pool.allocate(10);
  packet->set<PaintColor>(7);
  packet->set<NetworkHeader>(7);
  pool.free(packet);
  packet = pool.allocate(10);
  EXPECT_EQ(packet->get<PaintColor>(), 0);
  EXPECT_EQ(packet->get<NetworkHeader>(), 0);
  pool.free(packet);
}

TEST(PacketPool, HasAsManyPacketsAsItsDepotMay) {
  PacketDepot depot(3000);
  PacketPool pool(depot);
  std::set<Packet*> packets;
  while (Packet* packet = pool.allocate(60)) packets.insert(packet);
  EXPECT_EQ(packets.size(), 3000);
  pool.reserve(5);
  for (int i = 0; i < 5; ++i) packets.insert(pool.allocate(60));
  EXPECT_EQ(packets.size(), 3005);
  EXPECT_EQ(pool.allocate(60), nullptr);
  for (Packet* packet : packets) pool.free(packet);
  EXPECT_NE(pool.allocate(60), nullptr);
}

TEST(PacketPool, PacketsThatOneCoreFreesAnotherOneGets) {
  PacketDepot depot(2000);
  PacketPool one(depot);
  PacketPool other(depot);
  for (int round = 0; round < 5; ++round) {
    std::vector<Packet*> packets;
    while (Packet* packet = one.allocate(60)) packets.push_back(packet);
    EXPECT_GT(packets.size(), 500);
    for (Packet* packet : packets) other.free(packet);
  }
}

TEST(PacketPool, GivesADriversBufferBack) {
  struct Owner {
    std::uint8_t buffer[100];
    int released = 0;
  } owner;
  const auto release = [](void* object) { ++static_cast<Owner*>(object)->released; };
  PacketDepot depot(1);
  PacketPool pool(depot);
  Packet* packet = pool.adopt(owner.buffer, 100, 20, 60, &owner, release);
  ASSERT_NE(packet, nullptr);
  EXPECT_EQ(packet->data(), owner.buffer + 20);
  EXPECT_EQ(packet->tailroom(), 20);
  EXPECT_EQ(pool.adopt(owner.buffer, 100, 20, 60, &owner, release), nullptr) << "none is left";
  pool.free(packet);
  EXPECT_EQ(owner.released, 1);
  packet = pool.adopt(owner.buffer, 100, 20, 60, &owner, release);
  pool.free_metadata(packet);
  EXPECT_EQ(owner.released, 1) << "whoever sends it has the buffer";
  pool.free(pool.allocate(10));
  EXPECT_EQ(owner.released, 1);
}

}  // namespace
}  // namespace packetmill
