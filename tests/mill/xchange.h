#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/mill/command.h"
#include "tests/support/traces.h"

namespace packetmill::testing {

inline constexpr int kFrames = 600;

inline std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A function that stops itself once its port `input` has received everything.
inline std::string stopping(const std::string& function) {
  return function + "\nScript(label wait, wait 1ms, goto wait $(lt $(input.count) " + std::to_string(kFrames) +
         "), wait 5ms, stop);\n";
}

/// Programs over an emulated ConnectX, which receives `in.pcap` and writes what is sent.
class Exchange : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ended made = run_command(std::string(PACKETMILL_COMMAND) + " traffic -o " + scratch_.file("in.pcap") +
                                   " --size campus --packets " + std::to_string(kFrames) + " --tcp 0.4 --icmp 0.1");
    ASSERT_EQ(made.status, 0) << made.text;
  }

  [[nodiscard]] std::string device(const std::string& options) const {
    return " --dpdk --vdev=net_mlx5_emulated0,trace=" + scratch_.file("in.pcap") + options + " --";
  }

  /// What the command's network function sends; the message where it fails.
  std::vector<Bytes> sent_by(const std::string& command, const std::string& device_options) {
    const std::string sent = scratch_.file("sent.pcap");
    const Ended ended = run_command(command + device(",once=1,sent=" + sent + device_options));
    EXPECT_EQ(ended.status, 0) << ended.text;
    return read_trace(sent);
  }

  std::string build(const std::string& file, const std::string& plan) {
    std::string program = scratch_.file("nf");
    const Ended built = run_command(std::string(PACKETMILL_COMMAND) + " build " + file + " -o " + program + " " + plan);
    EXPECT_EQ(built.status, 0) << built.text;
    return program;
  }

  void expect_equal(const std::string& function, const std::vector<std::string>& plans) {
    const std::string file = scratch_.file("nf.click");
    std::ofstream(file) << function;
    const std::vector<Bytes> expected = sent_by(std::string(PACKETMILL_COMMAND) + " run " + file, "");
    ASSERT_GT(expected.size(), kFrames / 2U);
    for (const std::string& plan : plans) {
      const std::string program = build(file, plan);
      for (const char* options : {",vector=1", ",vector=0", ",vector=0,compressed=1"})
        EXPECT_EQ(sent_by(program, options), expected) << plan << options;
    }
  }

  ScratchDirectory scratch_;
};

}  // namespace packetmill::testing
