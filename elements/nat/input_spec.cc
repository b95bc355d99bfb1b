#include "elements/nat/input_spec.h"

#include "graph/nearest.h"

namespace packetmill {
namespace {

using Words = std::vector<std::string>;

ParseError parse_source_port(std::string text, RewritePattern& pattern) {
  if (text == "-") return {};
  pattern.choice = RewritePattern::Choice::prefer_own;
  if (text.ends_with('?')) pattern.choice = RewritePattern::Choice::random;
  if (text.ends_with('#')) pattern.choice = RewritePattern::Choice::sequential;
  if (pattern.choice != RewritePattern::Choice::prefer_own) text.pop_back();
  Range<std::uint16_t> range;
  if (parse(text, range) || range.first > range.last) return "bad source port '" + text + "'";
  pattern.first_port = range.first;
  pattern.last_port = range.last;
  return {};
}

ParseError parse_pattern(const Words& words, const Names& names, RewritePattern& pattern) {
  if (words.size() != 4) return "expected 'SADDR SPORT DADDR DPORT'";
  if (words[0] != "-" && parse(words[0], pattern.source, names)) return "bad source address '" + words[0] + "'";
  if (ParseError wrong = parse_source_port(words[1], pattern)) return wrong;
  if (words[2] != "-" && parse(words[2], pattern.destination, names))
    return "bad destination address '" + words[2] + "'";
  if (words[3] != "-" && parse(words[3], pattern.destination_port)) return "bad destination port '" + words[3] + "'";
  return {};
}

ParseError parse_output(const std::string& word, int outputs, std::uint16_t& output) {
  if (parse(word, output)) return "bad output port '" + word + "'";
  if (output >= outputs) return "output port out of range";
  return {};
}

/// The input specifications of one element, as they are read.
class Reader {
 public:
  explicit Reader(Configuration& configuration) : configuration_(configuration) {}

  ParseError read(const std::string& text, InputSpec& spec) {
    const Words words = split_words(text);
    const std::string kind = words.empty() ? "" : words[0];
    if (kind == "drop" || kind == "discard") {
      spec.kind = InputSpec::Kind::drop;
      return words.size() == 1 ? ParseError() : "expected '" + kind + "'";
    }
    if (kind == "pass" || kind == "nochange") {  // older manuals say `nochange`
      spec.kind = InputSpec::Kind::pass;
      if (words.size() != 2) return "expected '" + kind + " OUTPUT'";
      return read_output(words[1], spec.output);
    }
    if (kind == "keep") {
      spec.kind = InputSpec::Kind::keep;
      if (words.size() != 3) return "expected 'keep FOUTPUT ROUTPUT'";
    } else if (kind == "pattern") {
      spec.kind = InputSpec::Kind::pattern;
      if (words.size() != 4 && words.size() != 7)
        return "expected 'pattern SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT' or 'pattern NAME FOUTPUT ROUTPUT'";
      const ParseError wrong =
          words.size() == 4 ? find_pattern(words[1], spec) : add_pattern({words.begin() + 1, words.begin() + 5}, spec);
      if (wrong) return wrong;
    } else {
      const std::string hint = did_you_mean(kind, {"pattern", "keep", "pass", "drop", "discard"});
      return "unknown input specification '" + kind + "'" + (hint.empty() ? "" : "; " + hint);
    }
    if (ParseError wrong = read_output(words[words.size() - 2], spec.output)) return wrong;
    return read_output(words.back(), spec.reply_output);
  }

  [[nodiscard]] std::vector<RewritePattern> take_patterns() { return std::move(patterns_); }

 private:
  ParseError read_output(const std::string& word, std::uint16_t& output) const {
    return parse_output(word, configuration_.outputs(), output);
  }

  ParseError add_pattern(const Words& words, InputSpec& spec) {
    RewritePattern pattern;
    if (ParseError wrong = parse_pattern(words, configuration_.names(), pattern)) return wrong;
    spec.pattern = static_cast<std::uint32_t>(patterns_.size());
    patterns_.push_back(pattern);
    return {};
  }

  /// A name is one pattern for all inputs that use it: they share its sequence of ports.
  ParseError find_pattern(const std::string& name, InputSpec& spec) {
    const auto known = named_.find(name);
    if (known != named_.end()) {
      spec.pattern = known->second;
      return {};
    }
    const auto text = configuration_.names().find_pattern(name);
    if (!text) return "no pattern named '" + name + "'";
    if (ParseError wrong = add_pattern(split_words(*text), spec)) return "pattern '" + name + "': " + *wrong;
    named_.emplace(name, spec.pattern);
    return {};
  }

  Configuration& configuration_;
  std::vector<RewritePattern> patterns_;
  std::map<std::string, std::uint32_t> named_;
};

}  // namespace

std::string to_string(const RewritePattern& pattern) {
  using Choice = RewritePattern::Choice;
  const auto address = [](const std::optional<IPv4Address>& given) { return given ? to_string(*given) : "-"; };
  std::string text = address(pattern.source) + " ";
  if (pattern.choice == Choice::keep) {
    text += "-";
  } else {
    text += std::to_string(pattern.first_port);
    if (pattern.last_port != pattern.first_port) text += "-" + std::to_string(pattern.last_port);
    if (pattern.choice == Choice::random) text += "?";
    if (pattern.choice == Choice::sequential) text += "#";
  }
  return text + " " + address(pattern.destination) + " " +
         (pattern.destination_port ? std::to_string(*pattern.destination_port) : "-");
}

ParseError parse_pattern_and_outputs(std::string_view text, int outputs, const Names& names, RewritePattern& pattern,
                                     InputSpec& spec) {
  const Words words = split_words(text);
  if (words.size() != 6) return "expected 'SADDR SPORT DADDR DPORT FOUTPUT ROUTPUT'";
  if (ParseError wrong = parse_pattern({words.begin(), words.begin() + 4}, names, pattern)) return wrong;
  if (ParseError wrong = parse_output(words[4], outputs, spec.output)) return wrong;
  return parse_output(words[5], outputs, spec.reply_output);
}

void configure_inputs(Configuration& configuration, List<InputSpec>& inputs, List<RewritePattern>& patterns) {
  configuration.refuse_unknown_keywords();
  const std::vector<Argument> arguments = configuration.take_rest();
  if (static_cast<int>(arguments.size()) != configuration.inputs())
    configuration.error("need " + std::to_string(configuration.inputs()) + " arguments, one per input port");
  Reader reader(configuration);
  std::vector<InputSpec> specs(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (const ParseError wrong = reader.read(arguments[i].text, specs[i]))
      configuration.error(arguments[i], "input spec " + std::to_string(i) + ": " + *wrong);
  inputs = configuration.arena().keep(std::move(specs));
  patterns = configuration.arena().keep(reader.take_patterns());
}

}  // namespace packetmill
