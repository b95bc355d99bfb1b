#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace packetmill {

/// What the references in a Script's text stand for.
struct ScriptReferences {
  std::function<std::optional<std::string>(std::string_view name)> variable;
  std::function<std::string(std::string_view call)> handler;  ///< of the text in `$(...)`, itself substituted
};

/// Replaces `$x`, `${x}` and `$(handler arguments)`, not in single quotes; in double quotes with backslashes where the
/// value needs them. A variable that does not exist stays as it is written. Quotes are kept.
std::string substitute(std::string_view text, const ScriptReferences& references);

}  // namespace packetmill
