// From arguments to what was typed, by CLI11, and from the parser to its description. The only file that includes
// CLI11, which takes seconds to compile; so it is long.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <span>

#include "base/number.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/description.h"
#include "cli/open_model.h"
#include "cli/output.h"
#include "cli/read_input.h"
#include "cli/typed.h"
#include "engine/weights.h"
#include "lesson/catalogue.h"
#include "lesson/program.h"
#include "render/formats.h"
#include "tensor/core/parallel.h"
#include "tensor/kernels/levels.h"
#include "text/say.h"

namespace attn {
namespace {

// Address space for everything that is no tensor.
[[maybe_unused]] constexpr rlim_t kBesidesTensors = rlim_t{2} << 30;

// Left for what runs below the last check of the stack.
constexpr std::size_t kStackReserve = std::size_t{1} << 20;

struct OptionRow {
  unsigned taken_by;  // a bit of Takes
  const char* flags;
  const char* doc;
  std::string Typed::*text;    // an option with a value
  bool Request::*flag;         // or a switch
  const char* value = "TEXT";  // stands for the value in --help; completions go by it (completion_words.cpp)
};

const OptionRow kOptions[] = {
    {kTakesSteps, "--all", "print every step (the default where there is no terminal)", nullptr, &Request::all},
    {kTakesExport, "--all", "write every lesson and an index to the folder named by --output", nullptr, &Request::all},
    {kTakesExport | kTakesSession, "--force", "replace a file that is not a transcript", nullptr, &Request::force},
    {kTakesExport, "--no-answers", "leave out answers, hints and what questions ask about (txt, md, html, ipynb)",
     nullptr, &Request::no_answers},
    {kTakesElement, "--step", "its value after step K (default: the last)", &Typed::step, nullptr, "K"},
    {kTakesElement, "--depth", "how many levels to go down, or all (default 3)", &Typed::depth, nullptr, "N"},
    {kTakesElement, "--shape", "where each size of the tensor came from", nullptr, &Request::explain_shape},
    {kTakesElement, "--move", "where the element is in storage, where it came from and where it went", nullptr,
     &Request::explain_move},
    {kTakesGrade, "--csv", "print the table as comma-separated values", nullptr, &Request::csv},
    {kTakesGrade, "--markdown", "print the table as Markdown", nullptr, &Request::markdown},
    {kTakesName, "--markdown", "print docs/language.md, the page of all ops", nullptr, &Request::markdown},
    {kTakesReset, "--all", "the progress in every lesson", nullptr, &Request::all},
    {kTakesReset, "--yes,-y", "do not ask for confirmation", nullptr, &Request::yes},
    {kTakesReset, "--quiet,-q", "leave out notes", nullptr, &Request::quiet},
    {kTakesSession, "--accessible", "whole lines instead of single keys, and tables row by row", nullptr,
     &Request::accessible},
    {kTakesSession, "--quiz", "ask for every shape before showing it", nullptr, &Request::quiz},
    {kTakesSession, "--fade", "leave gaps in the steps that you have mastered", nullptr, &Request::fade},
    {kTakesSession, "--no-skip", "questions must be answered", nullptr, &Request::no_skip},
    {kTakesSession, "--answers", "take the answers from a sheet, or a file of one per line; - is standard input",
     &Typed::answers, nullptr, "FILE"},
    {kTakesSweep, "--sheet", "print the questions as a sheet to fill in, without answers", nullptr, &Request::sheet},
    {kTakesStudent, "--student", "the run of one student: seed and sizes follow from the name", &Typed::student,
     nullptr, "NAME"},
    {kTakesSession, "--transcript", "keep a transcript of all you do in a file; its name decides the format",
     &Typed::transcript, nullptr, "FILE"},
    {kTakesSession, "--times", "add the time of the session to the transcript", nullptr, &Request::times},
    {kTakesSession | kTakesReset, "--no-input", "never ask anything: print the text", nullptr, &Request::no_input},
    {kTakesSteps, "--step", "start at step K; without a terminal, print only that step", &Typed::step, nullptr, "K"},
    {kTakesSteps | kTakesProgram, "--shapes", "print only the ledger of names, axes, shapes and costs", nullptr,
     &Request::shapes},
    {kTakesSweep, "--sweep", "the shapes of a run with each value side by side", &Typed::sweep, nullptr,
     "NAME=VALUE,..."},
    {kTakesProgram, "--plain", "print only what the program prints", nullptr, &Request::plain},
    {kTakesProgram, "--raw", "with --plain: let escape sequences of the program reach the terminal", nullptr,
     &Request::raw},
    {kTakesProgram, "--ignore-outputs", "do not compare with the outputs saved in a notebook", nullptr,
     &Request::ignore_outputs},
    {kTakesProgram, "--watch", "run again whenever the file changes, until Ctrl-C", nullptr, &Request::watch},
    {kTakesSteps | kTakesProgram, "--every-call", "show the inside of a function at every call, not only the first",
     nullptr, &Request::every_call},
    {kTakesJson | kTakesSession, "--json", "print JSON; for a lesson with --answers", nullptr, &Request::json},
    {kTakesSeed | kTakesModel, "--seed", "seed of the random numbers", &Typed::seed, nullptr, "N"},
    {kTakesSeed, "--data", "token ids instead of the lesson's: one sequence per line, JSON lists, or .npy",
     &Typed::data, nullptr, "FILE"},
    {kTakesSeed, "--vocab", "tokens that split your words: one per line, or a tokenizer.json", &Typed::vocab, nullptr,
     "FILE"},
    {kTakesWeights, "--weights", ".safetensors or .npy: parameters by their names in the lesson, such as fc_q.weight",
     &Typed::weights, nullptr, "FILE"},
    {kTakesLimits, "--max-memory", "bytes that the run may use, such as 500M or 2G (default 2G)", &Typed::max_memory,
     nullptr, "SIZE"},
    {kTakesLimits, "--max-steps", "units of work that a run may use", &Typed::max_steps, nullptr, "N"},
    {kTakesLimits, "--threads", "threads for large products (default: one per core)", &Typed::threads, nullptr, "N"},
    {kTakesView, "--width", "columns to fill, 20 to 1000 (default: the terminal's, else 80)", &Typed::width, nullptr,
     "N"},
    {kTakesView, "--color", "whether to use color: auto, always or never", &Typed::color, nullptr, "WHEN"},
    {kTakesView, "--ascii", "use only ASCII characters", nullptr, &Request::ascii},
    {kTakesView, "--no-pager", "print a long text straight to the terminal", nullptr, &Request::no_pager},
    {kTakesView, "--quiet,-q", "leave out notes and warnings", nullptr, &Request::quiet},
};

void add_options(CLI::App& app, unsigned takes, Typed& typed) {
  Request& request = typed.request;
  if (takes & kTakesLesson)
    app.add_option("LESSON", request.word, "number, id or path of a lesson, or - for standard input")->required();
  if (takes & kTakesChange)
    app.add_option("CHANGE", request.change, "what to do where a name is bound, such as 'query[0, 1] += 1'")
        ->required();
  if (takes & kTakesElement)
    app.add_option("ELEMENT", request.subject, "an element such as 'energy[0,1,2,3]', or a name with --shape")
        ->required();
  if (takes & kTakesCode)
    app.add_option("CODE", request.word, "Python code; torch, nn, F and math are imported")->required();
  if (takes & kTakesProgram)
    app.add_option("FILE", request.word, "a notebook (.ipynb), a script (.py) or a lesson (.md)")->required();
  if (takes & kTakesReset) app.add_option("LESSON", request.word, "number, id or path of a lesson");
  if (takes & kTakesName) app.add_option("OP", request.word, "an op or layer, such as matmul or nn.Linear");
  if (takes & kTakesNew) app.add_option("NAME", request.word, "what the lesson is called, or its path")->required();
  if (takes & kTakesShell) app.add_option("SHELL", request.word, "bash, zsh or fish")->required();
  if (takes & kTakesTopic) app.add_option("TOPIC", request.word, "a topic, a command or a word on the screen");
  if (takes & kTakesExport) {
    app.add_option("LESSON", request.word, "number, id or path of a lesson, or a notebook or script of your own");
    app.add_option("--output,-o", request.output, "the file to write, - for standard output; with --all a folder")
        ->take_last()
        ->type_name("FILE");
    app.add_option("--format", request.format, format_names() + " (default: by the name of the file)")
        ->take_last()
        ->type_name("FORMAT");
  }
  if (takes & kTakesPython)
    app.add_option("--python", request.python, "the Python that has PyTorch (default: python3)")
        ->take_last()
        ->type_name("FILE");
  if (takes & kTakesGrade)
    app.add_option("FILE", request.files, "filled-in sheets, files of an answer a line, and transcripts (.json)")
        ->required();
  if (takes & kTakesFiles) app.add_option("FILE", request.files, "lesson files (default: all lessons)");
  for (const OptionRow& row : kOptions) {
    if (!(takes & row.taken_by)) continue;
    if (row.flag) {
      app.add_flag(row.flags, request.*row.flag, row.doc);
    } else {
      app.add_option(row.flags, typed.*row.text, row.doc)->take_last()->type_name(row.value);
    }
  }
  if (takes & (kTakesLesson | kTakesExport)) {
    app.add_option("--set", typed.set, "a value for a parameter of the lesson; can be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
  }
  if (takes & kTakesSeed) {
    app.add_option("--text", typed.request.run.given.text,
                   "your own sentence instead of the lesson's, or @FILE; can be repeated")
        ->allow_extra_args(false)
        ->type_name("SENTENCE");
  }
  if (takes & kTakesModel) {
    app.add_option("DIR", request.word,
                   "a folder with config.json, .safetensors and a tokenizer (default: a small model)");
    app.add_option("--text", request.run.given.text,
                   "what the model reads, or @FILE; several are sentences of one text")
        ->allow_extra_args(false)
        ->type_name("SENTENCE");
  }
  if (takes & kTakesViews) {
    ModelViews& views = request.model;
    const auto add = [&](const char* flags, std::string& text, const char* value, const char* doc) {
      app.add_option(flags, text, doc)->take_last()->type_name(value);
    };
    add("--family", views.family, "NAME", "of a model: whose code runs it, where config.json has a type of its own");
    add("--head", views.head, "BLOCK.HEAD", "of a model: the weights of one head, such as 4.11");
    app.add_option("--without", views.without, "of a model: what it says if a head is taken away; can be repeated")
        ->allow_extra_args(false)
        ->type_name("BLOCK.HEAD");
    app.add_flag("--lens", views.lens, "of a model: what it would say after each block");
    add("--generate", views.generate, "N", "of a model: N words more");
    add("--temperature", views.temperature, "X",
        "draw them at random, the more daring the larger (default 0: the best)");
    add("--top-k", views.top_k, "N", "draw from the N best");
    add("--top-p", views.top_p, "X", "draw from the best that have this share together");
  }
  if (takes & (kTakesWeights | kTakesModel)) {
    app.add_option("--map", request.run.given_weights.map,
                   "which parameter a tensor of --weights or of a model, a part of it, or all below a "
                   "name is; can be repeated")
        ->allow_extra_args(false)
        ->type_name("FILE_NAME[ROWS,COLUMNS].T=LESSON_NAME");
  }
  if (takes & kTakesCatalogue)
    app.add_option("--lessons", request.lessons, "a folder of lessons to use instead of those in the program")
        ->take_last()
        ->type_name("DIR");
}

// The first argument that nothing took: an unknown option or command, or one too many.
void refuse_rest(const CLI::App& app, const CLI::App* command) {
  std::vector<std::string> rest = app.remaining(true);
  // CLI11 lists the mark after which nothing is an option.
  if (const auto mark = std::find(rest.begin(), rest.end(), "--"); mark != rest.end()) rest.erase(mark);
  if (rest.empty()) return;
  std::vector<std::string> known;
  if (rest[0].starts_with("-")) {
    for (const CLI::Option* option : (command ? command : &app)->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    const std::string name = rest[0].substr(0, rest[0].find('='));
    if (command && std::find(known.begin(), known.end(), name) != known.end())
      throw UserError(say("usage.after_mark", {{"option", elide(rest[0], 60)}}));
    throw UserError(say("usage.option", {{"option", elide(rest[0], 60)}}), did_you_mean(nearest(name, known)));
  }
  if (command) throw UserError(say("usage.argument", {{"command", command->get_name()}, {"text", elide(rest[0], 60)}}));
  for (const Command* row : all_commands()) known.emplace_back(row->name);
  if (Catalogue::built_in().find(rest[0]))
    throw UserError(say("usage.command", {{"text", rest[0]}}), did_you_mean("attn-tutor lesson " + rest[0]));
  if (is_program_name(rest[0]))
    throw UserError(say("usage.command", {{"text", elide(rest[0], 60)}}),
                    did_you_mean("attn-tutor run " + elide(rest[0], 60)));
  throw UserError(say("usage.command", {{"text", elide(rest[0], 60)}}), did_you_mean(nearest(rest[0], known)));
}

// With the level of the processor whose kernels are used.
std::string version_text() {
  return fmt::format("attn-tutor {} ({}, {})\n", ATTN_VERSION, ATTN_BUILD_TYPE, level().name);
}

std::string examples() {
  std::string text = "Examples:\n";
  for (const Command* command : all_commands()) text += fmt::format("  {}\n", command->example);
  return text;
}

constexpr const char* kProgramName = "attn-tutor";
constexpr const char* kProgramDoc =
    "Teaches attention by running the code of a lesson line by line, with every shape and number.";

// Nothing to do but print: --help, --version.
struct PrintAndLeave {
  std::string text;
};

// "--width: 1 required TEXT missing" is how CLI11 says that a value is missing.
std::string parse_error_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::size_t place = text.find(": 1 required ");
  return place == std::string::npos ? text : say("usage.value", {{"option", text.substr(0, place)}});
}

constexpr int kWidestHelp = 100, kDescription = 30;  // columns; where CLI11 begins to describe an option

// Lines of bearable length: of a row the description goes on below itself.
std::string help_lines(const std::string& help) {
  std::string text;
  for (const std::string_view line : split_lines(help)) {
    const auto begin =
        static_cast<std::size_t>(line.starts_with("  ") && line.size() > kDescription ? kDescription : 0);
    std::string before(line.substr(0, begin));
    for (const std::string& part : wrap(line.substr(begin), kWidestHelp - static_cast<int>(begin))) {
      text += before + part + "\n";
      before = std::string(begin, ' ');
    }
  }
  return text;
}

// -h: what it does, how it is called, an example. --help has the options, too.
std::string short_help(const std::string& help, const std::string& command) {
  const std::size_t begin = help.find("\nOptions:\n");
  if (begin == std::string::npos) return help;
  const std::size_t end = help.find("\n\n", begin + 1);
  return help.substr(0, begin) + (end == std::string::npos ? "" : help.substr(end + 1)) +
         say("help.options", {{"command", command}}) + "\n";
}

// Of a command, or of the program.
std::string help_text(const CLI::App& app, bool is_short = false) {
  const std::string command = app.get_parent() ? kProgramName + (" " + app.get_name()) : kProgramName;
  const std::string help = help_lines(app.help(app.get_parent() ? kProgramName : ""));
  return is_short ? short_help(help, command) : help;
}

// Arguments stand in --help by their name alone.
void name_arguments(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](const CLI::Option* each) { return each->get_positional(); }))
    option->type_name("");
  app.get_formatter()->label("REQUIRED", "");
}

