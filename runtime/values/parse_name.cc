#include "runtime/values/parse.h"
#include "runtime/values/well_known.h"

namespace packetmill {
namespace {

ParseError parse_port(std::string_view text, IPProtocol protocol, uint16_t& out, const Names& names) {
  auto number = names.find_port(text, protocol);
  if (!number) number = well_known::find_port(text, protocol);
  if (!number) return parse(text, out);
  out = *number;
  return {};
}

}  // namespace

ParseError parse(std::string_view text, IPProtocol& out, const Names&) {
  const auto protocol = well_known::find_protocol(text);
  if (!protocol) return parse(text, out.number);
  out = *protocol;
  return {};
}

ParseError parse(std::string_view text, TcpPort& out, const Names& names) {
  return parse_port(text, kTcp, out.number, names);
}

ParseError parse(std::string_view text, UdpPort& out, const Names& names) {
  return parse_port(text, kUdp, out.number, names);
}

ParseError parse(std::string_view text, Annotation& out, const Names&) {
  if (const auto annotation = well_known::find_annotation(text)) return out = *annotation, std::nullopt;
  const size_t slash = text.find('/');
  Annotation annotation;
  if (parse(text.substr(0, slash), annotation.offset)) return "invalid annotation";
  if (slash != std::string_view::npos && (parse(text.substr(slash + 1), annotation.size) || annotation.size == 0)) {
    return "invalid annotation size";
  }
  if (annotation.offset + std::max<unsigned>(annotation.size, 1) > kAnnotationArea) {
    return "annotation out of range, bound " + std::to_string(kAnnotationArea);
  }
  out = annotation;
  return {};
}

}  // namespace packetmill
