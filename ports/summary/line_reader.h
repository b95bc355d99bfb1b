#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ports/summary/fields.h"
#include "ports/trace_stream.h"

namespace packetmill::summary {

/// "SRC SPORT DST DPORT [PROTO]": what a packet has where no field says otherwise.
struct FlowId {
  static constexpr std::string_view kTypeName = "flow";
  IPv4Address source;
  IPv4Address destination;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::optional<std::uint8_t> protocol;

  void set(Draft& draft) const;
};
ParseError parse(std::string_view text, FlowId& out, const Names& names = kNoNames);

/// The packets of an IP summary dump, line by line and, after `!binary`, record by record; what `!` lines say holds for
/// those that follow.
class LineReader {
 public:
  /// None, and the reason in `wrong`, where the file cannot be read or is empty.
  static std::optional<LineReader> open(const std::string& path, const Draft& base, std::string& wrong);
  /// Reads `text`, which must outlive the reader.
  static LineReader over(std::string_view text, const Draft& base);

  /// The fields of lines before any `!data` line.
  void set_fields(std::vector<const Field*> fields) { fields_ = std::move(fields); }

  enum Outcome { packet, no_fields, over_and_out };
  /// The next packet, in `draft`. `wrong` says what could not be understood, if anything, with the number of the line
  /// or record.
  Outcome next(Draft& draft, std::string& wrong);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const;
  [[nodiscard]] std::optional<std::uint64_t> position() const;

 private:
  LineReader(std::string name, const Draft& base) : name_(std::move(name)), base_(base) {}
  /// Reads the next line or record into `line_`; false at the end, and where nothing more can be understood.
  bool read_line();
  bool read_record(std::string& wrong);
  /// Reads `size` bytes into `line_`, or as many as there are.
  bool read_bytes(std::size_t size);
  void take_values(Draft& draft, std::string& wrong) const;
  void take_packed_values(Draft& draft, std::string& wrong) const;
  void take_value(const Field& field, const std::string& word, Draft& draft, std::string& wrong) const;
  /// A line that begins with "!".
  void take_remark(std::string& wrong);
  /// Says in `wrong` what is wrong with the line at hand, unless something is there already.
  void complain(std::string& wrong, const std::string& what) const;

  std::string name_;
  Draft base_;  ///< what every packet begins as
  std::vector<const Field*> fields_;
  std::optional<TraceStream> stream_;
  std::string_view text_;  ///< what is left, where there is no stream
  bool binary_ = false;    ///< records follow
  std::string line_;
  bool packed_ = false;       ///< `line_` is a packet's record
  std::uint64_t number_ = 0;  ///< of `line_`, from 1
};

}  // namespace packetmill::summary
