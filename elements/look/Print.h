#pragma once

#include <string>

#include "elements/look/packet_text.h"
#include "runtime/element.h"

namespace packetmill {

/// Print([LABEL, MAXLENGTH], ...): prints a line about each packet: label, length, and its first bytes.
///
/// Ports:     1 input, 1 output.
/// Keywords:  LABEL: what the line begins with.
///            MAXLENGTH, or NBYTES (default 24): how many bytes are printed; negative: all.
///            CONTENTS (default HEX): HEX, ASCII or NONE.
///            TIMESTAMP (default false): the packet's time. PRINTANNO (default false): its annotation area, in
///            hexadecimal. HEADROOM (default false): its headroom and tailroom. CPU (default false): the core.
///            ACTIVE (default true): false prints nothing.
/// Handlers:  active (read/write).
/// Example:   Print(ok) prints "ok:   40 | 45000028 00000000 401177c3 01000001 02000002 13691369".
/// See also:  IPPrint, ARPPrint
struct Print {
  static constexpr ElementInfo info{.name = "Print"};

  struct Parameters {
    Text label;
    std::int32_t maxlength = 24;
    DataStyle contents{DataStyle::hex};
    bool timestamp = false;
    bool printanno = false;
    bool headroom = false;
    bool cpu = false;
  };
  struct Control {
    bool active = true;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::label>("LABEL"), positional<&Parameters::maxlength>("MAXLENGTH"),
               keyword<&Parameters::maxlength>("NBYTES"), keyword<&Parameters::contents>("CONTENTS"),
               keyword<&Parameters::timestamp>("TIMESTAMP"), keyword<&Parameters::printanno>("PRINTANNO"),
               keyword<&Parameters::headroom>("HEADROOM"), keyword<&Parameters::cpu>("CPU"),
               keyword<&Control::active>("ACTIVE"));
  static constexpr auto handlers = describe(read("active", &Control::active), write("active", &Control::active));
  using Reads = Fields<ReceiveTime, AnnotationArea>;
  template <class Field>
  static bool touches(const Parameters& parameters) {
    return std::is_same_v<Field, AnnotationArea> ? parameters.printanno : parameters.timestamp;
  }

  static Output process(auto& context, In, auto& packet) {
    if (!context.control().active) return to(0);
    const Parameters& parameters = context.parameters();
    std::string line(parameters.label);
    if (parameters.cpu) line += "(" + std::to_string(context.core()) + ")";
    if (parameters.timestamp) line += (line.empty() ? "" : ": ") + to_string(packet.template get<ReceiveTime>());
    if (parameters.headroom)
      line += " (h" + std::to_string(packet.headroom()) + " t" + std::to_string(packet.tailroom()) + ")";
    if (!line.empty()) line += ": ";
    const std::string length = std::to_string(packet.length());
    line.append(length.size() < 4 ? 4 - length.size() : 0, ' ') += length;
    if (parameters.printanno) line += " | " + data_text({DataStyle::hex}, packet.annotations(), kAnnotationBytes);
    if (parameters.contents.style != DataStyle::none) {
      const auto limit = static_cast<std::uint32_t>(parameters.maxlength);  // negative: more than any packet has
      line += " | " + data_text(parameters.contents, packet.data(), std::min(packet.length(), limit));
    }
    context.message(line);
    return to(0);
  }
};

}  // namespace packetmill
