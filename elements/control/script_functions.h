#pragma once

#include <string>
#include <string_view>

#include "runtime/control_plane.h"
#include "runtime/random.h"

// The functions of the Script language, which are read handlers with parameters: `$(add 1 2)`.

namespace packetmill {

/// What a function may look at besides its arguments.
struct ScriptWorld {
  ControlPlane& control_plane;
  std::string_view script;  ///< the element's name
  Random& random;
};

struct ScriptFunction {
  std::string_view name;
  ControlPlane::Answer (*call)(std::string_view name, std::string_view arguments, ScriptWorld& world);
  bool local = false;  ///< see HandlerInfo
};

/// One function serves several names where these have their arguments in common.
namespace script {
ControlPlane::Answer among(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer average(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer choose(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer combine(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer compare(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer count(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer exist(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer file_contents(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer first(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer fold(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer format(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer length(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer negate(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer negation(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer now(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer random_number(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer remainder(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer send_signal(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer swap_bytes(std::string_view name, std::string_view arguments, ScriptWorld& world);
ControlPlane::Answer without_quotes(std::string_view name, std::string_view arguments, ScriptWorld& world);
}  // namespace script

inline constexpr ScriptFunction kScriptFunctions[] = {
    {"add", script::fold},
    {"sub", script::fold},
    {"mul", script::fold},
    {"div", script::fold},
    {"idiv", script::fold},
    {"min", script::fold},
    {"max", script::fold},
    {"avg", script::average},
    {"count", script::count},
    {"popcount", script::count},
    {"gt_vec", script::count},
    {"mod", script::remainder},
    {"rem", script::remainder},
    {"neg", script::negate},
    {"abs", script::negate},
    {"eq", script::compare},
    {"ne", script::compare},
    {"lt", script::compare},
    {"le", script::compare},
    {"gt", script::compare},
    {"ge", script::compare},
    {"not", script::negation},
    {"and", script::combine},
    {"or", script::combine},
    {"nand", script::combine},
    {"nor", script::combine},
    {"if", script::choose},
    {"in", script::among},
    {"first", script::first},
    {"sprintf", script::format},
    {"random", script::random_number},
    {"length", script::length},
    {"unquote", script::without_quotes},
    {"now", script::now},
    {"readable", script::exist},
    {"writable", script::exist},
    {"htons", script::swap_bytes},
    {"ntohs", script::swap_bytes},
    {"htonl", script::swap_bytes},
    {"ntohl", script::swap_bytes},
    {"cat", script::file_contents, true},
    {"catq", script::file_contents, true},
    {"kill", script::send_signal, true},
};

/// Whether `text` is a Click boolean, and which; what is wrong otherwise.
ControlPlane::Answer script_boolean(std::string_view text, bool& out);

}  // namespace packetmill
