#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ports/trace_stream.h"
#include "runtime/values/time.h"

/// Files of packets, by libpcap: micro- and nanosecond pcap of either byte order, and pcapng for reading.
namespace packetmill::pcap {

/// One packet of a file. `data` is libpcap's and holds until the next record is read.
struct Record {
  const std::uint8_t* data = nullptr;
  std::uint32_t captured = 0;  ///< bytes in the file
  std::uint32_t length = 0;    ///< bytes that the packet had on the wire; at least `captured`
  Timestamp time;
};

/// Reads a file, as TraceStream does.
class DumpReader {
 public:
  /// Null, and the reason in `wrong`, where there is no such file or it is none of packets.
  static std::unique_ptr<DumpReader> open(const std::string& path, std::string& wrong);
  ~DumpReader();
  DumpReader(const DumpReader&) = delete;
  DumpReader& operator=(const DumpReader&) = delete;

  /// The next packet; none at the end of the file, or of what can be understood of it: then `wrong` says why.
  std::optional<Record> next(std::string& wrong);

  [[nodiscard]] int link_type() const { return pcap_datalink(pcap_); }
  [[nodiscard]] const TraceStream& stream() const { return stream_; }
  /// Where the next record begins; none where the file cannot be positioned.
  [[nodiscard]] std::optional<std::uint64_t> position() const { return position_; }
  /// Goes on at `position`, which must be the beginning of a record; false where the file cannot be positioned.
  bool seek(std::uint64_t position);

 private:
  DumpReader(TraceStream stream, pcap_t* pcap)
      : stream_(std::move(stream)), pcap_(pcap), position_(stream_.position()) {}
  void move_past(const pcap_pkthdr& header);

  TraceStream stream_;
  pcap_t* pcap_;
  std::optional<std::uint64_t> position_;
  bool counted_ = false;  ///< the last record was as long as the format says
};

/// Writes a pcap file; "-" is standard output.
class DumpWriter {
 public:
  struct Format {
    int link_type;
    std::uint32_t snap_length;  ///< of each packet, this much is written at most
    bool nanoseconds;
    bool unbuffered;
  };
  static std::unique_ptr<DumpWriter> open(const std::string& path, const Format& format, std::string& wrong);
  ~DumpWriter();
  DumpWriter(const DumpWriter&) = delete;
  DumpWriter& operator=(const DumpWriter&) = delete;

  /// `record.captured` is the packet as it is; cutting it to the snap length is done here. False where the file cannot
  /// take it (a full disk).
  bool write(const Record& record);
  /// False where not all that was written has reached the file.
  bool flush() { return pcap_dump_flush(dumper_) == 0; }

 private:
  DumpWriter(pcap_t* pcap, pcap_dumper_t* dumper, const Format& format)
      : pcap_(pcap), dumper_(dumper), format_(format) {}

  pcap_t* pcap_;
  pcap_dumper_t* dumper_;
  Format format_;
};

}  // namespace packetmill::pcap
