#include <mutex>
#include <set>

#include "runtime/arguments/split.h"
#include "runtime/values/parse.h"

namespace packetmill {

Text keep_text(std::string text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return *texts.insert(std::move(text)).first;
}

ParseError parse(std::string_view text, Text& out, const Names&) {
  if (split_words(text).size() != 1) return "expected one word; quote a string that has spaces";
  out = keep_text(unquote(text));
  return {};
}

ParseError parse(std::string_view text, FileName& out, const Names& names) { return parse(text, out.path, names); }

}  // namespace packetmill