using AppOfCommand = std::pair<CLI::App*, const Command*>;

// `typed_words`: where there are any, only the commands among them get their options. All of them cost as much as a
// tenth of a short run.
std::vector<AppOfCommand> add_commands(CLI::App& app, Typed& typed, std::span<const char* const> typed_words = {}) {
  app.footer(examples());
  app.allow_extras();
  app.require_subcommand(0, 1);  // so that the name of another command may follow: `help lesson`
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", std::string(), "print the version");
  std::vector<AppOfCommand> commands;
  for (const Command* command : all_commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->doc));
    sub->allow_extras();
    commands.emplace_back(sub, command);
    if (!typed_words.empty() && std::ranges::find(typed_words, command->name) == typed_words.end()) continue;
    sub->footer(fmt::format("Example:\n  {}\n", command->example));
    add_options(*sub, command->takes, typed);
    name_arguments(*sub);
  }
  return commands;
}

const Command* parse(int argc, const char* const* argv, Typed& typed) {
  CLI::App app(kProgramDoc, kProgramName);
  const std::vector<AppOfCommand> commands = add_commands(app, typed, {argv, static_cast<std::size_t>(argc)});
  const CLI::App* chosen_app = nullptr;
  const Command* chosen = &kListCommand;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const bool is_short = std::find(argv, argv + argc, std::string_view("-h")) != argv + argc;
    for (const auto& [sub, command] : commands)
      if (sub->parsed()) throw PrintAndLeave{help_text(*sub, is_short)};
    throw PrintAndLeave{help_text(app, is_short)};
  } catch (const CLI::CallForVersion&) {
    throw PrintAndLeave{version_text()};
  } catch (const CLI::ParseError& error) {
    for (const auto& [sub, command] : commands) {
      if (!sub->parsed()) continue;
      refuse_rest(app, sub);
      throw UserError(parse_error_text(error), say("usage.example", {{"example", std::string(command->example)},
                                                                     {"command", std::string(command->name)}}));
    }
    throw UserError(parse_error_text(error));
  }
  for (const auto& [sub, command] : commands) {
    if (!sub->parsed()) continue;
    chosen_app = sub;
    chosen = command;
  }
  refuse_rest(app, chosen_app);
  const auto given = [&](const char* option) {
    return chosen_app && chosen_app->get_option_no_throw(option) && chosen_app->count(option) > 0;
  };
  understand(typed, given);
  apply_config(typed.request, given);
  typed.request.bare = chosen_app == nullptr && argc <= 1;
  return chosen;
}

