#include "elements/control/script_functions.h"

#include <fmt/format.h>
#include <fmt/printf.h>
#include <signal.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

#include "runtime/arguments/split.h"
#include "runtime/values/parse.h"

namespace packetmill {
namespace {

using Answer = ControlPlane::Answer;

Answer value(std::string text) { return {true, std::move(text)}; }
Answer value(bool truth) { return {true, truth ? "true" : "false"}; }
Answer wrong(std::string message) { return {false, std::move(message)}; }

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words = split_words(text);
  for (std::string& word : words) word = unquote(word);
  return words;
}

/// "The arithmetic and comparison operators can parse floating-point numbers as well as integers."
struct Number {
  bool whole = true;
  std::int64_t integer = 0;
  double real = 0;
};

std::optional<Number> number(const std::string& text) {
  Number result;
  if (!parse(text, result.integer)) {
    result.real = static_cast<double>(result.integer);
    return result;
  }
  result.whole = false;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), result.real);
  const bool all = end.ec == std::errc() && end.ptr == text.data() + text.size();
  return all && std::isfinite(result.real) ? std::optional(result) : std::nullopt;
}

std::optional<std::vector<Number>> numbers(std::string_view text) {
  std::vector<Number> result;
  for (const std::string& word : words_of(text)) {
    const auto parsed = number(word);
    if (!parsed) return std::nullopt;
    result.push_back(*parsed);
  }
  return result;
}

std::string text_of(double real) { return fmt::format("{:.15g}", real); }
std::string text_of(const Number& n) { return n.whole ? std::to_string(n.integer) : text_of(n.real); }

/// Integers wrap, as the machine's do.
std::int64_t wrap(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }

Number apply(std::string_view operation, const Number& a, const Number& b) {
  const auto x = static_cast<std::uint64_t>(a.integer);
  const auto y = static_cast<std::uint64_t>(b.integer);
  Number result;
  result.whole = a.whole && b.whole;
  if (operation == "add") result = {result.whole, wrap(x + y), a.real + b.real};
  if (operation == "sub") result = {result.whole, wrap(x - y), a.real - b.real};
  if (operation == "mul") result = {result.whole, wrap(x * y), a.real * b.real};
  if (operation == "div" || operation == "idiv") result = {false, 0, a.real / b.real};
  if (operation == "min") return b.real < a.real ? b : a;
  if (operation == "max") return b.real > a.real ? b : a;
  if (result.whole) result.real = static_cast<double>(result.integer);
  return result;
}

}  // namespace

namespace script {

/// add, sub, mul, div, idiv, min, max: from the left, over all arguments.
Answer fold(std::string_view name, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->empty()) return wrong("expected list of numbers");
  Number result = list->front();
  for (std::size_t i = 1; i < list->size(); ++i) {
    if (name.ends_with("div") && (*list)[i].real == 0) return wrong("division by zero");
    if (name == "idiv" && result.whole && (*list)[i].whole) {
      // The one quotient of two integers that is not one is the least over -1.
      const std::int64_t divisor = (*list)[i].integer;
      result.integer = divisor == -1 ? wrap(0 - static_cast<std::uint64_t>(result.integer)) : result.integer / divisor;
      result.real = static_cast<double>(result.integer);
    } else {
      result = apply(name, result, (*list)[i]);
    }
  }
  if (name == "idiv" && !result.whole) return value(fmt::format("{:.0f}", std::trunc(result.real)));
  return value(text_of(result));
}

Answer average(std::string_view, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->empty()) return wrong("expected list of numbers");
  double sum = 0;
  for (const Number& n : *list) sum += n.real;
  return value(text_of(sum / static_cast<double>(list->size())));
}

/// count, popcount; gt_vec, whose first argument is what the others are compared with.
Answer count(std::string_view name, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || (name == "gt_vec" && list->empty())) return wrong("expected list of numbers");
  if (name == "count") return value(std::to_string(list->size()));
  const bool bound = name == "gt_vec";
  const double limit = bound ? list->front().real : 0;
  const auto counted = std::count_if(list->begin() + (bound ? 1 : 0), list->end(),
                                     [&](const Number& n) { return bound ? n.real > limit : n.real != 0; });
  return value(std::to_string(counted));
}

