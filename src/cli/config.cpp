#include "cli/config.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/files.h"
#include "base/letters.h"
#include "base/number.h"
#include "base/text.h"
#include "cli/output.h"
#include "text/say.h"

namespace attn {
namespace {

bool set_width(Request& request, std::string_view value) {
  const auto number = parse_int(value);
  if (!number || *number < kMinWidth || *number > kMaxWidth) return false;
  request.width = static_cast<int>(*number);
  return true;
}

bool set_color(Request& request, std::string_view value) {
  if (value != "auto" && value != "always" && value != "never") return false;
  request.color = value == "always" ? ColorMode::Always : value == "never" ? ColorMode::Never : ColorMode::Auto;
  return true;
}

bool set_accessible(Request& request, std::string_view value) {
  const std::string word = lower_case(value);
  request.accessible = word == "yes" || word == "true" || word == "1";
  return request.accessible || word == "no" || word == "false" || word == "0";
}

bool set_pager(Request& request, std::string_view value) {
  request.pager = std::string(value);
  return true;
}

struct Setting {
  std::string_view key;
  std::vector<const char*> option;     // that wins
  std::vector<const char*> variables;  // that win
  bool (*set)(Request& request, std::string_view value);
  const char* values;  // id of the sentence on what it can be
};

const Setting kSettings[] = {
    {"width", {"--width"}, {}, set_width, "config.width"},
    {"color", {"--color"}, {"NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"}, set_color, "config.color"},
    {"accessible", {"--accessible"}, {"ACCESSIBLE"}, set_accessible, "config.accessible"},
    {"pager", {"--no-pager"}, {"PAGER"}, set_pager, ""},
};

std::string folder_of_config() {
  if (const std::string config = absolute_variable("XDG_CONFIG_HOME"); !config.empty()) return config;
  const std::string home = absolute_variable("HOME");
  return home.empty() ? "" : home + "/.config";
}

const Setting* setting_of(std::string_view key) {
  for (const Setting& row : kSettings)
    if (row.key == key) return &row;
  return nullptr;
}

void warn(const std::string& place, const std::string& message, const std::string& hint) {
  report(say("config.warning", {{"place", place}, {"message", message}}), hint);
}

void apply_line(Request& request, std::string_view line, const std::string& place,
                const std::function<bool(const char*)>& given) {
  const std::size_t equals = std::min(line.find('='), line.size());
  const std::string key(trim(line.substr(0, equals)));
  const std::string_view value = trim(line.substr(std::min(equals + 1, line.size())));
  const Setting* row = setting_of(key);
  if (!row) {
    std::vector<std::string> known;
    for (const Setting& each : kSettings) known.emplace_back(each.key);
    const std::string near = nearest(key, known);
    return warn(
        place, say("config.key", {{"key", elide(key, 40)}}),
        near.empty() ? say("config.keys", {{"list", join(known, ", ")}}) : say("did_you_mean", {{"name", near}}));
  }
  const auto is_set = [](const char* name) {
    const char* text = std::getenv(name);
    return text && *text;
  };
  if (std::any_of(row->option.begin(), row->option.end(), given)) return;
  if (std::any_of(row->variables.begin(), row->variables.end(), is_set)) return;
  if (!row->set(request, value))
    warn(place, say("config.value", {{"key", key}, {"value", elide(std::string(value), 40)}}), say(row->values));
}

}  // namespace

void apply_config(Request& request, const std::function<bool(const char*)>& given) {
  const std::string folder = folder_of_config();
  const std::string path = folder + "/attn-tutor/config";
  if (folder.empty() || !isatty(STDOUT_FILENO) || !is_file(path)) return;
  constexpr std::int64_t kMostBytes = 1 << 16;
  try {
    int number = 0;
    const std::string text = read_file(path, kMostBytes);
    for (const std::string_view line : split_lines(without_byte_order_mark(text))) {
      ++number;
      if (!trim(line).empty() && !trim(line).starts_with("#"))
        apply_line(request, line, path + ":" + std::to_string(number), given);
    }
  } catch (const FileError& error) {
    report(error.what());
  }
}

}  // namespace attn
