#include "mill/packet_memory.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

// Optimised code has a packet in registers unless something needs its address. So what is looked for is an alloca of
// the packet's type that has survived optimisation, and the calls that get its address: as an argument, or inside an
// object that holds it (a View), which is followed through getelementptr, phi, select and store.
namespace packetmill::mill {
namespace {

constexpr bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '$';
}

/// "%12" or "%view.i", from where it begins.
std::string_view name_at(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && is_name(text[end])) ++end;
  return text.substr(0, end);
}

bool mentions(std::string_view text, const std::set<std::string_view>& names) {
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1))
    if (names.contains(name_at(text.substr(at)))) return true;
  return false;
}

/// The node of debug information that a node or an instruction refers to: "scope: !12".
int reference(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at + key.size());
  int value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string_view quoted(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find('"'));
}

/// "!12 = !DILocation(...)", by number.
class DebugInformation {
 public:
  void add(std::string_view line) {
    if (line.find("= distinct !DI") != std::string_view::npos || line.find("= !DI") != std::string_view::npos)
      if (const int number = reference(line, "!"); number >= 0) nodes_[number] = line;
  }
  /// Where an instruction comes from.
  [[nodiscard]] std::vector<Frame> frames(std::string_view instruction) const {
    std::vector<Frame> frames;
    for (int place = reference(instruction, "!dbg !"); place >= 0; place = reference(node(place), "inlinedAt: !")) {
      int scope = reference(node(place), "scope: !");
      while (scope >= 0 && node(scope).find("!DISubprogram(") == std::string_view::npos)
        scope = reference(node(scope), "scope: !");
      frames.push_back({.function = quoted(node(scope), "name: \""),
                        .file = quoted(node(reference(node(scope), "file: !")), "filename: \""),
                        .line = reference(node(place), "line: ")});
    }
    return frames;
  }

 private:
  [[nodiscard]] std::string_view node(int number) const {
    const auto found = nodes_.find(number);
    return found == nodes_.end() ? std::string_view() : found->second;
  }
  std::map<int, std::string_view> nodes_;
};

/// "call ... @callee(arguments)".
struct CallText {
  std::string_view callee;  ///< empty: a pointer
  std::vector<std::string_view> arguments;
};

CallText parsed(std::string_view text) {
  CallText call;
  for (std::size_t open = text.find('('); open != std::string_view::npos; open = text.find('(', open + 1)) {
    std::size_t begin = open;
    while (begin > 0 && is_name(text[begin - 1])) --begin;
    if (begin == 0 || begin == open || (text[begin - 1] != '@' && text[begin - 1] != '%')) continue;
    if (text[begin - 1] == '@') call.callee = text.substr(begin, open - begin);
    int depth = 0;
    std::size_t from = open + 1;
    for (std::size_t i = open + 1; i < text.size() && depth >= 0; ++i) {
      if (text[i] == '(') ++depth;
      if (text[i] == ')') --depth;
      if ((text[i] == ',' && depth == 0) || depth < 0) {
        call.arguments.push_back(text.substr(from, i - from));
        from = i + 1;
      }
    }
    break;
  }
  return call;
}

/// One function of the IR: what could carry an address, and what could take it.
struct Body {
  std::string_view symbol;
  std::vector<std::string_view> packets;   ///< names of allocas
  std::vector<std::string_view> carriers;  ///< getelementptr, phi, select and store
  std::vector<std::string_view> calls;
  std::vector<std::string_view> loads;
};

/// All names through which `packet` can be reached.
std::set<std::string_view> names_of(std::string_view packet, const Body& body) {
  std::set<std::string_view> names{packet};
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    for (const std::string_view line : body.carriers) {
      if (line.starts_with("store")) {
        const std::size_t into = line.find(", ptr ");
        if (into != std::string_view::npos && mentions(line.substr(0, into), names))
          names.insert(name_at(line.substr(into + 6)));
      } else if (const std::size_t equals = line.find(" = "); mentions(line.substr(equals), names)) {
        names.insert(line.substr(0, equals));
      }
    }
  }
  return names;
}

std::string_view function_of(std::string_view definition) {
  std::string_view symbol = definition.substr(definition.find('@') + 1);
  if (symbol.starts_with('"')) symbol.remove_prefix(1);
  return symbol.substr(0, symbol.find_first_of("\"("));
}

void add(Body& body, std::string_view line) {
  const std::size_t equals = line.starts_with('%') ? line.find(" = ") : std::string_view::npos;
  const std::string_view operation = equals == std::string_view::npos ? line : line.substr(equals + 3);
  if (operation.starts_with("alloca ")) {
    if (operation.find("packetmill::engine::Registers") != std::string_view::npos ||
        operation.find("packetmill::engine::Received") != std::string_view::npos)
      body.packets.push_back(line.substr(0, equals));
  } else if (operation.starts_with("getelementptr ") || operation.starts_with("phi ptr") ||
             operation.starts_with("select ") || operation.starts_with("store ptr %")) {
    body.carriers.push_back(line);
  } else if (operation.starts_with("load ")) {
    body.loads.push_back(operation);
  } else if (operation.find("call ") < 10 || operation.starts_with("invoke ")) {
    body.calls.push_back(operation);
  }
}

}  // namespace

std::vector<PacketInMemory> packets_in_memory(std::string_view ir) {
  std::vector<Body> bodies;
  DebugInformation debug;
  bool inside = false;
  while (!ir.empty()) {
    std::size_t end = std::min(ir.find('\n'), ir.size());
    std::string_view line = ir.substr(0, end);
    // What an invoke says of its place stands on its second line.
    if (line.find("invoke ") != std::string_view::npos) end = std::min(ir.find('\n', end + 1), ir.size());
    line = ir.substr(0, end);
    ir.remove_prefix(std::min(end + 1, ir.size()));
    if (line.starts_with("define ")) {
      bodies.push_back({.symbol = function_of(line), .packets = {}, .carriers = {}, .calls = {}, .loads = {}});
      inside = true;
    } else if (line.starts_with('}')) {
      inside = false;
    } else if (line.starts_with('!')) {
      debug.add(line);
    } else if (inside && line.starts_with("  ")) {
      add(bodies.back(), line.substr(2));
    }
  }

  std::vector<PacketInMemory> found;
  for (const Body& body : bodies)
    for (const std::string_view packet : body.packets) {
      const std::set<std::string_view> names = names_of(packet, body);
      bool is_read = std::ranges::any_of(body.loads, [&](std::string_view line) { return mentions(line, names); });
      PacketInMemory result{.function = demangled(std::string(body.symbol)), .calls = {}};
      for (const std::string_view line : body.calls) {
        const CallText call = parsed(line);
        if (call.callee.starts_with("llvm.")) {
          is_read |=
              call.callee.starts_with("llvm.mem") && call.arguments.size() > 1 && mentions(call.arguments[1], names);
          continue;
        }
        for (const std::string_view argument : call.arguments)
          if (mentions(argument, names)) {
            result.calls.push_back({.callee = call.callee.empty() ? "a function that is known only at run time"
                                                                  : demangled(std::string(call.callee)),
                                    .frames = debug.frames(line)});
            break;
          }
      }
      result.is_spill = !is_read;
      found.push_back(std::move(result));
    }
  return found;
}

}  // namespace packetmill::mill
