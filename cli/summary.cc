#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace packetmill::cli {
namespace {

struct Row {
  std::string element;
  std::string what;
  std::uint64_t count;
};

struct Figures {
  Ledger total;
  std::vector<Row> received, sent, dropped;
  double seconds = 0;
  double mpps = 0;    ///< million packets a second that came in
  double cycles = 0;  ///< per packet that came in, in turns that did work
};

Figures figures(engine::Router& router, std::chrono::duration<double> wall) {
  Figures result;
  result.total = router.ledger();
  for (const auto& node : router.nodes()) {
    const Ledger ledger = node->ledger();
    const std::string kind(node->element_class->name);
    if (const auto in = ledger.received + ledger.generated; in > 0 && node->input_is_pull.empty())
      result.received.push_back({node->name, kind, in});
    if (ledger.sent > 0) result.sent.push_back({node->name, kind, ledger.sent});
  }
  for (const auto& drop : router.drops()) result.dropped.push_back({drop.element, drop.reason, drop.count});
  const std::uint64_t in = result.total.received + result.total.generated;
  result.seconds = wall.count();
  if (in > 0) {
    result.mpps = static_cast<double>(in) / wall.count() / 1e6;
    result.cycles = static_cast<double>(router.busy_cycles()) / static_cast<double>(in);
  }
  return result;
}

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (int place = static_cast<int>(text.size()) - 3; place > 0; place -= 3)
    text.insert(static_cast<std::size_t>(place), ",");
  return text;
}

std::string table(std::string_view title, const std::vector<Row>& rows, std::size_t names, std::size_t whats) {
  std::string text;
  for (const Row& row : rows) {
    text +=
        fmt::format("  {:<9} {:<{}}  {:<{}}  {:>13}\n", title, row.element, names, row.what, whats, grouped(row.count));
    title = {};
  }
  return text;
}

}  // namespace

std::string summary(engine::Router& router, std::chrono::duration<double> wall) {
  const Figures f = figures(router, wall);
  std::size_t names = 0;
  std::size_t whats = 0;
  for (const auto* rows : {&f.received, &f.sent, &f.dropped})
    for (const Row& row : *rows) {
      names = std::max(names, row.element.size());
      whats = std::max(whats, row.what.size());
    }
  std::string text = "\n";
  text += table("in", f.received, names, whats);
  text += table("out", f.sent, names, whats);
  text += table("dropped", f.dropped, names, whats);
  const auto terms = [](std::initializer_list<std::pair<std::uint64_t, const char*>> list) {
    std::string sum;
    for (const auto& [count, what] : list)
      if (count > 0) sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", grouped(count), what);
    return sum.empty() ? "0" : sum;
  };
  const Ledger& t = f.total;
  text +=
      fmt::format("\n  {} = {}\n", terms({{t.received, "received"}, {t.generated, "generated"}, {t.cloned, "cloned"}}),
                  terms({{t.sent, "sent"}, {t.dropped, "dropped"}, {t.consumed, "consumed"}, {t.held, "held"}}));
  text += fmt::format("  {:.2f} Mpps   {:.0f} cycles/packet   {:.3f} s\n", f.mpps, f.cycles, f.seconds);
  return text;
}

std::string summary_json(engine::Router& router, std::chrono::duration<double> wall) {
  const Figures f = figures(router, wall);
  const auto rows = [](const std::vector<Row>& list, const char* what) {
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (const Row& row : list) result.push_back({{"element", row.element}, {what, row.what}, {"packets", row.count}});
    return result;
  };
  const Ledger& t = f.total;
  return nlohmann::ordered_json{{"received", t.received},
                                {"generated", t.generated},
                                {"cloned", t.cloned},
                                {"sent", t.sent},
                                {"dropped", t.dropped},
                                {"consumed", t.consumed},
                                {"held", t.held},
                                {"inputs", rows(f.received, "class")},
                                {"outputs", rows(f.sent, "class")},
                                {"drops", rows(f.dropped, "reason")},
                                {"seconds", f.seconds},
                                {"mpps", f.mpps},
                                {"cycles_per_packet", f.cycles}}
      .dump();
}

}  // namespace packetmill::cli
