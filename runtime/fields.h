#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/values/address.h"
#include "runtime/values/time.h"

namespace packetmill {

/// Packet metadata, declared. A field is a type; an element lists the fields that it reads and writes, and may touch no
/// others. A field reads as zero until it is written.
///
/// `kAnnotation` is the field's place in Click's 48-byte annotation area, or -1 where Click keeps it outside of it.
/// A configuration that names annotations by number reads the same bytes.
template <class T, int Annotation = -1>
struct Field {
  using Type = T;
  static constexpr int kAnnotation = Annotation;
};

/// Header positions: offsets in bytes from the start of the packet's *buffer*, so that moving the data pointer does not
/// move them. 0 means "not set": no port lets a frame begin at the first byte of its buffer.
struct MacHeader : Field<std::uint32_t> {};
struct NetworkHeader : Field<std::uint32_t> {};
struct TransportHeader : Field<std::uint32_t> {};

/// Where the frame was addressed to, as the receiving port saw it.
enum class PacketKind : std::uint8_t { host, broadcast, multicast, other_host, outgoing, fast_route };
struct Kind : Field<PacketKind> {};

/// When the frame came in.
struct ReceiveTime : Field<Timestamp> {};
/// The NIC's (or the port's) receive-side-scaling hash; 0 where it gives none.
struct RssHash : Field<std::uint32_t> {};
/// What the receiving NIC has found right: where the IPv4 header is whose checksum that is, and where the one whose TCP or
/// UDP segment's is; 0: it has found none. NICs look behind VLAN tags: it is of a header at that place only if the Ethertype
/// before it says so (nic_found in runtime/checksum.h). They are not looked at again when bytes of the frame change, so an element may
/// believe them only where nothing before it changes any (context.trusts_nic).
struct CheckedHeader : Field<std::uint16_t> {};
struct CheckedSegment : Field<std::uint16_t> {};
/// The flow's index in its flow manager's table, plus 1; 0: no flow.
struct FlowIndex : Field<std::uint32_t> {};

/// Click's annotations (their places are part of Click's documented interface).
struct DestinationAddress : Field<IPv4Address, 0> {};      ///< next hop: destination or gateway
struct PaintColor : Field<std::uint8_t, 16> {};            ///< Paint
struct IcmpParameterProblem : Field<std::uint8_t, 17> {};  ///< offset of the byte that IPGWOptions found wrong
struct FixIpSource : Field<std::uint8_t, 19> {};           ///< 1: FixIPSrc is to write its own address
struct VlanTci : Field<std::uint16_t, 20> {};              ///< network byte order
struct AggregateNumber : Field<std::uint32_t, 20> {};      ///< host byte order
struct ExtraPackets : Field<std::uint32_t, 24> {};
struct ExtraLength : Field<std::uint32_t, 28> {};
struct FirstTimestamp : Field<Timestamp, 32> {};
struct SequenceNumber : Field<std::uint32_t, 36> {};

/// The whole area, for elements whose configuration gives bytes by number (Paint's ANNO, Switch by annotation, ...).
struct AnnotationArea : Field<std::uint8_t> {};
inline constexpr int kAnnotationBytes = 48;

/// A set of fields.
template <class... F>
struct Fields {
  template <class X>
  static constexpr bool has = (std::is_same_v<X, F> || ...);
};
/// Everything that a packet may have.
using AllFields = Fields<AnnotationArea, MacHeader, NetworkHeader, TransportHeader, Kind, ReceiveTime, RssHash,
                         CheckedHeader, CheckedSegment, FlowIndex>;

}  // namespace packetmill