int run_with_input(const Command& command, Request& request) {
  if (!request.run.given_weights.file.empty())
    request.run.weights = std::make_shared<Weights>(request.run.given_weights);
  const bool opens_model = command.takes & kTakesModel || is_model(request.word);
  const GivenWeights& weights = request.run.given_weights;
  if (!weights.map.empty() && weights.file.empty() && !opens_model)
    throw UserError(say("option.map"), say("option.map.hint"));
  // A model reads words by its own tokenizer.
  return opens_model || read_own_input(request) ? command.run(request) : kBadInput;
}

// Tensors are counted where they are made. Whatever else grows (a list of a cell, a record) meets this wall: then `new`
// fails, and the run ends as at any other limit. Sanitizers reserve more than any wall.
void limit_address_space([[maybe_unused]] std::int64_t tensors) {
#if !defined(ATTN_SANITIZED)
  const rlim_t wanted = static_cast<rlim_t>(tensors) + kBesidesTensors;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_AS, &limit);
#endif
}

// ---- the parser as data ----

OptionDescription described(const CLI::Option& option) {
  OptionDescription out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) out.value = option.get_type_name();
  out.doc = option.get_description();
  return out;
}

ArgumentDescription described_argument(const CLI::Option& option) {
  return {option.get_name(true), option.get_description(), option.get_required(), option.get_items_expected_max() > 1};
}

