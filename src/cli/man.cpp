// attn-tutor man: the manual page in mdoc, made from the description of the command line and the tables of help.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/description.h"
#include "cli/environment.h"
#include "cli/output.h"
#include "text/say.h"

namespace attn {
namespace {

// Text in which nothing is a request or an escape: a dot or apostrophe at the start of a line is one.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '`') continue;  // code has no mark of its own here
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\'' || c == '~' || c == '^') out += c == '\'' ? "\\(aq" : c == '~' ? "\\(ti" : "\\(ha";
    else out += c;
  }
  return (out.starts_with(".") ? "\\&" : "") + out;
}

// As an argument of a macro, where quotes hold words together and a lone word may be a macro.
std::string argument(std::string_view text) {
  std::string out;
  for (const char c : plain(text)) out += c == '"' ? std::string("\\(dq") : std::string(1, c);
  return "\"\\&" + out + "\"";
}

// Each sentence begins a line, as readers of such pages want it.
std::string sentences(std::string_view text) {
  std::string out = plain(text);
  for (std::size_t at = 0; (at = out.find(". ", at)) != std::string::npos;) out[at + 1] = '\n';
  return out;
}

// ".It Fl o , Fl \-output Ar FILE"
std::string option_item(const OptionDescription& option) {
  std::string out = ".It";
  for (std::size_t i = 0; i < option.names.size(); ++i)
    out += (i > 0 ? " , Fl " : " Fl ") + plain(std::string_view(option.names[i]).substr(1));
  if (!option.value.empty()) out += " Ar " + argument(option.value);
  return out + "\n" + plain(option.doc) + ".\n";
}

std::string option_list(const std::vector<OptionDescription>& options) {
  if (options.empty()) return "";
  std::string out = ".Bl -tag -width Ds\n";
  for (const OptionDescription& option : options) out += option_item(option);
  return out + ".El\n";
}

// Options that several commands take with the same meaning are told once, after those of the program.
std::vector<OptionDescription> common_options(const ProgramDescription& program) {
  constexpr std::ptrdiff_t kSeveral = 3;
  std::vector<OptionDescription> common = program.options;
  for (const CommandDescription& command : program.commands) {
    for (const OptionDescription& option : command.options) {
      const auto takes_it = [&](const CommandDescription& each) {
        return std::find(each.options.begin(), each.options.end(), option) != each.options.end();
      };
      const bool is_new = std::find(common.begin(), common.end(), option) == common.end();
      if (is_new && std::count_if(program.commands.begin(), program.commands.end(), takes_it) >= kSeveral)
        common.push_back(option);
    }
  }
  return common;
}

std::string command_item(const CommandDescription& command, const std::vector<OptionDescription>& common) {
  std::string out = ".It Ic " + plain(command.name);
  for (const ArgumentDescription& each : command.arguments) {
    const std::string word = "Ar " + each.name + (each.repeats ? " ..." : "");
    out += each.required ? " " + word : " Op " + word;
  }
  out += "\n" + plain(command.doc) + "\n";
  for (const ArgumentDescription& each : command.arguments)
    out += ".Pp\n.Ar " + each.name + " :\n" + plain(each.doc) + ".\n";
  std::vector<OptionDescription> own;
  for (const OptionDescription& option : command.options) {
    if (std::find(common.begin(), common.end(), option) == common.end()) own.push_back(option);
  }
  return out + option_list(own);
}

std::string commands_section(const ProgramDescription& program, const std::vector<OptionDescription>& common) {
  std::string out = ".Sh COMMANDS\n.Bl -tag -width Ds\n";
  for (const CommandDescription& command : program.commands) out += command_item(command, common);
  return out + ".El\n";
}

std::string environment_section() {
  std::string out = ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n";
  for (const Variable& variable : variables())
    out += fmt::format(".It Ev {}\n{}\n", join(words_in(variable.names), " , Ev "), sentences(say(variable.sentence)));
  return out + ".El\n";
}

std::string exit_section() {
  std::string out = ".Sh EXIT STATUS\n.Bl -tag -width Ds\n";
  for (const ExitMeaning& meaning : exit_meanings())
    out += fmt::format(".It {}\n{}\n", meaning.code, sentences(say(meaning.sentence)));
  return out + ".El\n";
}

std::string examples_section(const ProgramDescription& program) {
  std::string out = ".Sh EXAMPLES\n.Bd -literal -offset indent\n";
  for (const CommandDescription& command : program.commands) out += plain(command.example) + "\n";
  return out + ".Ed\n";
}

std::string page() {
  const ProgramDescription program = describe_program();
  const std::vector<OptionDescription> common = common_options(program);
  std::string out = fmt::format(".\\\" Made by `attn-tutor man`.\n.Dd {}\n.Dt ATTN-TUTOR 1\n.Os \"attn-tutor {}\"\n",
                                release_date(), version_number());
  out += fmt::format(".Sh NAME\n.Nm {}\n.Nd {}\n", program.name, plain(say("man.what")));
  out += ".Sh SYNOPSIS\n.Nm\n.Op Ar COMMAND Op Ar OPTION ...\n";
  out += fmt::format(".Sh DESCRIPTION\n.Nm\n{}\n.Pp\n{}\n", sentences(say("man.description")),
                     sentences(say("man.alone")));
  out += commands_section(program, common);
  out += ".Sh OPTIONS\n" + sentences(say("man.common")) + "\n" + option_list(common);
  out += environment_section() + exit_section() + examples_section(program);
  return out;
}

int run_man(const Request&) {
  write_out(page());
  if (isatty(STDOUT_FILENO)) report(say("man.source"), say("man.reader"));
  return kFine;
}

}  // namespace

const Command kManCommand = {"man", "Prints the source of the manual page.", 0, run_man, "attn-tutor man | man -l -"};

}  // namespace attn
