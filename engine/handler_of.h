#pragma once

#include <type_traits>

#include "engine/element_view.h"
#include "engine/node.h"

namespace packetmill::engine {

/// How handlers print what they read, as Click prints it.
inline std::string handler_text(std::string text) { return text; }
inline std::string handler_text(std::string_view text) { return std::string(text); }
inline std::string handler_text(const char* text) { return text; }
inline std::string handler_text(bool value) { return value ? "true" : "false"; }
template <class T>
  requires std::is_arithmetic_v<T>
std::string handler_text(T value) {
  return std::to_string(value);
}
template <class T>
  requires requires(const T& value) { to_string(value); }
std::string handler_text(const T& value) {
  return to_string(value);
}

namespace detail {

template <class E, class M>
constexpr bool is_member_of_control = false;
template <class E, class T, class C>
constexpr bool is_member_of_control<E, T C::*> = std::is_same_v<C, ControlOf<E>>;
template <class E, class M>
constexpr bool is_member_of_parameters = false;
template <class E, class T, class C>
constexpr bool is_member_of_parameters<E, T C::*> = std::is_same_v<C, ParametersOf<E>>;

template <class E, class F>
ControlPlane::Answer call_read(ElementView<E> element, const F& function, std::string_view parameter) {
  if constexpr (is_member_of_control<E, F>)
    return {true, handler_text(element.control().*function)};
  else if constexpr (is_member_of_parameters<E, F>)
    return {true, handler_text(element.parameters().*function)};
  else if constexpr (std::is_member_object_pointer_v<F>)
    return {true, handler_text(element.sum(function))};
  else if constexpr (std::is_invocable_r_v<ControlPlane::Answer, F, ElementView<E>&, std::string_view>)
    return function(element, parameter);  // may refuse
  else if constexpr (std::is_invocable_v<F, ElementView<E>&, std::string_view>)
    return {true, handler_text(function(element, parameter))};
  else
    return {true, handler_text(function(element))};
}

template <class E, class F>
ControlPlane::Answer call_write(ElementView<E> element, const F& function, std::string_view value) {
  Refusal refusal;
  if constexpr (std::is_member_object_pointer_v<F>) {
    refusal = parse(value, element.control().*function, element.names());
    element.wake();  // its tasks may sleep because of the old value
  } else {
    refusal = function(element, value);
  }
  return {!refusal, refusal.value_or("")};
}

inline Handler& handler_named(std::vector<Handler>& handlers, std::string_view name) {
  for (Handler& handler : handlers)
    if (handler.name == name) return handler;
  return handlers.emplace_back(Handler{std::string(name), {}, {}});
}

}  // namespace detail

/// Binds one entry of E::handlers to one element.
template <class E, class F>
void add_handler(std::vector<Handler>& handlers, ElementView<E> element, const ReadHandler<F>& entry) {
  Handler& handler = detail::handler_named(handlers, entry.name);
  handler.local = entry.local;
  handler.read = [element, function = entry.function](std::string_view parameter) {
    return detail::call_read<E>(element, function, parameter);
  };
}
template <class E, class F>
void add_handler(std::vector<Handler>& handlers, ElementView<E> element, const WriteHandler<F>& entry) {
  detail::handler_named(handlers, entry.name).write = [element, function = entry.function](std::string_view value) {
    return detail::call_write<E>(element, function, value);
  };
}

template <class E, class F>
void add_handler(std::vector<Handler>& handlers, ElementView<E> element, const PortHandlers<ReadHandler<F>>& entry) {
  for (int port = 0; port < (entry.of_inputs ? element.inputs() : element.outputs()); ++port) {
    const auto function = [port, function = entry.handler.function](auto& element) { return function(element, port); };
    add_handler(handlers, element, packetmill::read(std::string(entry.handler.name) + std::to_string(port), function));
  }
}
template <class E, class F>
void add_handler(std::vector<Handler>& handlers, ElementView<E> element, const PortHandlers<WriteHandler<F>>& entry) {
  for (int port = 0; port < (entry.of_inputs ? element.inputs() : element.outputs()); ++port) {
    const auto function = [port, function = entry.handler.function](auto& element, std::string_view value) {
      return function(element, port, value);
    };
    add_handler(handlers, element, packetmill::write(std::string(entry.handler.name) + std::to_string(port), function));
  }
}

/// Binds a handler that the element knows by no more than its name; none where it does not know it.
template <class E>
std::optional<Handler> bind_other(ElementView<E> element, std::string_view name) {
  const std::optional<OtherHandler> known = E::other_handler(element, name);
  if (!known) return std::nullopt;
  Handler handler{std::string(name), {}, {}};
  auto call = [element, name = handler.name](bool write, std::string_view text) mutable {
    return E::call_other(element, name, write, text);
  };
  if (known->readable) handler.read = [call](std::string_view text) mutable { return call(false, text); };
  if (known->writable) handler.write = [call](std::string_view text) mutable { return call(true, text); };
  return handler;
}

}  // namespace packetmill::engine
