#include "ports/pcap/link_type.h"

#include <pcap/pcap.h>

#include <cstring>

#include "runtime/headers.h"
#include "runtime/values/parse.h"

namespace packetmill::pcap {
namespace {

struct Named {
  std::string_view name;
  int link_type;
};
constexpr Named kNames[] = {{"ETHER", DLT_EN10MB},
                            {"IP", DLT_RAW},
                            {"FDDI", DLT_FDDI},
                            {"ATM", DLT_ATM_RFC1483},
                            {"802_11", DLT_IEEE802_11},
                            {"SLL", DLT_LINUX_SLL},
                            {"AIRONET", DLT_AIRONET_HEADER},
                            {"HDLC", DLT_C_HDLC},
                            {"PPP_HDLC", DLT_PPP_SERIAL},
                            {"PPP", DLT_PPP},
                            {"SUNATM", DLT_SUNATM},
                            {"PRISM", DLT_PRISM_HEADER},
                            {"NULL", DLT_NULL}};

/// A frame, read without ever looking past its end.
class Reader {
 public:
  Reader(const std::uint8_t* frame, std::uint32_t length) : frame_(frame), length_(length) {}

  [[nodiscard]] bool has(std::uint32_t offset, std::string_view bytes) const {
    return offset + bytes.size() <= length_ && std::memcmp(frame_ + offset, bytes.data(), bytes.size()) == 0;
  }
  [[nodiscard]] bool has_type(std::uint32_t offset, std::uint16_t type) const {
    const char bytes[] = {static_cast<char>(type >> 8U), static_cast<char>(type)};
    return has(offset, {bytes, 2});
  }

 private:
  const std::uint8_t* frame_;
  std::uint32_t length_;
};

using Offset = std::optional<std::uint32_t>;

constexpr std::string_view kSnapIPv4{"\xaa\xaa\x03\0\0\0\x08\0", 8};  // RFC 1042
constexpr std::uint16_t kServiceVlan = 0x88a8;                        // IEEE 802.1ad
constexpr std::uint16_t kPppIPv4 = 0x0021;                            // RFC 1332

Offset behind_ethernet(const Reader& frame) {
  std::uint32_t type = 12;
  while (frame.has_type(type, kEthernetVlan) || frame.has_type(type, kServiceVlan)) type += 4;
  return frame.has_type(type, kEthernetIPv4) ? Offset(type + 2) : Offset();
}

/// The address family comes in the byte order of whoever wrote the file; 2 is AF_INET everywhere.
Offset behind_family(const Reader& frame) {
  return frame.has(0, {"\x02\0\0\0", 4}) || frame.has(0, {"\0\0\0\x02", 4}) ? Offset(4) : Offset();
}

/// RFC 1662, with or without address and control field.
Offset behind_ppp(const Reader& frame) {
  if (frame.has(0, "\xff\x03")) return frame.has_type(2, kPppIPv4) ? Offset(4) : Offset();
  return frame.has_type(0, kPppIPv4) ? Offset(2) : Offset();
}

Offset behind_type(const Reader& frame, std::uint32_t type_at, std::uint32_t header_length) {
  return frame.has_type(type_at, kEthernetIPv4) ? Offset(header_length) : Offset();
}

Offset behind_snap(const Reader& frame, std::uint32_t snap_at) {
  return frame.has(snap_at, kSnapIPv4) ? Offset(snap_at + 8) : Offset();
}

Offset behind_link_header(int link_type, const Reader& frame) {
  switch (link_type) {
    case DLT_RAW:
    case DLT_IPV4:
      return 0;
    case DLT_EN10MB:
      return behind_ethernet(frame);
    case DLT_NULL:
    case DLT_LOOP:
      return behind_family(frame);
    case DLT_LINUX_SLL:
      return behind_type(frame, 14, 16);
    case DLT_LINUX_SLL2:
      return behind_type(frame, 0, 20);
    case DLT_C_HDLC:
      return behind_type(frame, 2, 4);
    case DLT_PPP:
    case DLT_PPP_SERIAL:
      return behind_ppp(frame);
    case DLT_ATM_RFC1483:
      return behind_snap(frame, 0);
    case DLT_FDDI:
      return behind_snap(frame, 13);
    default:  // INTERPRETATION: frames of other types hold no IP packet that FORCE_IP could show
      return {};
  }
}

}  // namespace

std::string link_type_name(int link_type) {
  for (const Named& named : kNames)
    if (named.link_type == link_type) return std::string(named.name);
  return "##" + std::to_string(link_type);
}

std::optional<int> find_link_type(std::string_view name) {
  for (const Named& named : kNames)
    if (named.name == name) return named.link_type;
  std::uint16_t number = 0;
  if (name.starts_with("##") && !parse(name.substr(2), number) && pcap_datalink_val_to_name(number) != nullptr)
    return number;
  return {};
}

Offset find_ipv4(int link_type, const std::uint8_t* frame, std::uint32_t length) {
  const Offset offset = behind_link_header(link_type, Reader(frame, length));
  if (!offset || *offset + sizeof(IPv4Header) > length) return {};
  const auto& ip = *reinterpret_cast<const IPv4Header*>(frame + *offset);
  const unsigned header_length = ip.header_length();
  const bool valid = ip.version() == 4 && header_length >= sizeof(IPv4Header) && *offset + header_length <= length &&
                     swap_network(ip.total_length) >= header_length;
  return valid ? offset : Offset();
}

}  // namespace packetmill::pcap