Answer remainder(std::string_view name, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->size() != 2) return wrong("expected two numbers");
  const Number& a = (*list)[0];
  const Number& b = (*list)[1];
  if (b.real == 0) return wrong("division by zero");
  if (a.whole && b.whole) return value(std::to_string(b.integer == -1 ? 0 : a.integer % b.integer));
  if (name == "mod") return wrong("expected integers");
  return value(text_of(std::fmod(a.real, b.real)));
}

Answer negate(std::string_view name, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->size() != 1) return wrong("expected number");
  Number n = list->front();
  if (name == "neg" || n.real < 0) {
    n.integer = wrap(0 - static_cast<std::uint64_t>(n.integer));
    n.real = -n.real;
  }
  return value(text_of(n));
}

/// "If either parameter cannot be interpreted as a number, performs a string comparison in bytewise lexicographic
/// order."
Answer compare(std::string_view name, std::string_view text, ScriptWorld&) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() != 2) return wrong("expected two arguments");
  const auto a = number(words[0]);
  const auto b = number(words[1]);
  std::partial_ordering order = words[0] <=> words[1];
  if (a && b) order = a->whole && b->whole ? a->integer <=> b->integer : a->real <=> b->real;
  if (name == "eq") return value(order == 0);
  if (name == "ne") return value(order != 0);
  if (name == "lt") return value(order < 0);
  if (name == "le") return value(order <= 0);
  return value(name == "gt" ? order > 0 : order >= 0);
}

Answer negation(std::string_view, std::string_view text, ScriptWorld&) {
  bool truth = false;
  const Answer parsed = script_boolean(text, truth);
  return parsed.ok ? value(!truth) : parsed;
}

/// and, or, nand, nor
Answer combine(std::string_view name, std::string_view text, ScriptWorld&) {
  const bool is_and = name.ends_with("and");
  bool result = is_and;
  for (const std::string& word : words_of(text)) {
    bool truth = false;
    if (const Answer parsed = script_boolean(word, truth); !parsed.ok) return parsed;
    result = is_and ? result && truth : result || truth;
  }
  return value(name.starts_with("n") ? !result : result);
}

Answer choose(std::string_view, std::string_view text, ScriptWorld&) {
  const std::vector<std::string> words = split_words(text);
  if (words.size() != 3) return wrong("expected three arguments");
  bool truth = false;
  if (const Answer parsed = script_boolean(words[0], truth); !parsed.ok) return parsed;
  return value(words[truth ? 1 : 2]);
}

Answer among(std::string_view, std::string_view text, ScriptWorld&) {
  const std::vector<std::string> words = words_of(text);
  return value(!words.empty() && std::find(words.begin() + 1, words.end(), words[0]) != words.end());
}

Answer first(std::string_view, std::string_view text, ScriptWorld&) {
  const std::vector<std::string> words = split_words(text);
  return value(words.empty() ? std::string() : words[0]);
}

namespace {

/// One conversion of sprintf, such as "%05x", applied to one argument.
Answer convert(const std::string& conversion, const std::string& argument) {
  const char kind = conversion.back();
  if (kind == 's') return value(fmt::sprintf(conversion, argument));
  const auto n = number(argument);
  if (!n) return wrong(fmt::format("expected number for '{}'", conversion));
  if (std::string_view("eEfFgGaA").find(kind) != std::string_view::npos)
    return value(fmt::sprintf(conversion, n->real));
  const std::int64_t integer = n->whole ? n->integer : static_cast<std::int64_t>(n->real);
  if (kind == 'c') return value(std::string(1, static_cast<char>(integer)));
  if (kind == 'd' || kind == 'i') return value(fmt::sprintf(conversion, integer));
  return value(fmt::sprintf(conversion, static_cast<std::uint64_t>(integer)));
}

}  // namespace

