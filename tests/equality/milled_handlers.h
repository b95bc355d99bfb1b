#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "engine/handler_of.h"
#include "runtime/element.h"

/// The handlers of milled elements, bound to static views of them.
namespace packetmill::milled {

struct Handler {
  std::function<ControlPlane::Answer(std::string_view parameter)> read;
  std::function<ControlPlane::Answer(std::string_view value)> write;
};
using Handlers = std::map<std::string, Handler>;

/// Element E, which handlers see as a `V`.
template <class E, class V, class F>
void bind_handler(Handlers& handlers, const ReadHandler<F>& entry) {
  handlers[std::string(V::name()) + "." + std::string(entry.name)].read =
      [function = entry.function](std::string_view parameter) -> ControlPlane::Answer {
    V element;
    if constexpr (engine::detail::is_member_of_control<E, F>)
      return {true, engine::handler_text(element.control().*function)};
    else if constexpr (engine::detail::is_member_of_parameters<E, F>)
      return {true, engine::handler_text(element.parameters().*function)};
    else if constexpr (std::is_member_object_pointer_v<F>)
      return {true, engine::handler_text(element.sum(function))};
    else if constexpr (std::is_invocable_r_v<ControlPlane::Answer, F, V&, std::string_view>)
      return function(element, parameter);
    else if constexpr (std::is_invocable_v<F, V&, std::string_view>)
      return {true, engine::handler_text(function(element, parameter))};
    else
      return {true, engine::handler_text(function(element))};
  };
}
template <class E, class V, class F>
void bind_handler(Handlers& handlers, const WriteHandler<F>& entry) {
  handlers[std::string(V::name()) + "." + std::string(entry.name)].write =
      [function = entry.function](std::string_view value) -> ControlPlane::Answer {
    V element;
    Refusal refusal;
    if constexpr (std::is_member_object_pointer_v<F>)
      refusal = parse(value, element.control().*function, element.names());
    else
      refusal = function(element, value);
    return {!refusal, refusal.value_or("")};
  };
}

template <class E, class V, class F>
void bind_handler(Handlers& handlers, const PortHandlers<ReadHandler<F>>& entry) {
  for (int port = 0; port < (entry.of_inputs ? V::inputs() : V::outputs()); ++port) {
    const auto function = [port, function = entry.handler.function](auto& element) { return function(element, port); };
    bind_handler<E, V>(handlers, read(std::string(entry.handler.name) + std::to_string(port), function));
  }
}
template <class E, class V, class F>
void bind_handler(Handlers& handlers, const PortHandlers<WriteHandler<F>>& entry) {
  for (int port = 0; port < (entry.of_inputs ? V::inputs() : V::outputs()); ++port) {
    const auto function = [port, function = entry.handler.function](auto& element, std::string_view value) {
      return function(element, port, value);
    };
    bind_handler<E, V>(handlers, write(std::string(entry.handler.name) + std::to_string(port), function));
  }
}

template <class E, class V>
void add_handlers(Handlers& handlers) {
  if constexpr (requires { E::handlers; })
    std::apply([&](const auto&... entry) { (bind_handler<E, V>(handlers, entry), ...); }, E::handlers);
}

}  // namespace packetmill::milled