std::vector<OptionDescription> described_options(const CLI::App& app) {
  std::vector<OptionDescription> out;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) out.push_back(described(*option));
  }
  return out;
}

// ATTN_TUTOR_CPU chooses the kernels: for goldens, and to compare levels.
void obey_processor_variable() {
  const char* const variable = std::getenv("ATTN_TUTOR_CPU");
  const std::string name = variable ? variable : "";
  if (name.empty()) return;
  const Level* const wanted = find_level(name);
  if (!wanted) {
    std::vector<std::string> names;
    for (const Level& level : levels()) names.emplace_back(level.name);
    throw UserError(say("level.unknown", {{"level", name}}), say("level.unknown.hint", {{"list", join(names, ", ")}}));
  }
  if (!wanted->is_supported())
    throw UserError(say("level.lacks", {{"level", name}, {"needs", std::string(wanted->needs)}}),
                    say("level.lacks.hint"));
  use_level(*wanted);
}

int run_typed(int argc, const char* const* argv, std::size_t stack) {
  Typed typed;
  try {
    if (argc < 1) throw UserError(say("usage.nameless"));
    obey_processor_variable();
    const Command* command = parse(argc, argv, typed);
    typed.request.limits.max_stack = stack - std::min(stack / 2, kStackReserve);
    limit_address_space(typed.request.limits.max_memory);
    const LimitScope scope(typed.request.limits);
    set_threads(typed.request.threads > 0 ? typed.request.threads : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
    return guarded(typed.request, [&] { return run_with_input(*command, typed.request); });
  } catch (const PrintAndLeave& print) {
    try {
      write_out(print.text);
      return kFine;
    } catch (const OutputFailed& error) {
      report(error.what());
      return kOutputFailed;
    }
  } catch (const UserError& error) {
    report(error.what(), error.hint().empty() ? say("usage.hint") : error.hint());
    return kUsage;
  } catch (const OutputFailed& error) {
    report(error.what());
    return kOutputFailed;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    report(say("bug", {{"text", error.what()}}), say("bug.hint"));
    return kOurBug;
  }
}

}  // namespace

