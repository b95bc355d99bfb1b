#include <gmock/gmock.h>

#include <algorithm>

#include "tests/mill/xchange.h"
#include "tests/support/packets.h"

// Buffers under exchange are never lost nor held twice. A milled program counts them itself when its ports are closed, and
// fails where one is missing: a status of zero says that all were there, wherever packets were when it ended.
namespace packetmill::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class ExchangeSafety : public Exchange {
 protected:
  std::string program_of(const std::string& function, const std::string& plan = "--plan all --set metadata=xchange") {
    const std::string file = scratch_.file("nf.click");
    std::ofstream(file) << function;
    return build(file, plan);
  }

  /// Runs until the program says "up", and ends it by SIGTERM.
  Ended run_until_terminated(const std::string& command) {
    const std::string up = scratch_.file("up");
    return run_command("rm -f " + up + "; mkfifo " + up + "; " + command + " > " + up + " & exec 3< " + up +
                       "; read line <&3; kill -TERM $!; cat <&3; wait $!");
  }
};

// Packets for an address that nobody answers for, packets in a Queue that is full, frames that the transmit ring has no room
// for.
const std::string kEverywhere =
    "input :: FromDPDKDevice(0, N_QUEUES 1, NDESC 64) -> c :: RoundRobinSwitch;"
    "to :: ToDPDKDevice(0, NDESC 64, IQUEUE 32, BLOCKING false);"
    "arp :: ARPQuerier(10.0.0.1, 98:03:9b:33:fe:e2); Idle -> [1] arp; arp -> to;"
    "c[0] -> Strip(14) -> SetIPAddress(10.0.0.2) -> [0] arp;"
    "c[1] -> q :: Queue(500) -> Unqueue(ACTIVE false) -> Discard;"
    "c[2] -> t :: Tee(16) -> to;" +
    [] {
      std::string copies;
      for (int i = 1; i < 16; ++i) copies += "t[" + std::to_string(i) + "] -> to; ";
      return copies;
    }() +
    "Script(label wait, wait 1ms, goto wait $(lt $(q.length) 500), goto wait $(eq $(arp.length) 0),"
    "       goto wait $(eq $(to.n_dropped) 0), print \"up\");";

TEST_F(ExchangeSafety, NoneIsMissingWhenAProgramIsTerminatedUnderLoad) {
  const std::string program = program_of(kEverywhere);
  for (const char* options :
       {",vector=1", ",vector=0", ",vector=0,bad=7", ",vector=1,bad=7", ",vector=0,compressed=1", ",vector=0,core=0"}) {
    const Ended ended = run_until_terminated(program + device(options));
    EXPECT_EQ(ended.status, 0) << options << "\n" << ended.text;
  }
}

TEST_F(ExchangeSafety, NoneIsMissingWhereMetadataIsInRegisters) {
  const Ended ended = run_until_terminated(program_of(kEverywhere, "--plan all") + device(",vector=0,bad=7"));
  EXPECT_EQ(ended.status, 0) << ended.text;
}

// The NIC sends before it receives, so a program that waits for a full ring waits for ever; on two cores, for the other to
// say that it is up.
TEST_F(ExchangeSafety, AProgramThatWaitsForAFullRingEndsToo) {
  const std::string program = program_of(
      "input :: FromDPDKDevice(0, N_QUEUES 1) -> t :: Tee(3); to :: ToDPDKDevice(0, NDESC 64, IQUEUE 64);"
      "t[0] -> to; t[1] -> to; t[2] -> to; StaticThreadSched(input 1); Script(print \"up\");",
      "--plan all --set cores=2");
  const Ended ended = run_until_terminated(program + device(""));
  EXPECT_EQ(ended.status, 0) << ended.text;
}

// A thread that lets go of packets, but has no device: a core that discards, the one that hears signals.
TEST_F(ExchangeSafety, NoneStaysWithAThreadThatHasNoDevice) {
  const std::string program = program_of(
      "input :: FromDPDKDevice(0, N_QUEUES 1) -> s :: RoundRobinSwitch; StaticThreadSched(u 1);"
      "s[0] -> Queue -> u :: Unqueue -> d :: Counter -> Discard;"
      "s[1] -> q :: Queue(500) -> Unqueue(ACTIVE false) -> Discard;"
      "Script(label wait, wait 1ms, goto wait $(lt $(q.length) 500), goto wait $(lt $(d.count) 500), print \"up\");"
      "Script(TYPE SIGNAL TERM, write q.reset, stop);",
      "--plan all --set cores=2");
  const Ended ended = run_until_terminated(program + device("") + " -h q.length");
  EXPECT_EQ(ended.status, 0) << ended.text;
  EXPECT_THAT(ended.text, EndsWith("0\n"));
}

