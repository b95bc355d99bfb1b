#include "ports/summary/line_reader.h"

#include <cctype>
#include <cstdlib>

#include "ports/summary/binary.h"
#include "runtime/arguments/split.h"

namespace packetmill::summary {
namespace {

/// Takes the next word off the front of `text`, without its quotes: a word in double quotes may hold blanks.
std::string take_word(std::string_view& text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  std::size_t end = 0;
  bool quoted = false;
  for (; end < text.size() && (quoted || !blank(text[end])); ++end) {
    if (text[end] == '"') quoted = !quoted;
    if (quoted && text[end] == '\\' && end + 1 < text.size()) ++end;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word.starts_with('"') ? unquote(word) : std::string(word);
}

}  // namespace

void FlowId::set(Draft& draft) const {
  draft.source = source;
  draft.destination = destination;
  draft.source_port = source_port;
  draft.destination_port = destination_port;
  if (protocol) draft.protocol = *protocol;
}

ParseError parse(std::string_view text, FlowId& out, const Names& names) {
  FlowId flow;
  const std::string source = take_word(text);
  const std::string source_port = take_word(text);
  const std::string destination = take_word(text);
  const std::string destination_port = take_word(text);
  const std::string protocol = take_word(text);
  const bool good = !parse(source, flow.source, names) && !parse(source_port, flow.source_port) &&
                    !parse(destination, flow.destination, names) && !parse(destination_port, flow.destination_port) &&
                    (protocol.empty() || parse_protocol(protocol, flow.protocol.emplace())) && take_word(text).empty();
  if (!good) return "expected SRC SPORT DST DPORT [PROTO]";
  out = flow;
  return {};
}

std::optional<LineReader> LineReader::open(const std::string& path, const Draft& base, std::string& wrong) {
  LineReader reader(path, base);
  std::optional<TraceStream> stream = TraceStream::open(path, wrong);
  if (!stream) return {};
  const int first = std::getc(stream->file());
  if (first == EOF) {
    wrong = path + ": empty file";
    return {};
  }
  std::ungetc(first, stream->file());
  reader.stream_.emplace(std::move(*stream));
  return reader;
}

LineReader LineReader::over(std::string_view text, const Draft& base) {
  LineReader reader("DATA", base);
  reader.text_ = text;
  return reader;
}

bool LineReader::read_bytes(std::size_t size) {
  // A length may be a lie: memory is taken for what is there, a piece at a time.
  static constexpr std::size_t kPiece = 65536;
  line_.clear();
  while (line_.size() < size) {
    const std::size_t piece = std::min(size - line_.size(), kPiece);
    if (!stream_) {
      line_ += text_.substr(0, piece);
      text_.remove_prefix(std::min(piece, text_.size()));
      return line_.size() == size;
    }
    const std::size_t before = line_.size();
    line_.resize(before + piece);
    const std::size_t got = std::fread(line_.data() + before, 1, piece, stream_->file());
    line_.resize(before + got);
    if (got < piece) return false;
  }
  return true;
}

bool LineReader::read_record(std::string& wrong) {
  ++number_;
  if (!read_bytes(4)) {
    if (!line_.empty()) complain(wrong, "truncated record");
    return false;
  }
  const std::uint32_t word = detail::load32(reinterpret_cast<const std::uint8_t*>(line_.data()));
  const std::uint32_t length = word & ~kTextRecord;
  packed_ = (word & kTextRecord) == 0;
  if (length < 4) {
    complain(wrong, "bad record length " + std::to_string(length));
    return false;
  }
  if (read_bytes(length - 4)) return true;
  complain(wrong, "truncated record");
  return false;
}

bool LineReader::read_line() {
  ++number_;
  line_.clear();
  if (!stream_) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const bool more = !text_.empty();
    line_ = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return more;
  }
  char* buffer = nullptr;
  std::size_t capacity = 0;
  const ssize_t length = getline(&buffer, &capacity, stream_->file());
  if (length > 0) line_.assign(buffer, static_cast<std::size_t>(length));
  std::free(buffer);
  return length > 0;
}

LineReader::Outcome LineReader::next(Draft& draft, std::string& wrong) {
  while (binary_ ? read_record(wrong) : read_line()) {
    if (!packed_) {
      while (!line_.empty() && std::isspace(static_cast<unsigned char>(line_.back())) != 0) line_.pop_back();
      if (line_.empty() || line_.front() == '#') continue;
      // A line that begins with "!" alone has it as the value of ip_frag.
      if (line_.front() == '!' && line_.size() > 1 && std::isalpha(static_cast<unsigned char>(line_[1])) != 0) {
        take_remark(wrong);
        continue;
      }
    }
    if (fields_.empty()) {
      complain(wrong, "no '!data' line says what it has");
      return no_fields;
    }
    draft = base_;
    if (packed_)
      take_packed_values(draft, wrong);
    else
      take_values(draft, wrong);
    return packet;
  }
  return over_and_out;
}

/// A line may end before its fields do; what is missing is as if it were "-".
void LineReader::take_values(Draft& draft, std::string& wrong) const {
  std::string_view rest = line_;
  for (const Field* field : fields_) {
    const std::string word = take_word(rest);
    if (word.empty() && rest.empty()) return;
    take_value(*field, word, draft, wrong);
  }
}

/// So may a record, but not within a field.
void LineReader::take_packed_values(Draft& draft, std::string& wrong) const {
  std::string_view rest = line_;
  for (const Field* field : fields_) {
    if (rest.empty()) return;
    if (!has_binary_form(*field)) return complain(wrong, "'" + std::string(field->name) + "' has no binary form");
    const auto word = take_binary(*field, rest);
    if (!word) return complain(wrong, "truncated " + std::string(field->name));
    take_value(*field, *word, draft, wrong);
  }
}

void LineReader::take_value(const Field& field, const std::string& word, Draft& draft, std::string& wrong) const {
  if (word == "-" || field.read == nullptr || field.read(word, draft)) return;
  complain(wrong, "bad " + std::string(field.name) + " '" + word + "'");
}

void LineReader::complain(std::string& wrong, const std::string& what) const {
  if (wrong.empty()) wrong = (binary_ ? "record " : "line ") + std::to_string(number_) + ": " + what;
}

void LineReader::take_remark(std::string& wrong) {
  std::string_view rest = line_;
  const std::string word = take_word(rest);
  if (word == "!data") {
    std::string unknown;
    std::vector<const Field*> fields;
    while (true) {
      std::string name = take_word(rest);
      if (name.empty()) break;
      // Old dumps quote names with apostrophes: 'ip src'.
      if (name.front() == '\'' && name.back() != '\'') name += " " + take_word(rest);
      fields.push_back(find_field(unquote(name)));
      if (fields.back() == nullptr) unknown = name;
    }
    if (!unknown.empty()) {
      complain(wrong, "unknown field '" + unknown + "'");
      static constexpr Field kIgnored{"", nullptr, nullptr};
      for (const Field*& field : fields)
        if (field == nullptr) field = &kIgnored;
    }
    fields_ = std::move(fields);
  } else if (word == "!IPSummaryDump") {
    base_.fragments_in_units = take_word(rest) == "1.0";
  } else if (word == "!flowid") {
    FlowId flow;
    if (const auto error = parse(rest, flow))
      complain(wrong, "!flowid: " + *error);
    else
      flow.set(base_);
  } else if (word == "!proto") {
    if (!parse_protocol(take_word(rest), base_.protocol)) complain(wrong, "!proto: bad protocol");
  } else if (word == "!aggregate") {
    if (parse(take_word(rest), base_.aggregate)) complain(wrong, "!aggregate: bad number");
  } else if (word == "!binary") {
    binary_ = true;
    number_ = 0;  // records are counted on their own
  }
}

std::optional<std::uint64_t> LineReader::size() const { return stream_ ? stream_->size() : std::nullopt; }
std::optional<std::uint64_t> LineReader::position() const { return stream_ ? stream_->position() : std::nullopt; }

}  // namespace packetmill::summary
