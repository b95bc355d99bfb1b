#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "elements/lookup/route_text.h"
#include "runtime/control_plane.h"
#include "runtime/element.h"

namespace packetmill {

enum class RouteCommand { add, set, remove };

/// Commands on a routing table, all of which can be taken back: `ctrl` carries out all of its lines or none.
template <class Table>
class RouteTransaction {
 public:
  /// Routes may lead to ports 0 to `outputs` - 1.
  RouteTransaction(Table& table, int outputs) : table_(table), outputs_(outputs) {}

  Refusal run(RouteCommand command, std::string_view text) {
    tables::Route route;
    const bool removes = command == RouteCommand::remove;
    if (!parse_route(text, kNoNames, !removes, route))
      return std::string("expected 'ADDR/MASK ") + (removes ? "[[GATEWAY] OUTPUT]'" : "[GATEWAY] OUTPUT'");
    if (route.port >= outputs_) return "port number out of range";
    const auto before = table_.find(route.address, route.mask_length);
    if (command == RouteCommand::add && before) return "conflict with existing route '" + to_string(*before) + "'";
    if (removes && !remove(route)) return "route '" + to_string(route) + "' not found";
    if (!removes && !table_.set(route)) return "no memory to store route '" + to_string(route) + "'";
    done_.push_back({route, before});
    return std::nullopt;
  }

  void take_back() {
    for (; !done_.empty(); done_.pop_back()) {
      const auto& [route, before] = done_.back();
      // Neither can fail: the route is there, and so was its next hop.
      before ? (void)table_.set(*before) : (void)table_.remove(route.address, route.mask_length);
    }
  }

 private:
  /// A route that is named with its port must match in gateway and port too.
  bool remove(const tables::Route& route) {
    if (route.port == kNoRoutePort) return table_.remove(route.address, route.mask_length);
    return table_.remove(route.address, route.mask_length, route.gateway, route.port);
  }

  Table& table_;
  int outputs_;
  std::vector<std::pair<tables::Route, std::optional<tables::Route>>> done_;
};

/// What the IP lookup elements have in common (Click's IPRouteTable): they differ in `Table` only.
template <class Table>
struct RouteLookup {
  struct Parameters {
    List<tables::Route> routes;
  };
  struct Control {
    Table table;
    std::uint64_t configured = 0;  ///< the table's version with the configuration's routes
  };
  using Reads = Fields<DestinationAddress>;
  using Writes = Fields<DestinationAddress>;
  static constexpr Reason no_route{0, "no_route"};
  static constexpr auto drops = describe(no_route);

  static void configure(Configuration& configuration, Parameters& parameters) {
    std::vector<tables::Route> routes;
    std::set<std::pair<std::uint32_t, std::uint32_t>> prefixes;
    int number = 0;
    for (const Argument& argument : configuration.take_rest()) {
      ++number;
      tables::Route route;
      if (!parse_route(argument.text, configuration.names(), true, route))
        configuration.error(argument, "argument " + std::to_string(number) + " should be 'ADDR/MASK [GATEWAY] OUTPUT'");
      else if (route.port >= configuration.outputs())
        configuration.error(argument, "argument " + std::to_string(number) + ": port number out of range");
      else if (!prefixes.insert({route.address, route.mask_length}).second)
        configuration.warning(argument, "route '" + to_string(route) + "' replaces an earlier one");
      routes.push_back(route);
    }
    parameters.routes = configuration.arena().keep(std::move(routes));
  }

  static Refusal initialize(auto& element) {
    for (const tables::Route& route : element.parameters().routes)
      if (!element.control().table.set(route)) return "no memory to store route '" + to_string(route) + "'";
    element.control().configured = element.control().table.version();
    return std::nullopt;
  }

  struct Ticket {
    std::uint32_t destination;  ///< host byte order
  };
  static Ticket prefetch(auto& context, const auto& packet) {
    const Ticket ticket{packet.template get<DestinationAddress>().host()};
    context.control().table.prefetch(ticket.destination);
    return ticket;
  }
  static Output process(auto& context, In, auto& packet) {
    return route(context, packet, packet.template get<DestinationAddress>().host());
  }
  static Output process(auto& context, In, auto& packet, Ticket ticket) {
    return route(context, packet, ticket.destination);
  }

  [[gnu::always_inline]] static Output route(auto& context, auto& packet, std::uint32_t destination) {
    const tables::NextHop hop = next_hop(context, destination);
    if (hop.port == kNoRoutePort) return drop(no_route);
    if (hop.gateway != 0) packet.template set<DestinationAddress>(IPv4Address::from_host(hop.gateway));
    return to(hop.port);
  }
  /// A milled program may hold the configuration's routes as code (emit_routes); it counts until one changes.
  static tables::NextHop next_hop(auto& context, std::uint32_t destination) {
    const auto& control = context.control();
    using Code = typename std::remove_cvref_t<decltype(context)>::Code;
    if constexpr (requires { Code::next_hop(destination); })
      if (control.table.version() == control.configured) [[likely]]
        return Code::next_hop(destination);
    const tables::NextHop* hop = control.table.lookup(destination);
    return hop == nullptr ? tables::NextHop{0, kNoRoutePort} : *hop;
  }

  template <RouteCommand Command>
  static Refusal run_command(auto& element, std::string_view text) {
    return RouteTransaction(element.control().table, element.outputs()).run(Command, text);
  }

  static Refusal control_lines(auto& element, std::string_view text) {
    RouteTransaction transaction(element.control().table, element.outputs());
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      const std::vector<std::string> words = split_words(line);
      if (words.empty()) continue;
      const std::string_view arguments = line.substr(line.find(words[0]) + words[0].size());
      Refusal refusal = "bad command '" + words[0] + "'";
      if (words[0] == "add") refusal = transaction.run(RouteCommand::add, arguments);
      if (words[0] == "set") refusal = transaction.run(RouteCommand::set, arguments);
      if (words[0] == "remove") refusal = transaction.run(RouteCommand::remove, arguments);
      if (!refusal) continue;
      transaction.take_back();
      return refusal;
    }
    return std::nullopt;
  }

  static constexpr auto read_handlers =
      describe(read("table",
                    [](const auto& element) {
                      std::string text;
                      for (const tables::Route& route : element.control().table.routes()) text += table_line(route);
                      return text;
                    }),
               read("lookup", [](const auto& element, std::string_view parameter) -> ControlPlane::Answer {
                 IPv4Address address;
                 if (parse(parameter, address)) return {false, "expected IP address"};
                 const tables::NextHop* hop = element.control().table.lookup(address.host());
                 if (hop == nullptr) return {true, "-1"};
                 const std::string port = std::to_string(hop->port);
                 if (hop->gateway == 0) return {true, port};
                 return {true, port + " " + to_string(IPv4Address::from_host(hop->gateway))};
               }));
  static constexpr auto handlers = std::tuple_cat(
      read_handlers,
      describe(write("add", [](auto& element,
                               std::string_view text) { return run_command<RouteCommand::add>(element, text); }),
               write("set", [](auto& element,
                               std::string_view text) { return run_command<RouteCommand::set>(element, text); }),
               write("remove", [](auto& element,
                                  std::string_view text) { return run_command<RouteCommand::remove>(element, text); }),
               write("ctrl", [](auto& element, std::string_view text) { return control_lines(element, text); }),
               write("flush", [](auto& element, std::string_view) -> Refusal {
                 element.control().table.clear();
                 return std::nullopt;
               })));
};

}  // namespace packetmill
