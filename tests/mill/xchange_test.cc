#include "tests/mill/xchange.h"

#include <gmock/gmock.h>

#include <map>

// Programs over an emulated ConnectX: whatever their metadata model, and whether their port exchanges buffers or not, they
// send what the interpreter sends, and every buffer comes back.
namespace packetmill::testing {
namespace {

TEST_F(Exchange, RouterSendsWhatTheInterpreterSends) {
  expect_equal(stopping(text_of("bench/nf/router.click")),
               {"--plan all", "--plan all --set metadata=xchange", "--plan paper-all --set metadata=xchange"});
}

TEST_F(Exchange, PacketsMayWaitInQueuesLongerThanABurst) {
  expect_equal(
      "FromDPDKDevice(0, N_QUEUES 1) -> q :: Queue(1000) -> u :: Unqueue(ACTIVE false) -> EtherMirror"
      " -> to :: ToDPDKDevice(0);"
      "Script(label fill, wait 1ms, goto fill $(lt $(q.length) 600), write u.active true,"
      "       label rest, wait 1ms, goto rest $(lt $(to.count) 600), stop);",
      {"--plan all --set metadata=xchange"});
}

TEST_F(Exchange, SeveralQueuesHaveTheFlowsThatTheirHashLeadsTo) {
  const std::string file = scratch_.file("nf.click");
  std::ofstream(file) << stopping("input :: FromDPDKDevice(0, N_QUEUES 2) -> EtherMirror -> ToDPDKDevice(0);");
  const std::string program = build(file, "--plan all --set cores=2");
  // A flow's frames keep their order; those of different flows do not.
  const auto by_flow = [](const std::vector<Bytes>& frames) {
    std::map<Bytes, std::vector<Bytes>> flows;
    for (const Bytes& frame : frames) flows[Bytes(frame.begin() + 26, frame.begin() + 38)].push_back(frame);
    return flows;
  };
  const auto sent = by_flow(sent_by(program, ""));
  EXPECT_GT(sent.size(), 10U);
  std::ofstream(file) << stopping("input :: FromDPDKDevice(0, N_QUEUES 1) -> EtherMirror -> ToDPDKDevice(0);");
  EXPECT_EQ(sent, by_flow(sent_by(std::string(PACKETMILL_COMMAND) + " run " + file, "")));
}

TEST_F(Exchange, ANICOnAnotherCoreGivesEveryFrameToo) {
  const std::string function = stopping("input :: FromDPDKDevice(0, N_QUEUES 1) -> EtherMirror -> ToDPDKDevice(0);");
  const std::string file = scratch_.file("nf.click");
  std::ofstream(file) << function;
  const std::string run = std::string(PACKETMILL_COMMAND) + " run " + file;
  EXPECT_EQ(sent_by(run, ",core=0"), sent_by(run, ""));
}

TEST_F(Exchange, APortThatCannotIsNamedOnce) {
  const std::string program = scratch_.file("nf");
  const Ended built = run_command(std::string(PACKETMILL_COMMAND) + " build -o " + program +
                                  " --plan all --set metadata=xchange -e 'input :: FromDPDKDevice(0) -> "
                                  "ToDPDKDevice(0); Script(wait 2ms, stop)'");
  ASSERT_EQ(built.status, 0) << built.text;
  const Ended ended = run_command(program + " --dpdk --vdev=net_null0 --");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.text,
            "port 0 has no X-Change, metadata lies beside its mbufs: its driver has no X-Change data path\n");
}

}  // namespace
}  // namespace packetmill::testing