// What a host on an Ethernet sees: packets whose next hop is not known wait for an answer, and what is known waits for its
// turn.
TEST_F(ExchangeSafety, QuerierQueuesAndSchedulersSendWhatTheInterpreterSends) {
  std::vector<Bytes> frames;
  for (int i = 0; i < kFrames; ++i) {
    const auto port = static_cast<std::uint16_t>(1000 + i);
    frames.push_back(ethernet(i % 3 == 0 ? tcp(port, 80) : udp(port, i % 3 == 1 ? 53 : 99)));
    if (i == 300) frames.push_back(arp(2, "b8:83:03:6f:43:39", "10.0.0.2", "98:03:9b:33:fe:e2", "10.0.0.1"));
  }
  write_trace(scratch_.file("in.pcap"), frames);
  expect_equal(
      "input :: FromDPDKDevice(0, N_QUEUES 1) -> c :: Classifier(12/0806 20/0002, 12/0800);"
      "arp :: ARPQuerier(10.0.0.1, 98:03:9b:33:fe:e2); c[0] -> [1] arp; arp[1] -> Discard;"
      "c[1] -> Strip(14) -> MarkIPHeader -> SetIPAddress(10.0.0.2) -> [0] arp;"
      "arp -> kinds :: IPClassifier(tcp, dst udp port 53, -);"
      "rr :: RoundRobinSched; first :: PrioSched;"
      "kinds[0] -> Queue -> [0] rr; kinds[1] -> q :: Queue -> [1] rr;"
      "kinds[2] -> Queue -> [0] first; rr -> [1] first; first -> u :: Unqueue(ACTIVE false) -> to :: ToDPDKDevice(0);"
      "Script(label fill, wait 1ms, goto fill $(lt $(input.count) 601), write u.active true,"
      "       label rest, wait 1ms, goto rest $(lt $(to.count) 600), stop);",
      {"--plan all --set metadata=xchange", "--plan all"});
}

// Copies are made of packets of the program's own, and go out in spare buffers.
TEST_F(ExchangeSafety, ACopyIsAFrameLikeItsOriginal) {
  const std::string function =
      "input :: FromDPDKDevice(0, N_QUEUES 1) -> t :: Tee(3); to :: ToDPDKDevice(0);"
      "t[0] -> EtherMirror -> to; t[1] -> Queue -> Unqueue -> Strip(14) -> EtherEncap(0x0800, 1:1:1:1:1:1, "
      "2:2:2:2:2:2) -> to;"
      "t[2] -> to; Script(label wait, wait 1ms, goto wait $(lt $(to.count) 1800), stop);";
  const auto sorted = [](std::vector<Bytes> frames) {
    std::ranges::sort(frames);  // a fused loop takes copies to their end one by one
    return frames;
  };
  const std::string file = scratch_.file("nf.click");
  std::ofstream(file) << function;
  const auto expected = sorted(sent_by(std::string(PACKETMILL_COMMAND) + " run " + file, ""));
  EXPECT_EQ(expected.size(), 1800U);
  EXPECT_EQ(sorted(sent_by(program_of(function), "")), expected);
}

TEST_F(ExchangeSafety, AStoreThatNoPoolCanServeIsRefusedByName) {
  const std::string program =
      program_of("FromDPDKDevice(0) -> Queue(100) -> Unqueue -> big :: Queue(2000000) -> Unqueue -> ToDPDKDevice(0);");
  const Ended ended = run_command(program + device(""));
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.text, HasSubstr("nf.click:1:1: error: "));
  EXPECT_THAT(ended.text, HasSubstr("nf.click:1:47) may hold 2000000 packets"));
  EXPECT_THAT(ended.text, HasSubstr("give it a smaller capacity"));
  // Where no port exchanges, packets of the queue have no buffers of the NIC's.
  EXPECT_EQ(run_command(program + " -q --dpdk --vdev=net_null0 --").text,
            "port 0 has no X-Change, metadata lies beside its mbufs: its driver has no X-Change data path\n");
}

}  // namespace
}  // namespace packetmill::testing
