#include "text/sentences.h"

#include <algorithm>
#include <stdexcept>

#include "base/embedded.h"

namespace attn {
namespace {

constexpr std::string_view kIndent = "    ", kEquals = " = ", kLineFeed = "\\n";

struct ByIds {
  bool operator()(const Sentence& a, const Sentence& b) const { return a.id < b.id; }
  bool operator()(const Sentence& a, std::string_view id) const { return a.id < id; }
  bool operator()(std::string_view id, const Sentence& b) const { return id < b.id; }
};

/// The first line of `text`, which is left without it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::string Sentence::text() const {
  std::string text;
  for (std::string_view rest = lines; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (line.data() != lines.data()) line.remove_prefix(kIndent.size());
    if (!text.empty() && !text.ends_with('\n')) text += ' ';
    const bool breaks = line.ends_with(kLineFeed);
    if (breaks) line.remove_suffix(kLineFeed.size());
    text += line;
    if (breaks) text += '\n';
  }
  return text;
}

std::vector<Sentence> parse_sentences(std::string_view file) {
  std::vector<Sentence> rows;
  rows.reserve(static_cast<std::size_t>(std::count(file.begin(), file.end(), '\n')));
  while (!file.empty()) {
    const std::string_view line = take_line(file);
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t equals = line.find(kEquals);
    if (line.starts_with(kIndent) && !rows.empty()) {
      Sentence& last = rows.back();
      last.lines = {last.lines.data(), static_cast<std::size_t>(line.data() + line.size() - last.lines.data())};
    } else if (line.front() != ' ' && equals != std::string_view::npos) {
      rows.push_back({line.substr(0, equals), line.substr(equals + kEquals.size())});
    } else {
      throw std::logic_error("no line of sentences: " + std::string(line));
    }
  }
  std::stable_sort(rows.begin(), rows.end(), ByIds());
  return rows;
}

std::span<const Sentence> sentences() {
  static const std::vector<Sentence> all = parse_sentences(embedded_file("data/text/en.txt"));
  return all;
}

std::span<const Sentence> sentences_of(std::string_view id) {
  const auto [begin, end] = std::equal_range(sentences().begin(), sentences().end(), id, ByIds());
  return {begin, end};
}

}  // namespace attn