ProgramDescription describe_program() {
  Typed typed;
  CLI::App app(kProgramDoc, kProgramName);
  const std::vector<AppOfCommand> commands = add_commands(app, typed);
  ProgramDescription program{kProgramName, kProgramDoc, described_options(app), {}};
  for (const auto& [sub, command] : commands) {
    CommandDescription& described = program.commands.emplace_back();
    described = {sub->get_name(), sub->get_description(), std::string(command->example), {}, described_options(*sub)};
    for (const CLI::Option* option : sub->get_options()) {
      if (option->get_positional()) described.arguments.push_back(described_argument(*option));
    }
  }
  return program;
}

std::string usage_of(std::string_view command) {
  Typed typed;
  CLI::App app(kProgramDoc, kProgramName);
  const std::vector<AppOfCommand> commands = add_commands(app, typed);
  if (command.empty()) return help_text(app);
  for (const auto& [sub, row] : commands) {
    if (row->name == command) return help_text(*sub);
  }
  return "";
}

std::string_view version_number() { return ATTN_VERSION; }
std::string_view release_date() { return ATTN_RELEASED; }

int run_command_line(int argc, const char* const* argv, std::size_t stack) {
  try {
    return run_typed(argc, argv, stack);
  } catch (const std::bad_alloc&) {  // outside of the command, or while something else was told
    report_no_memory();
    return kLimit;
  }
}

}  // namespace attn
