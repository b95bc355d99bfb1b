#include "verify/control.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <random>
#include <vector>

namespace packetmill::verify {
namespace {

/// What may be written while packets pass; `%` stands for a number from 0 to 3. Not all of it makes sense everywhere: an
/// element must refuse a wrong value as the interpreter's does.
struct Write {
  std::string_view handler;
  std::string_view value;
};
constexpr Write kWrites[] = {
    {"active", "false"},
    {"active", "true"},
    {"active", "true"},
    {"active", "perhaps"},
    {"addr", "10.0.0.%"},
    {"add", "10.%.0.0/16 %"},
    {"add", "10.0.0.1%/32 10.0.0.% %"},
    {"add", "10.0.%.0/24 00:00:00:00:00:0%"},
    {"burst", "1%"},
    {"capacity", "1%"},
    {"capacity", "%"},
    {"clear", ""},
    {"color", "%"},
    {"ctrl", "add 10.2.%.0/24 %\nremove 10.2.%.0/24"},
    {"data", "\\<4500001c 00000000 40110000 0a00000% 0a000102>"},
    {"delay", "0.0%"},
    {"delete", "10.0.0.%"},
    {"dport", "103%"},
    {"dscp", "1%"},
    {"dst", "10.0.0.%"},
    {"dst", "00:00:00:00:00:0%"},
    {"ethertype", "0x080%"},
    {"flush", ""},
    {"insert", "10.0.0.% 00:00:00:00:00:0%"},
    {"interval", "0.%1"},
    {"ipaddr", "10.0.0.%"},
    {"length", "6%"},
    {"limit", "3%"},
    {"pattern0", "tcp or icmp type echo"},
    {"pattern0", "dst port < 1030"},
    {"pattern0", "192.0.2.% 600%-6010 - - 0 1"},
    {"pattern1", "src net 10.0.%.0/24"},
    {"rate", "100%"},
    {"remove", "10.%.0.0/16"},
    {"remove", "10.0.0.0/24"},
    {"reset", ""},
    {"reset_counts", ""},
    {"reset_timing", ""},
    {"set", "10.%.0.0/16 0"},
    {"set", "10.0.0.0/24 %"},
    {"set", "0/0 10.0.0.% 0"},
    {"sport", "103%"},
    {"src", "10.0.0.%"},
    {"src", "00:00:00:00:00:0%"},
    {"switch", "%"},
    {"switch", "-1"},
    {"vlan_id", "%"},
    {"vlan_pcp", "%"},
    {"vlan_tci", "0x200%"},
};

struct Instruction {
  std::int64_t at;  ///< microseconds
  std::string text;

  auto operator<=>(const Instruction&) const = default;
};

}  // namespace

std::uint64_t seed_of(std::uint64_t seed, std::string_view element) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : element) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ (seed * 0x9e3779b97f4a7c15);
}

std::string control_script(const engine::Router& outline, std::uint64_t seed, Duration span) {
  const std::int64_t microseconds = span.nanoseconds / 1000;
  std::vector<Instruction> writes;
  for (const auto& node : outline.nodes()) {
    std::mt19937_64 random(seed_of(seed + 1, node->name));
    std::vector<Write> known;
    for (const HandlerInfo& handler : outline.handlers(node->name))
      for (const Write& write : kWrites)
        if (handler.writable && handler.name == write.handler) known.push_back(write);
    for (std::uint64_t i = random() % 5; i > 0 && !known.empty(); --i) {
      const Write& write = known[random() % known.size()];
      std::string value(write.value);
      for (char& c : value)
        if (c == '%') c = static_cast<char>('0' + random() % 4);
      writes.push_back({static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(microseconds + 1)),
                        fmt::format("write {}.{} {}", node->name, write.handler, value)});
    }
  }
  std::ranges::sort(writes);
  std::vector<std::string> instructions;
  std::int64_t now = 0;
  for (const Instruction& write : writes) {
    instructions.push_back(fmt::format("wait {}us", write.at - now + 1));
    now = write.at + 1;
    instructions.push_back(write.text);
  }
  constexpr std::int64_t kAfterwards = 20'000'000;  // timers come to an end
  instructions.push_back(fmt::format("wait {}us", std::max<std::int64_t>(microseconds - now, 0) + kAfterwards));
  instructions.emplace_back("stop");
  return fmt::format("{}", fmt::join(instructions, ", "));
}

}  // namespace packetmill::verify
