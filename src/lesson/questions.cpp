#include "lesson/questions.h"

#include <iterator>
#include <string>
#include <utility>

#include "base/text.h"
#include "text/say.h"

namespace attn {
namespace {

enum class LeadWord { None, Hint, Trap, Why };

/// The bold word at the start of a paragraph, without a colon or full stop after it.
std::string_view lead(const Prose& prose) {
  if (prose.kind != Prose::Kind::Paragraph || prose.runs.empty() || !prose.runs.front().strong) return {};
  std::string_view text = trim(prose.runs.front().text);
  if (text.ends_with(':') || text.ends_with('.')) text.remove_suffix(1);
  return text;
}

LeadWord word_of(const Prose& prose) {
  const std::string_view text = lead(prose);
  return text == "Hint"   ? LeadWord::Hint
         : text == "Trap" ? LeadWord::Trap
         : text == "Why"  ? LeadWord::Why
                          : LeadWord::None;
}

void trim_front(Runs& runs) {
  while (!runs.empty() && runs.front().kind == Run::Kind::Text) {
    std::string& text = runs.front().text;
    text.erase(0, std::min(text.find_first_not_of(" \n"), text.size()));
    if (!text.empty()) return;
    runs.erase(runs.begin());
  }
}

/// The code runs at the front: the answer of a trap.
Runs take_answer(Runs& runs) {
  auto end = runs.begin();
  while (end != runs.end() && end->code) ++end;
  Runs answer(std::make_move_iterator(runs.begin()), std::make_move_iterator(end));
  runs.erase(runs.begin(), end);
  trim_front(runs);
  return answer;
}

/// One hint, trap or reason: the paragraph with the word and the blocks up to the next word.
void attach(LeadWord word, std::vector<Prose> item, Span place, Cell& cell, LoadFindings& findings) {
  Runs& runs = item.front().runs;
  const std::string name(lead(item.front()));
  runs.erase(runs.begin());
  trim_front(runs);
  Runs answer;
  if (word == LeadWord::Trap) {
    answer = take_answer(runs);
    if (answer.empty()) {
      findings.error(place, say("quote.trap"), say("quote.trap.hint"));
    }
  }
  if (runs.empty()) item.erase(item.begin());
  if (item.empty()) {
    findings.error(place, say("quote.empty", {{"word", name}}));
    return;
  }
  switch (word) {
    case LeadWord::Hint: cell.hints.push_back(std::move(item)); break;
    case LeadWord::Trap: cell.traps.push_back({std::move(answer), std::move(item)}); break;
    default:
      cell.why.insert(cell.why.end(), std::make_move_iterator(item.begin()), std::make_move_iterator(item.end()));
  }
}

}  // namespace

std::vector<Prose> attach_quote(std::vector<Prose> quote, Cell* cell, LoadFindings& findings) {
  std::vector<Prose> rest;
  const bool asked = cell != nullptr && cell->options.asks();
  for (std::size_t i = 0; i < quote.size();) {
    const LeadWord word = word_of(quote[i]);
    const Span place = quote[i].runs.empty() ? Span{} : quote[i].runs.front().span;
    if (word == LeadWord::None || !asked) {
      const std::string_view text = lead(quote[i]);
      const std::string near = nearest(text, {"Hint", "Trap", "Why"});
      if (word != LeadWord::None) {
        findings.error(place, say("quote.nothing", {{"word", std::string(text)}}), say("quote.nothing.hint"));
      } else if (asked && !near.empty()) {
        findings.warning(place, say("quote.near", {{"word", std::string(text)}}), did_you_mean("**" + near + "**"));
      }
      rest.push_back(std::move(quote[i++]));
      continue;
    }
    std::vector<Prose> item;
    do {
      item.push_back(std::move(quote[i++]));
      --item.back().quotes;
    } while (i < quote.size() && word_of(quote[i]) == LeadWord::None);
    attach(word, std::move(item), place, *cell, findings);
  }
  return rest;
}

}  // namespace attn
