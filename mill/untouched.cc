#include "mill/untouched.h"

// Where the NIC may be believed
//
// What it does. Under offloads = nic, ports say of each frame which checksums the NIC has found right (CheckedHeader,
// CheckedSegment in runtime/fields.h). This finds the elements that may take its word instead of summing up.
//
// Before:  FromDPDKDevice -> Classifier -> Strip(14) -> a :: CheckIPHeader -> DecIPTTL -> b :: CheckIPHeader
// After:   a takes the NIC's word; b sums up, since DecIPTTL has changed the header.
//
// Why it is sound. A checksum that was right stays right while no byte of the frame changes; which of the bytes count as
// the frame (Strip, padding that CheckIPHeader cuts off) is no matter, since what the NIC says names the header by its place
// in the buffer, which nothing but a change of bytes can move (Frame::push). So a site qualifies if all that lead to it
// do, and keep bytes: they say so (`keeps_bytes`), or their effects are on no frame. A source qualifies: of a packet that
// comes from no NIC the two fields read zero, which is "not known". Beginning with "all qualify" and taking away until
// nothing changes gives the largest set for which that holds; a circle of elements that keep bytes is right to be in it.

namespace packetmill::mill {

std::vector<bool> untouched(const Network& network) {
  std::vector<bool> result(network.sites.size(), true);
  const auto leads = [&](std::size_t from, const End& to) {
    const Site& site = network.sites[from];
    const auto target = static_cast<std::size_t>(to.element);
    const bool keeps = site.keeps_bytes || site.node->input_is_pull.empty();
    if (!result[target] || (result[from] && keeps)) return false;
    result[target] = false;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < network.sites.size(); ++i) {
      for (const End& to : network.sites[i].outputs)
        if (to.element >= 0) changed |= leads(i, to);
      for (const End& from : network.sites[i].inputs)
        if (from.element >= 0) changed |= leads(static_cast<std::size_t>(from.element), {static_cast<int>(i), 0});
    }
  }
  return result;
}

}  // namespace packetmill::mill
