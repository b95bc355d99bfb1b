#pragma once

#include <string_view>
#include <vector>

// Click's codes for the ports of an element class, as its element documentation defines them.

namespace packetmill {

struct PortCounts {
  int inputs = 0;
  int outputs = 0;
};

/// How many ports an element has if `used` of them are connected: as many as it needs within what the port-count code
/// allows. The code is "inputs/outputs", or one part for both; a part is "2", "1-3", "1-", "-" (any number), and for
/// the outputs "=", as many as inputs, with a "+" for each one more.
PortCounts port_counts(std::string_view code, PortCounts used);

/// 'h' (push), 'l' (pull) or 'a' (agnostic) for a port; the code is "inputs/outputs" or one part for both, a letter a
/// port, the last letter for all further ports.
char processing_code(std::string_view code, bool output, int port);

/// Whether a packet that arrives on `input` can leave on `output`. The flow code is "inputs/outputs" or one part for
/// both; each port has a letter or a set `[xy]` or `[^xy]` of them, the last one for all further ports, and packets
/// flow where the sets have a letter in common. `#` is a letter of its own for each port number.
bool flows(std::string_view code, int input, int output);

/// The outputs, of `outputs` many, that packets from `input` can reach.
std::vector<int> reachable_outputs(std::string_view flow_code, int input, int outputs);

}  // namespace packetmill
