#include "runtime/values/scalar.h"

#include <cmath>
#include <cstdio>

namespace packetmill {

std::string fraction_text(uint32_t raw, unsigned bits) {
  const double value = std::ldexp(raw, -static_cast<int>(bits));
  char text[32];
  for (int digits = 1; digits < 18; ++digits) {
    std::snprintf(text, sizeof(text), "%.*f", digits, value);
    if (std::llround(std::ldexp(std::stod(text), static_cast<int>(bits))) == raw) break;
  }
  std::string shortest = text;
  shortest.erase(shortest.find_last_not_of('0') + 1);
  if (shortest.back() == '.') shortest.pop_back();
  return shortest;
}

}  // namespace packetmill
