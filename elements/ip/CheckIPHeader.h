#pragma once

#include "elements/ip/ip_header_check.h"

namespace packetmill {

/// CheckIPHeader: checks IPv4 headers as a router must (RFC 1812, 5.2.2) and notes where they are.
///
/// Checks that the packet holds a header, its version, its header length, that the packet has all of its total length,
/// its checksum, and, where addresses were given, its source address (RFC 1812, 5.3.7). A good packet is cut down to
/// its total length (Ethernet pads short ones), and gets its header positions and its destination annotation.
///
/// Ports:     1 input, 1-2 outputs. Output 0: good packets. Output 1: bad packets, unchanged; dropped where it is not
///            connected.
/// Keywords:  OFFSET (default 0; may be given by place): where in the packet the header begins.
///            INTERFACES: this router's addresses with their prefixes. Their broadcast addresses, 0.0.0.0 and
///            255.255.255.255 are added to BADSRC, the addresses themselves to GOODDST.
///            BADSRC: source addresses that make a packet bad.
///            GOODDST: destination addresses that excuse it.
///            CHECKSUM (default true): whether to check the checksum.
///            VERBOSE (default false): a message for every bad packet, not only for the first.
///            DETAILS (default false): whether there is a drop_details handler.
///            An old syntax, CheckIPHeader(BADSRC, OFFSET), adds 0.0.0.0 and 255.255.255.255 to BADSRC.
/// Handlers:  count (read): good packets. drops (read): bad packets. drop_details (read): bad packets by reason.
/// Drops:     tiny_packet, bad_ip_version, bad_ip_header_length, bad_ip_length, bad_ip_checksum, bad_source_address
/// Example:   CheckIPHeader(14, INTERFACES 18.26.4.9/24 18.32.9.44/28)
/// See also:  CheckIPHeader2, MarkIPHeader, SetIPChecksum, CheckTCPHeader, CheckUDPHeader, CheckICMPHeader
struct CheckIPHeader : IPHeaderCheck<true> {
  static constexpr ElementInfo info{.name = "CheckIPHeader", .ports = "1/1-2", .processing = "a/ah"};
};

}  // namespace packetmill
