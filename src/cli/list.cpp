// attn-tutor list
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/open_lesson.h"
#include "cli/output.h"
#include "engine/outline.h"

namespace attn {
namespace {

int run(const Request& request) {
  const Catalogue catalogue = open_catalogue(request);
  const RenderOptions options = render_options(request);
  nlohmann::json rows = nlohmann::json::array();
  std::string text;
  for (const CatalogueEntry& entry : catalogue.entries()) {
    LoadFindings findings;
    const Lesson lesson = catalogue.open(entry, findings);
    const int steps = count_statements(lesson);
    rows.push_back({{"number", entry.number},
                    {"id", entry.id},
                    {"title", entry.title},
                    {"steps", steps},
                    {"summary", lesson.summary}});
    const std::string count = fmt::format("{} steps", steps);
    const int title_width = std::max(10, options.width - 6 - display_width(count) - 2);
    text += pad_left(std::to_string(entry.number), 3) + "  " +
            pad_right(elide(visible(entry.title), title_width, options.ascii), title_width) + " " + count + "\n";
  }
  if (request.json) {
    write_out(rows.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    return kFine;
  }
  write_out(text);
  if (!request.quiet) write_out("\nattn-tutor lesson 1 starts with the first.\n");
  return kFine;
}

}  // namespace

const Command kListCommand = {"list", "The lessons, with their titles and the number of their steps.",
                              kTakesView | kTakesCatalogue | kTakesJson, run, "attn-tutor list"};

}  // namespace attn
