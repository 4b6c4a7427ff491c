#include "lesson/runs.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "lesson/formula.h"
#include "text/say.h"

namespace attn {
namespace {

Span span_at(std::size_t begin, std::size_t size) { return span_of(0, begin, begin + size); }

bool same_style(const Run& a, const Run& b) {
  return a.emph == b.emph && a.strong == b.strong && a.code == b.code && a.strike == b.strike && a.href == b.href;
}

// ---- HTML entities ----

struct Entity {
  std::string_view name, text;
};

constexpr Entity kEntities[] = {
    {"&amp;", "&"},   {"&lt;", "<"},    {"&gt;", ">"},     {"&quot;", "\""}, {"&apos;", "'"},   {"&nbsp;", "\u00A0"},
    {"&ndash;", "–"}, {"&mdash;", "—"}, {"&hellip;", "…"}, {"&times;", "×"}, {"&middot;", "·"}, {"&rarr;", "→"},
    {"&larr;", "←"},  {"&le;", "≤"},    {"&ge;", "≥"},     {"&ne;", "≠"},    {"&deg;", "°"},    {"&copy;", "©"}};

std::string encode(std::uint32_t code) {
  // What is no character, and NUL, are replaced, as CommonMark demands.
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
  std::string out;
  append_utf8(out, code);
  return out;
}

/// "&amp;" -> "&", "&#8594;" -> "→". One that is not known stays as written.
std::string decode_entity(std::string_view entity) {
  for (const Entity& row : kEntities) {
    if (row.name == entity) return std::string(row.text);
  }
  if (!entity.starts_with("&#") || entity.size() < 4) return std::string(entity);
  const bool hex = entity[2] == 'x' || entity[2] == 'X';
  const std::string_view digits = entity.substr(hex ? 3 : 2, entity.size() - (hex ? 4 : 3));
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (error == std::errc::result_out_of_range) return encode(0);
  return end == digits.data() + digits.size() && !digits.empty() ? encode(code) : std::string(entity);
}

// ---- links ----

/// What is wrong with the address of a link, or "": it must be http, https or mailto, or name a lesson file.
std::string link_fault(std::string_view href, const LessonExists& lesson_exists) {
  constexpr std::string_view kAllowed[] = {"http", "https", "mailto"};
  const bool plain = std::none_of(href.begin(), href.end(), [](char c) { return (c >= 0 && c <= ' ') || c == 0x7F; });
  // The private-use character is the mask of a {{ }}.
  if (!plain || href.find("\uE000") != std::string_view::npos) return say("link.form");
  const std::size_t colon = href.find_first_of(":/?#");
  if (colon != std::string_view::npos && href[colon] == ':') {
    std::string scheme(href.substr(0, colon));
    for (char& c : scheme) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const bool allowed = std::find(std::begin(kAllowed), std::end(kAllowed), scheme) != std::end(kAllowed);
    return allowed ? "" : say("link.scheme", {{"scheme", elide(scheme, 20)}});
  }
  const std::string_view file = href.substr(0, href.find('#'));
  if (file.find('/') != std::string_view::npos || !file.ends_with(".md")) {
    return say("link.file", {{"address", elide(href, 60)}});
  }
  if (lesson_exists && !lesson_exists(file)) return say("lessons.unknown", {{"name", elide(file, 60)}});
  return {};
}

}  // namespace

void RunReader::enter(MD_SPANTYPE type, const void* detail) {
  switch (type) {
    case MD_SPAN_EM: ++emph_; break;
    case MD_SPAN_STRONG: ++strong_; break;
    case MD_SPAN_DEL: ++strike_; break;
    case MD_SPAN_CODE: ++code_; break;
    case MD_SPAN_A: start_link(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href); break;
    case MD_SPAN_IMG: start_link(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src); break;
    default: break;
  }
}

void RunReader::leave(MD_SPANTYPE type, Runs& runs) {
  switch (type) {
    case MD_SPAN_EM: --emph_; break;
    case MD_SPAN_STRONG: --strong_; break;
    case MD_SPAN_DEL: --strike_; break;
    case MD_SPAN_CODE: --code_; break;
    case MD_SPAN_A:
    case MD_SPAN_IMG: end_link(); break;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: end_formula(runs); break;
    default: break;
  }
}

void RunReader::text(MD_TEXTTYPE type, std::string_view piece, Runs& runs) {
  const std::size_t offset = text_.offset_of(piece);
  if (offset != kNowhere) {
    cursor_ = offset + piece.size();
    if (link_start_ == kNowhere) link_start_ = offset;
  }
  switch (type) {
    case MD_TEXT_NULLCHAR: append(styled(Run::Kind::Text, "\uFFFD"), runs); break;
    case MD_TEXT_BR: append(styled(Run::Kind::Text, "\n"), runs); break;
    case MD_TEXT_SOFTBR: append(styled(Run::Kind::Text, " "), runs); break;
    case MD_TEXT_ENTITY: append(styled(Run::Kind::Text, decode_entity(text_.original(piece))), runs); break;
    case MD_TEXT_LATEXMATH:
      if (formula_start_ == kNowhere) formula_start_ = offset;
      formula_ += text_.original(piece);
      break;
    default: add_fields(piece, runs);
  }
}

Run RunReader::styled(Run::Kind kind, std::string text, Span place) const {
  Run run;
  run.kind = kind;
  run.emph = emph_ > 0;
  run.strong = strong_ > 0;
  run.code = code_ > 0;
  run.strike = strike_ > 0;
  run.text = std::move(text);
  run.href = hrefs_.empty() ? "" : hrefs_.back();
  run.span = place;
  return run;
}

/// Text goes on in the run before it when that looks the same.
void RunReader::append(Run run, Runs& runs) const {
  const bool joins = !runs.empty() && run.kind == Run::Kind::Text && runs.back().kind == Run::Kind::Text &&
                     same_style(runs.back(), run);
  if (!joins) {
    runs.push_back(std::move(run));
    return;
  }
  Run& last = runs.back();
  last.text += run.text;
  if (last.span.end == 0) last.span = run.span;
  last.span.end = std::max(last.span.end, run.span.end);
}

/// A piece of text or of inline code: what stands in {{ }} becomes an Expression.
void RunReader::add_fields(std::string_view piece, Runs& runs) {
  const std::string_view original = text_.original(piece);
  const std::size_t offset = text_.offset_of(piece);
  if (offset == kNowhere) return append(styled(Run::Kind::Text, std::string(original)), runs);
  const auto& fields = text_.fields();
  std::size_t done = 0;
  auto field = std::lower_bound(fields.begin(), fields.end(), offset,
                                [](const Field& f, std::size_t at) { return f.whole.begin < at; });
  for (; field != fields.end() && field->whole.end <= offset + piece.size(); ++field) {
    add_plain(original.substr(done, field->whole.begin - offset - done), offset + done, runs);
    const std::size_t begin = field->inner.begin - offset, size = field->inner.end - field->inner.begin;
    if (size == 0) findings_.error(field->whole, say("prose.expression", {{"brackets", "{{ }}"}}));
    append(styled(Run::Kind::Expression, std::string(original.substr(begin, size)), field->inner), runs);
    done = field->whole.end - offset;
  }
  add_plain(original.substr(done), offset + done, runs);
}

void RunReader::add_plain(std::string_view piece, std::size_t offset, Runs& runs) {
  if (piece.empty()) return;
  const std::size_t brace = piece.find("{{");
  if (brace != std::string_view::npos && code_ == 0) {
    findings_.error(span_at(offset + brace, 2), say("prose.bracket", {{"open", "{{"}, {"close", "}}"}}),
                    say("prose.bracket.hint"));
  }
  append(styled(Run::Kind::Text, std::string(piece), span_at(offset, piece.size())), runs);
}

void RunReader::end_formula(Runs& runs) {
  const std::string latex(trim(formula_));
  const Span place = formula_start_ == kNowhere ? span_at(cursor_, 0) : span_at(formula_start_, formula_.size());
  std::vector<std::string> unknown;
  formula_text(latex, &unknown);
  // Each once, at its first place.
  std::sort(unknown.begin(), unknown.end());
  unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
  for (const std::string& command : unknown) {
    const std::size_t at = formula_start_ == kNowhere ? kNowhere : formula_.find(command);
    findings_.error(at == kNowhere ? place : span_at(formula_start_ + at, command.size()),
                    say("prose.formula", {{"command", command}}), say("prose.formula.hint"));
  }
  append(styled(Run::Kind::Formula, latex, place), runs);
  formula_.clear();
  formula_start_ = kNowhere;
}

void RunReader::start_link(const MD_ATTRIBUTE& address) {
  std::string href(address.text == nullptr ? "" : address.text, address.text == nullptr ? 0 : address.size);
  link_fault_ = link_fault(href, lesson_exists_);
  link_start_ = kNowhere;
  if (!link_fault_.empty()) href.clear();
  hrefs_.push_back(std::move(href));
}

/// Only now the place of a link is known: that of its first text.
void RunReader::end_link() {
  if (hrefs_.empty()) return;  // md4c ends links that it has not begun where brackets of pictures and links cross
  hrefs_.pop_back();
  if (link_fault_.empty()) return;
  const std::size_t begin = link_start_ == kNowhere ? cursor_ : link_start_;
  findings_.error(span_at(begin, cursor_ - begin), link_fault_);
  link_fault_.clear();
}

void trim_runs(Runs& runs) {
  while (!runs.empty() && runs.front().kind == Run::Kind::Text) {
    std::string& text = runs.front().text;
    text.erase(0, std::min(text.find_first_not_of(" \n"), text.size()));
    if (!text.empty()) break;
    runs.erase(runs.begin());
  }
  while (!runs.empty() && runs.back().kind == Run::Kind::Text) {
    std::string& text = runs.back().text;
    text.erase(text.find_last_not_of(" \n") + 1);
    if (!text.empty()) break;
    runs.pop_back();
  }
}

}  // namespace attn
