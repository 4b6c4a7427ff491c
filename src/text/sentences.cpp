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

/// `line` behind what `text` holds so far.
void add_line(std::string& text, std::string_view line) {
  if (!text.empty() && !text.ends_with('\n')) text += ' ';
  const bool breaks = line.ends_with(kLineFeed);
  text += breaks ? line.substr(0, line.size() - kLineFeed.size()) : line;
  if (breaks) text += '\n';
}

}  // namespace

std::vector<Sentence> parse_sentences(std::string_view file) {
  std::vector<Sentence> rows;
  rows.reserve(static_cast<std::size_t>(std::count(file.begin(), file.end(), '\n')));
  while (!file.empty()) {
    const std::size_t end = std::min(file.find('\n'), file.size());
    const std::string_view line = file.substr(0, end);
    file.remove_prefix(std::min(end + 1, file.size()));
    const std::size_t equals = line.find(kEquals);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with(kIndent) && !rows.empty()) {
      add_line(rows.back().text, line.substr(kIndent.size()));
    } else if (line.front() != ' ' && equals != std::string_view::npos) {
      add_line(rows.emplace_back(Sentence{line.substr(0, equals), ""}).text, line.substr(equals + kEquals.size()));
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
