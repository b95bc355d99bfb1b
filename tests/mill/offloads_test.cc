#include <gmock/gmock.h>

#include "tests/mill/command.h"
#include "tests/mill/emitted.h"
#include "tests/support/packets.h"
#include "tests/support/traces.h"

// offloads = nic: the emulated ConnectX has found a checksum right or says nothing, and a milled program that believes it
// does what the interpreter does, which sums up itself.
namespace packetmill::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kFrames = 600;

/// Frames about which a NIC's word is wrong if it is believed of another header.
std::vector<Bytes> frames() {
  std::vector<Bytes> all;
  for (int i = 0; i < kFrames; ++i) {
    const auto port = static_cast<std::uint16_t>(1000 + i);
    Bytes frame = ethernet(i % 2 == 0 ? tcp(port, 80) : udp(port, 53));
    if (i % 5 == 1) frame[24] ^= 0x40;                                            // the header's checksum
    if (i % 7 == 2) frame.back() ^= 1;                                            // the segment's
    if (i % 13 == 4) frame.insert(frame.begin() + 12, {0x81, 0x00, 0x45, 0x00});  // a tag that begins as a header does
    frame.resize(std::max<std::size_t>(frame.size(), 60));
    all.push_back(frame);
  }
  return all;
}

constexpr const char* kChecks =
    "input :: FromDPDKDevice(0, N_QUEUES 1) -> c :: Classifier(12/0800, -) -> Strip(14) -> first :: CheckIPHeader"
    " -> protocol :: IPClassifier(tcp, udp); protocol[0] -> t :: CheckTCPHeader -> out :: EtherEncap(0x800, "
    "1:1:1:1:1:1, "
    "2:2:2:2:2:2) -> Strip(14) -> again :: CheckIPHeader -> Unstrip(14) -> to :: ToDPDKDevice(0);"
    "protocol[1] -> u :: CheckUDPHeader -> out; c[1] -> tagged :: CheckIPHeader(14) -> to;"
    "Script(label wait, wait 1ms, goto wait $(lt $(input.count) 600), wait 5ms, stop);";

TEST(Offloads, ChecksLetThroughWhatTheInterpretersDo) {
  const ScratchDirectory scratch;
  write_trace(scratch.file("in.pcap"), frames());
  const std::string command = PACKETMILL_COMMAND;
  const std::string program = scratch.file("program");
  const auto run = [&](const std::string& who, const std::string& options) {
    return run_command(who + " -h first.drops -h t.drops -h u.drops -h again.drops -h tagged.drops --dpdk --vdev=" +
                       "net_mlx5_emulated0,trace=" + scratch.file("in.pcap") +
                       ",once=1,sent=" + scratch.file("out.pcap") + options + " --");
  };
  struct Case {
    std::string plan;
    int batch;  ///< of the interpreter that is the oracle
  };
  for (const Case& c : {Case{"all", 1}, Case{"all --set metadata=xchange", 1}, Case{"all --set metadata=overlaying", 1},
                        Case{"paper-all", 32}}) {
    const Ended expected = run(command + " run --batch " + std::to_string(c.batch) + " -e '" + kChecks + "'", "");
    ASSERT_EQ(expected.status, 0) << expected.text;
    const std::vector<Bytes> sent = read_trace(scratch.file("out.pcap"));
    ASSERT_GT(sent.size(), kFrames / 2U);
    const Ended built = run_command(command + " build -o " + program + " --plan " + c.plan +
                                    " --set offloads=nic -e '" + kChecks + "'");
    ASSERT_EQ(built.status, 0) << built.text;
    for (const char* options : {",vector=1", ",vector=0", ",vector=0,compressed=1"}) {
      EXPECT_EQ(run(program, options).text, expected.text) << c.plan << options;
      EXPECT_TRUE(read_trace(scratch.file("out.pcap")) == sent) << c.plan << options;
    }
  }
}

Plan asking() {
  Plan plan = *preset("all");
  plan.offloads = Offloads::nic;
  return plan;
}

/// The struct of an element in generated code.
std::string of_element(const std::string& name, const std::string& code) {
  const std::size_t begin = code.find("\nstruct " + name + "_");
  EXPECT_NE(begin, std::string::npos) << name;
  return code.substr(begin, code.find("\n};", begin) - begin);
}

TEST(Offloads, TheNicIsBelievedUntilAnElementChangesAByte) {
  const std::string code = emitted(kChecks, asking());
  for (const char* name : {"first", "t", "u", "tagged"})
    EXPECT_THAT(of_element(name, code), HasSubstr("kTrustsNic = true"));
  EXPECT_THAT(of_element("again", code), Not(HasSubstr("kTrustsNic")));
  EXPECT_THAT(emitted(kChecks), Not(HasSubstr("kTrustsNic"))) << "it is software that checks, unless it is asked for";
}

TEST(Offloads, WhereAChangedFrameComesTooNobodyIsBelieved) {
  EXPECT_THAT(of_element("joined", emitted("FromDPDKDevice(0) -> joined :: CheckIPHeader(14) -> t :: Tee -> "
                                           "ToDPDKDevice(0); t[1] -> DecIPTTL(CALC_CHECKSUM true) -> joined",
                                           asking())),
              Not(HasSubstr("kTrustsNic")));
}

}  // namespace
}  // namespace packetmill::testing
