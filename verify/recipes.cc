#include "verify/recipes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

// Arguments stay among few addresses, ports and colours, so that packets meet all that a configuration says of them.
namespace packetmill::verify {
namespace {

std::string flag(Dice& dice) { return dice.of({"true", "false"}); }
std::string address(Dice& dice) { return fmt::format("10.0.{}.{}", dice.below(2), dice.between(1, 9)); }
std::string ethernet(Dice& dice) { return fmt::format("00:00:00:00:00:0{}", dice.below(4)); }
std::string color(Dice& dice) { return std::to_string(dice.below(4)); }

/// Some of the arguments, at least least, in their order.
std::string some(Dice& dice, std::vector<std::string> arguments, std::size_t least = 0) {
  while (arguments.size() > least && !dice.one_in(3))
    arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(
                                            least + dice.below(static_cast<std::uint32_t>(arguments.size() - least))));
  return fmt::format("{}", fmt::join(arguments, ", "));
}

/// With one output or two.
Draft with_exit(Dice& dice, std::string arguments) { return {std::move(arguments), 1, dice.between(1, 2)}; }
Draft plain(Dice& /*dice*/) { return {}; }

Draft classifier(Dice& dice) {
  Draft draft{"", 1, dice.between(1, 4)};
  for (int i = 0; i < draft.outputs; ++i)
    draft.arguments +=
        (i > 0 ? ", " : "") +
        dice.of({"12/0800", "12/0806", "12/0806 20/0001", "12/0806 20/0002", "0/45", "9/06", "23/11", "!12/0800",
                 "16/0a00%ff80", "30/??", "12/08??%ff0f !20/0001", "60/00", "33/0?", "0/40%f0 8/00%c0", "-"});
  return draft;
}

std::string pattern(Dice& dice) {
  std::string one = dice.of({"tcp",
                             "udp",
                             "icmp type echo",
                             "src net 10.0.0.0/24",
                             "dst host 10.0.0.1",
                             "dst port < 1024",
                             "tcp opt syn",
                             "ip frag",
                             "ip unfrag",
                             "ip ttl > 3",
                             "ip[8:1] 64",
                             "transp[13:1] & 0x12",
                             "src port 1030",
                             "net 10.0.0.0 mask 255.255.254.0",
                             "ip proto 47",
                             "ip hl > 5",
                             "tcp win 0",
                             "ether host 00:00:00:00:00:01",
                             "ip dscp 0",
                             "ip ce",
                             "ip id & 1",
                             "true",
                             "false"});
  switch (dice.below(5)) {
    case 0:
      return fmt::format("({}) and not ({})", one, pattern(dice));
    case 1:
      return fmt::format("({}) or ({})", one, pattern(dice));
    default:
      return one;
  }
}

Draft ip_classifier(Dice& dice) {
  std::vector<std::string> patterns;
  for (int i = dice.between(1, 3); i > 0; --i) patterns.push_back(pattern(dice));
  if (dice.one_in(2)) patterns.emplace_back("-");
  return {fmt::format("{}", fmt::join(patterns, ", ")), 1, static_cast<int>(patterns.size())};
}

Draft ip_filter(Dice& dice) {
  std::vector<std::string> rules;
  for (int i = dice.between(0, 3); i > 0; --i)
    rules.push_back(dice.of({"allow ", "deny ", "drop ", "0 ", "1 "}) + pattern(dice));
  rules.emplace_back("1 icmp");  // there is always an output 1
  rules.push_back(dice.of({"allow all", "deny all"}));
  return {fmt::format("{}", fmt::join(rules, ", ")), 1, 2};
}

Draft check_ip_header(Dice& dice) {
  return with_exit(dice,
                   some(dice, {"OFFSET " + dice.of({"0", "0", "0", "14", "4"}), "INTERFACES 10.0.0.1/24 10.0.1.1/24",
                               "BADSRC 10.0.0.3 10.0.1.4", "GOODDST 10.0.0.1", "CHECKSUM " + flag(dice), "VERBOSE true",
                               "DETAILS " + flag(dice)}));
}
Draft check_segment(Dice& dice) { return with_exit(dice, some(dice, {"VERBOSE true", "DETAILS true"})); }
Draft check_sum_segment(Dice& dice) {
  return with_exit(dice, some(dice, {"VERBOSE true", "DETAILS true", "CHECKSUM " + flag(dice)}));
}

Draft routes(Dice& dice) {
  Draft draft{"", 1, dice.between(1, 3)};
  std::vector<std::string> list;
  for (int i = 0; i < draft.outputs; ++i)
    list.push_back(fmt::format("{} {}{}", dice.of({"10.0.0.0/24", "10.0.1.0/24", "10.0.0.1/32", "10.0.0.0/28"}),
                               dice.one_in(3) ? address(dice) + " " : "", i));
  if (dice.one_in(2)) list.push_back(fmt::format("0/0 {}{}", dice.one_in(2) ? "10.0.0.254 " : "", draft.outputs - 1));
  // Of two routes for one prefix the later counts, with a warning: have one each.
  std::vector<std::string> prefixes;
  std::erase_if(list, [&](const std::string& route) {
    const std::string prefix = route.substr(0, route.find(' '));
    const bool known = std::ranges::find(prefixes, prefix) != prefixes.end();
    prefixes.push_back(prefix);
    return known;
  });
  draft.arguments = fmt::format("{}", fmt::join(list, ", "));
  return draft;
}

Draft rewriter(Dice& dice, std::vector<std::string> times) {
  Draft draft{"", dice.between(1, 3), 2};
  std::vector<std::string> words;
  for (int i = 0; i < draft.inputs; ++i)
    words.push_back(dice.of({"pattern 192.0.2.1 5000-5003 - - 0 1", "pattern 192.0.2.2 5000-5002? - - 0 1",
                             "pattern - - 10.0.0.2 80 1 0", "pattern 192.0.2.3 1024-1040# - - 1 0", "keep 0 1", "drop",
                             "pass 1", "pass 0"}));
  times.push_back(fmt::format("MAPPING_CAPACITY {}", dice.between(4, 40)));
  times.push_back("DST_ANNO " + flag(dice));
  times.emplace_back("REAP_INTERVAL 3");
  if (const std::string chosen = some(dice, std::move(times)); !chosen.empty()) words.push_back(chosen);
  draft.arguments = fmt::format("{}", fmt::join(words, ", "));
  return draft;
}

Draft icmp_error(Dice& dice) {
  return {fmt::format(
      "{}, {}{}", address(dice),
      dice.of({"timeexceeded", "unreachable, host", "unreachable, needfrag", "redirect, host", "parameterproblem",
               "sourcequench", "11, 1"}),
      dice.one_in(3) ? dice.of({", BADADDRS 10.0.0.2 10.0.0.3", ", MTU 128", ", PMTU 1400", ", SET_FIX_ANNO false"})
                     : "")};
}

Draft queue(Dice& dice) { return {dice.one_in(4) ? "" : std::to_string(dice.between(1, 40)), 1, dice.between(1, 2)}; }
Draft scheduler(Dice& dice) { return {"", dice.between(1, 3), 1}; }

std::string data(Dice& dice) {
  return "DATA " + dice.of({"\\<4500001c 00000000 40110000 0a000001 0a000102 00500051 00080000>", "abcdefghij",
                            "\\<00000000 00010000 00000002 0800 4500 0014 0000 0000 4006 66e7 0a000001 0a000002>",
                            "\"\"", "\\<0a>"});
}
std::string limit(Dice& dice) { return fmt::format("LIMIT {}", dice.between(1, 60)); }

constexpr bool kModest = true;
constexpr bool kAny = false;

constexpr Recipe kRecipes[] = {
    // Where packets begin. Every source has an end, so that simulated time comes to one.
    {"FromDump", Role::source, Layer::any, Layer::ethernet, kAny, Annotations::common,
     [](Dice& dice) { return Draft{"in.pcap" + std::string(dice.one_in(4) ? ", FORCE_IP true" : ""), 0, 1}; }},
    {"InfiniteSource", Role::source, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{limit(dice) + ", " +
                        some(dice, {data(dice), fmt::format("BURST {}", dice.between(1, 40)),
                                    fmt::format("LENGTH {}", dice.between(0, 90)), "TIMESTAMP " + flag(dice),
                                    fmt::format("HEADROOM {}", dice.between(0, 128))},
                             1),
                    0, 1};
     }},
    {"RatedSource", Role::source, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{fmt::format("{}, {}, RATE {}", data(dice), limit(dice), dice.of({"3", "100", "20000"})), 0, 1};
     }},
    {"TimedSource", Role::source, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{fmt::format("INTERVAL {}, {}, {}", dice.of({"0.001", "0.25", "1"}), data(dice), limit(dice)), 0, 1};
     }},
    {"FromIPSummaryDump", Role::source, Layer::any, Layer::ip, kAny, Annotations::aggregate,
     [](Dice& dice) {
       return Draft{"DATA \"!data ip_src ip_dst ip_proto sport dport count aggregate\\n10.0.0.1 10.0.0.2 T 80 1030 2 7\\n"
                    "10.0.0.3 10.0.1.4 U 53 1031 1 8\\n10.0.0.1 10.0.1.2 I - - 3 9\\n\", " +
                        some(dice, {"CHECKSUM " + flag(dice), "MULTIPACKET " + flag(dice), "SAMPLE 0.5"}, 1),
                    0, 1};
     }},

    // Classification.
    {"Classifier", Role::push, Layer::ethernet, Layer::any, kModest, Annotations::common, classifier},
    {"IPClassifier", Role::push, Layer::ip, Layer::any, kModest, Annotations::common, ip_classifier},
    {"IPFilter", Role::push, Layer::ip, Layer::any, kModest, Annotations::common, ip_filter},

    // Ethernet.
    {"ARPQuerier", Role::push, Layer::ip, Layer::ethernet, kAny, Annotations::vlan,
     [](Dice& dice) {
       return Draft{
           "10.0.0.1/24, 00:00:00:00:00:01" +
               dice.of({"", "", ", CAPACITY 6", ", ENTRY_CAPACITY 3, ENTRY_PACKET_CAPACITY 2",
                        ", TIMEOUT 2, POLL_TIMEOUT 1", ", BROADCAST_POLL true, BROADCAST 10.0.0.254"}),
           2, dice.between(1, 2)};
     }},
    {"ARPResponder", Role::either, Layer::ethernet, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return with_exit(dice, dice.of({"10.0.0.1 00:00:00:00:00:01", "10.0.0.0/24 00:00:00:00:00:02",
                                       "10.0.0.1 10.0.1.0/24 00:00:00:00:00:01, 10.0.0.0/28 00:00:00:00:00:03"}));
     }},
    {"EtherEncap", Role::either, Layer::ip, Layer::ethernet, kAny, Annotations::common,
     [](Dice& dice) { return Draft{fmt::format("0x0800, {}, {}", ethernet(dice), ethernet(dice))}; }},
    {"EtherMirror", Role::either, Layer::ethernet, Layer::any, kAny, Annotations::common, plain},
    {"EtherRewrite", Role::either, Layer::ethernet, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{fmt::format("SRC {}, DST {}", ethernet(dice), ethernet(dice))}; }},
    {"HostEtherFilter", Role::either, Layer::ethernet, Layer::any, kModest, Annotations::common,
     [](Dice& dice) {
       return with_exit(dice, ethernet(dice) + ", " + some(dice, {"DROP_OWN " + flag(dice), "DROP_OTHER " + flag(dice)}, 1));
     }},
    {"MarkMACHeader", Role::either, Layer::ethernet, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"", "0", "OFFSET 2", "0, 14"})}; }},
    {"SetVLANAnno", Role::either, Layer::any, Layer::any, kModest, Annotations::vlan,
     [](Dice& dice) { return Draft{dice.of({"100", "VLAN_ID 3, VLAN_PCP 5", "VLAN_TCI 0x2001"})}; }},
    {"VLANDecap", Role::either, Layer::ethernet, Layer::any, kModest, Annotations::vlan,
     [](Dice& dice) { return Draft{some(dice, {"ANNO " + flag(dice), "ETHERTYPE 0x88a8"})}; }},
    {"VLANEncap", Role::either, Layer::ethernet, Layer::ethernet, kAny, Annotations::vlan,
     [](Dice& dice) { return Draft{dice.of({"ANNO", "VLAN_ID 7, VLAN_PCP 1", "100, NATIVE_VLAN 100", "ANNO, NATIVE_VLAN -1"})}; }},

    // The flow of packets.
    {"Null", Role::either, Layer::any, Layer::any, kModest, Annotations::common, plain},
    {"PushNull", Role::push, Layer::any, Layer::any, kModest, Annotations::common, plain},
    {"PullNull", Role::pull, Layer::any, Layer::any, kModest, Annotations::common, plain},
    {"Paint", Role::either, Layer::any, Layer::any, kModest, Annotations::common, [](Dice& dice) { return Draft{color(dice)}; }},
    {"Paint", Role::either, Layer::any, Layer::any, kModest, Annotations::numbered,
     [](Dice& dice) { return Draft{color(dice) + ", " + dice.of({"20", "16", "3", "32", "28"})}; }},
    {"PaintSwitch", Role::push, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{"", 1, dice.between(1, 4)}; }},
    {"PaintSwitch", Role::push, Layer::any, Layer::any, kAny, Annotations::numbered,
     [](Dice& dice) { return Draft{dice.of({"20", "3", "28"}), 1, dice.between(1, 4)}; }},
    {"PaintTee", Role::either, Layer::any, Layer::any, kAny, Annotations::common, [](Dice& dice) { return Draft{color(dice), 1, 2}; }},
    {"PullTee", Role::pull, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{"", 1, dice.between(1, 3)}; }},
    {"HashSwitch", Role::push, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) {
       return Draft{std::to_string(dice.between(0, 40)) + ", " + std::to_string(dice.between(1, 20)), 1, dice.between(1, 3)};
     }},
    {"RoundRobinSwitch", Role::push, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{some(dice, {"SPLITBATCH " + flag(dice)}), 1, dice.between(1, 3)}; }},
    {"Switch", Role::push, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) {
       const int outputs = dice.between(1, 3);
       return Draft{std::to_string(dice.between(-1, outputs - 1)), 1, outputs};
     }},
    {"Tee", Role::push, Layer::any, Layer::any, kAny, Annotations::common, [](Dice& dice) { return Draft{"", 1, dice.between(1, 3)}; }},
    {"Script", Role::push, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{dice.of({"TYPE PACKET, init n 0, set n $(add $n 1), return $(mod $n 2)",
                             "TYPE PACKET, init n 0, set n $(add $n 1), goto odd $(mod $n 2), return 0, label odd, exit"}),
                    1, 2};
     }},

    // Flow tables.
    {"FlowIPManager", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{fmt::format("CAPACITY {}{}", dice.of({"4", "64", "1024"}), dice.one_in(2) ? ", TIMEOUT 1" : "")}; }},
    {"FlowCounter", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, plain},
    {"FlowIPNAT", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, [](Dice&) { return Draft{"SIP 10.0.1.1"}; }},

    // ICMP.
    {"ICMPError", Role::either, Layer::ip, Layer::ip, kAny, Annotations::common, icmp_error},
    {"ICMPPingResponder", Role::either, Layer::ip, Layer::ip, kAny, Annotations::common,
     [](Dice& dice) { return with_exit(dice, ""); }},

    // IP.
    {"CheckIPHeader", Role::either, Layer::ip, Layer::ip, kModest, Annotations::common, check_ip_header},
    {"CheckIPHeader2", Role::either, Layer::ip, Layer::ip, kModest, Annotations::common, check_ip_header},
    {"DecIPTTL", Role::either, Layer::ip, Layer::any, kModest, Annotations::common,
     [](Dice& dice) {
       return with_exit(dice, some(dice, {"MULTICAST " + flag(dice), "ACTIVE " + flag(dice), "CALC_CHECKSUM " + flag(dice)}));
     }},
    {"DropBroadcasts", Role::either, Layer::any, Layer::any, kModest, Annotations::common, [](Dice& dice) { return with_exit(dice, ""); }},
    {"FixIPSrc", Role::either, Layer::ip, Layer::any, kModest, Annotations::common, [](Dice& dice) { return Draft{address(dice)}; }},
    {"GetIPAddress", Role::either, Layer::ip, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"16", "12", "IP dst", "IP src"})}; }},
    {"GetIPAddress", Role::either, Layer::ip, Layer::any, kModest, Annotations::numbered,
     [](Dice& dice) { return Draft{"16, " + dice.of({"4", "12", "24"})}; }},
    {"IPEncap", Role::either, Layer::ip, Layer::ip, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{fmt::format("{}, {}, {}", dice.of({"ipip", "tcp", "47"}), address(dice),
                                dice.one_in(2) ? address(dice) : "DST_ANNO") +
                    dice.of({"", ", TTL 3", ", DSCP 10, ECT true", ", DF true", ", TOS 3"})};
     }},
    {"IPFragmenter", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return with_exit(dice, dice.of({"68", "100", "200, HONOR_DF false", "600, VERBOSE true", "1500", "100, HEADROOM 28"}));
     }},
    {"IPGWOptions", Role::either, Layer::ip, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return with_exit(dice, address(dice) + (dice.one_in(2) ? ", 10.0.0.5 10.0.1.5" : "")); }},
    {"IPOutputCombo", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{fmt::format("{}, {}, {}", color(dice), address(dice), dice.of({"60", "1500"})), 1, 5}; }},
    {"MarkIPHeader", Role::either, Layer::ip, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"", "0", "14", "OFFSET 4"})}; }},
    {"SetIPAddress", Role::either, Layer::any, Layer::any, kModest, Annotations::common, [](Dice& dice) { return Draft{address(dice)}; }},
    {"SetIPAddress", Role::either, Layer::any, Layer::any, kModest, Annotations::numbered,
     [](Dice& dice) { return Draft{address(dice) + ", " + dice.of({"4", "14", "20"})}; }},
    {"SetIPChecksum", Role::either, Layer::ip, Layer::any, kModest, Annotations::common, plain},
    {"SetIPDSCP", Role::either, Layer::ip, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{std::to_string(dice.below(64))}; }},
    {"Strip", Role::either, Layer::ethernet, Layer::ip, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"14", "14", "14", "4", "1", "60"})}; }},
    {"Unstrip", Role::either, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"14", "4", "200"})}; }},
    {"StripToNetworkHeader", Role::either, Layer::ip, Layer::ip, kAny, Annotations::common, plain},
    {"Truncate", Role::either, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{fmt::format("{}{}", dice.between(20, 90), dice.one_in(2) ? ", EXTRA_LENGTH false" : "")}; }},
    {"UDPIPEncap", Role::either, Layer::any, Layer::ip, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{fmt::format("{}, 1234, {}, 5678{}", address(dice), dice.one_in(2) ? address(dice) : "DST_ANNO",
                                dice.one_in(2) ? ", CHECKSUM false" : "")};
     }},

    // Looking at packets.
    {"ARPPrint", Role::either, Layer::ethernet, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{some(dice, {"arp", "TIMESTAMP false", "ETHER true"})}; }},
    {"AverageCounter", Role::either, Layer::any, Layer::any, kModest, Annotations::common, plain},
    {"Counter", Role::either, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{some(dice, {"NO_RATE true"})}; }},
    {"IPPrint", Role::either, Layer::ip, Layer::any, kAny, Annotations::aggregate,
     [](Dice& dice) {
       return Draft{some(dice, {"ip", "CONTENTS " + dice.of({"NONE", "HEX", "ASCII"}), "MAXLENGTH 20", "TTL true", "ID true",
                                "PAINT true", "AGGREGATE true", "TOS true", "LENGTH true", "ETHER true"})};
     }},
    {"Print", Role::either, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       return Draft{some(dice, {"print", "MAXLENGTH 40", "TIMESTAMP true", "HEADROOM true", "ACTIVE " + flag(dice)})};
     }},
    {"Print", Role::either, Layer::any, Layer::any, kAny, Annotations::numbered,
     [](Dice&) { return Draft{"annotations, CONTENTS NONE, PRINTANNO true"}; }},
    {"SetTimestamp", Role::either, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"", "1000.5", "FIRST true"})}; }},

    // Route lookups.
    {"DirectIPLookup", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, routes},
    {"LinearIPLookup", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, routes},
    {"RadixIPLookup", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, routes},
    {"RangeIPLookup", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, routes},
    {"StaticIPLookup", Role::push, Layer::ip, Layer::any, kAny, Annotations::common, routes},

    // Translation.
    {"IPRewriter", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return rewriter(dice, {"TCP_TIMEOUT 5", "UDP_TIMEOUT 2", "UDP_GUARANTEE 1", "TCP_DONE_TIMEOUT 1"}); }},
    {"TCPRewriter", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return rewriter(dice, {"TCP_TIMEOUT 5", "TCP_NODATA_TIMEOUT 2"}); }},
    {"UDPRewriter", Role::push, Layer::ip, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return rewriter(dice, {"TIMEOUT 3", "STREAMING_TIMEOUT 6"}); }},

    // Stores, schedulers, and what moves packets between them.
    {"Queue", Role::store, Layer::any, Layer::any, kModest, Annotations::common, queue},
    {"SimpleQueue", Role::store, Layer::any, Layer::any, kModest, Annotations::common, queue},
    {"PrioSched", Role::scheduler, Layer::any, Layer::any, kAny, Annotations::common, scheduler},
    {"RoundRobinSched", Role::scheduler, Layer::any, Layer::any, kAny, Annotations::common, scheduler},
    {"Unqueue", Role::pump, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{some(dice, {fmt::format("BURST {}", dice.of({"1", "3", "32", "-1"})), "ACTIVE " + flag(dice), "LIMIT 50"})}; }},
    {"RatedUnqueue", Role::pump, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"10", "1000", "50000"}) + dice.of({"", ", BURST_SIZE 4", ", BURST_DURATION 0.001"})}; }},
    {"DelayUnqueue", Role::pump, Layer::any, Layer::any, kModest, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"0.001", "0.5", "0"})}; }},

    // Transport, and load.
    {"CheckICMPHeader", Role::either, Layer::ip, Layer::any, kModest, Annotations::common, check_segment},
    {"CheckTCPHeader", Role::either, Layer::ip, Layer::any, kModest, Annotations::common, check_sum_segment},
    {"CheckUDPHeader", Role::either, Layer::ip, Layer::any, kModest, Annotations::common, check_sum_segment},
    {"WorkPackage", Role::push, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) {
       const int ports = dice.between(1, 2);
       return Draft{fmt::format("S {}, N {}, W {}", dice.below(2), dice.below(3), dice.below(5)) +
                        (dice.one_in(2) ? ", R 50, PAYLOAD true" : ""),
                    ports, ports};
     }},

    // Where packets end.
    {"Discard", Role::sink, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{some(dice, {"ACTIVE " + flag(dice), fmt::format("BURST {}", dice.between(1, 9))}), 1, 0}; }},
    {"Idle", Role::sink, Layer::any, Layer::any, kAny, Annotations::common, [](Dice&) { return Draft{"", 1, 0}; }},
    {"ToDump", Role::sink, Layer::any, Layer::any, kAny, Annotations::common, [](Dice&) { return Draft{"out.pcap", 1, 0}; }},
    {"ToDump", Role::either, Layer::any, Layer::any, kModest, Annotations::common, [](Dice&) { return Draft{"out.pcap"}; }},
    {"ToIPSummaryDump", Role::sink, Layer::any, Layer::any, kAny, Annotations::aggregate,
     [](Dice& dice) {
       return Draft{"summary, FIELDS " + dice.of({"ip_src sport ip_dst dport ip_proto", "ntimestamp ip_len payload_md5",
                                                  "ip_opt tcp_opt count aggregate paint"}) +
                        dice.of({"", ", BAD_PACKETS true", ", BINARY true", ", HEADER false"}),
                    1, 0};
     }},

    // Beside the packets.
    {"ScheduleInfo", Role::apart, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"0.5", "2", "3.5"}), 0, 0}; }},
    {"IPRewriterPatterns", Role::apart, Layer::any, Layer::any, kAny, Annotations::common,
     [](Dice& dice) { return Draft{dice.of({"192.0.2.4 5000-5007 - -", "- - 10.0.0.2 81"}), 0, 0}; }},
};

constexpr NotDrawn kNotDrawn[] = {
    {"AddressInfo", "names: the arguments that use them are addresses when an element is made"},
    {"PortInfo", "names, likewise"},
    {"AlignmentInfo", "is ignored"},
    {"ControlSocket", "listens on the machine; its handlers are those that scripts call"},
    {"DriverManager", "a Script, of which verify brings its own"},
    {"Error", "never runs"},
    {"StaticThreadSched", "programs here have one core"},
    {"DPDKInfo", "is about devices"},
    {"FromDPDKDevice", "needs a device; verify puts a FromDump in its place"},
    {"ToDPDKDevice", "needs a device; verify puts a ToDump in its place"},
    {"FromMemory", "measures; verify puts a FromDump in its place"},
    {"ToMemory", "measures; verify puts a ToDump in its place"},
};

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }
std::span<const NotDrawn> not_drawn() { return kNotDrawn; }

}  // namespace packetmill::verify
