#include "elements/ip/address_list.h"

#include <deque>
#include <mutex>
#include <vector>

#include "runtime/arguments/split.h"

namespace packetmill {
namespace {

template <class T>
ParseError parse_list(std::string_view text, List<T>& out, const Names& names) {
  std::vector<T> items;
  // One pair of quotes may hold the whole list.
  for (const std::string& part : split_words(text)) {
    for (const std::string& word : split_words(unquote(part))) {
      T item;
      if (ParseError wrong = parse(word, item, names)) return "'" + word + "': " + *wrong;
      items.push_back(item);
    }
  }
  static std::mutex mutex;
  static std::deque<std::vector<T>> kept;
  const std::lock_guard lock(mutex);
  const std::vector<T>& list = kept.emplace_back(std::move(items));
  out = {list.data(), list.size()};
  return {};
}

}  // namespace

ParseError parse(std::string_view text, AddressList& out, const Names& names) {
  return parse_list(text, out.items, names);
}
ParseError parse(std::string_view text, PrefixList& out, const Names& names) {
  return parse_list(text, out.items, names);
}

}  // namespace packetmill