Answer format(std::string_view, std::string_view text, ScriptWorld&) {
  const std::vector<std::string> words = words_of(text);
  if (words.empty()) return wrong("expected format");
  std::string result;
  std::size_t next = 1;
  const std::string& pattern = words[0];
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    const std::size_t end = pattern.find_first_not_of("#0- +.123456789", i + 1);
    if (end == std::string::npos) return wrong("bad format");
    const std::string conversion = pattern.substr(i, end - i + 1);
    i = end;
    if (conversion == "%%") {
      result += '%';
      continue;
    }
    if (std::string_view("sdiuoxXceEfFgG").find(conversion.back()) == std::string_view::npos || conversion.size() > 16)
      return wrong(fmt::format("bad format '{}'", conversion));
    // Widths are bounded, so that no configuration makes gigabytes of blanks.
    if (conversion.find_first_of("123456789") != std::string::npos &&
        std::atoi(conversion.c_str() + conversion.find_first_of("123456789")) > 4096)
      return wrong(fmt::format("bad format '{}'", conversion));
    if (next == words.size()) return wrong("too few arguments");
    const Answer converted = convert(conversion, words[next++]);
    if (!converted.ok) return converted;
    result += converted.text;
  }
  if (next < words.size()) return wrong("too many arguments");
  return value(result);
}

/// "Given zero arguments, returns a random integer between 0 and RAND_MAX. Given one argument N, between 0 and N-1.
/// Given two arguments N1 and N2, between N1 and N2."
Answer random_number(std::string_view, std::string_view text, ScriptWorld& world) {
  const auto list = numbers(text);
  const auto whole = [](const Number& n) { return n.whole; };
  if (!list || list->size() > 2 || !std::ranges::all_of(*list, whole)) return wrong("expected at most two integers");
  std::int64_t low = 0;
  std::int64_t high = RAND_MAX;
  if (list->size() == 1) high = (*list)[0].integer - 1;
  if (list->size() == 2) {
    low = std::min((*list)[0].integer, (*list)[1].integer);
    high = std::max((*list)[0].integer, (*list)[1].integer);
  }
  if (high < low) return wrong("expected positive integer");
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t wide = (std::uint64_t{world.random.next()} << 32U) | world.random.next();
  const std::uint64_t chosen = span == 0 ? wide : wide % span;  // span 0: all 64 bits
  return value(std::to_string(wrap(static_cast<std::uint64_t>(low) + chosen)));
}

Answer length(std::string_view, std::string_view text, ScriptWorld&) { return value(std::to_string(text.size())); }
Answer without_quotes(std::string_view, std::string_view text, ScriptWorld&) { return value(unquote(text)); }
Answer now(std::string_view, std::string_view, ScriptWorld& world) {
  return value(to_string(world.control_plane.now()));
}

Answer exist(std::string_view name, std::string_view text, ScriptWorld& world) {
  for (const std::string& word : words_of(text)) {
    const auto found = world.control_plane.find_handler(word, world.script).handler;
    if (!found || !(name == "readable" ? found->readable : found->writable)) return value(false);
  }
  return value(true);
}

/// htons and its kind: a number's bytes in the other order.
Answer swap_bytes(std::string_view name, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->size() != 1 || !list->front().whole) return wrong("expected integer");
  const auto n = static_cast<std::uint64_t>(list->front().integer);
  if (name.ends_with("s")) return value(std::to_string(__builtin_bswap16(static_cast<std::uint16_t>(n))));
  return value(std::to_string(__builtin_bswap32(static_cast<std::uint32_t>(n))));
}

Answer file_contents(std::string_view name, std::string_view text, ScriptWorld&) {
  const std::string path = unquote(text);
  std::ifstream file(path, std::ios::binary);
  std::string contents{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) return wrong(path + ": cannot be read");
  return value(name == "catq" ? quote(contents) : contents);
}

Answer send_signal(std::string_view, std::string_view text, ScriptWorld&) {
  const auto list = numbers(text);
  if (!list || list->size() < 2) return wrong("expected signal number and process IDs");
  for (std::size_t i = 1; i < list->size(); ++i)
    if (::kill(static_cast<pid_t>((*list)[i].integer), static_cast<int>((*list)[0].integer)) != 0)
      return wrong(fmt::format("kill {}: {}", (*list)[i].integer, strerror(errno)));
  return value(std::string());
}

}  // namespace script

Answer script_boolean(std::string_view text, bool& out) {
  const std::string word = unquote(text);
  const std::size_t begin = word.find_first_not_of(" \t\n");
  const std::size_t end = word.find_last_not_of(" \t\n");
  const std::string_view trimmed =
      begin == std::string::npos ? std::string_view() : std::string_view(word).substr(begin, end - begin + 1);
  if (parse(trimmed, out)) return wrong("expected boolean");
  return value(std::string());
}

}  // namespace packetmill
