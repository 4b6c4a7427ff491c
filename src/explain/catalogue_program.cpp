// English: what the program says of itself: help, completions, the man page, the list of lessons.
#include "explain/catalogue.h"

namespace attn {
namespace {

constexpr Sentence kSentences[] = {
    // ---- exit codes ----
    {"exit.fine", "All went well."},
    {"exit.failed",
     "A cell failed or cannot be parsed, `check` found something, an answer was wrong, or `verify` found a "
     "difference."},
    {"exit.usage",
     "The command line cannot be understood, or names a lesson, a parameter or a topic that is not there."},
    {"exit.input", "A path is missing, a file is malformed, or `verify` found no PyTorch."},
    {"exit.output", "The output could not be written."},
    {"exit.limit", "A limit on memory, work or depth was reached."},
    {"exit.bug", "A mistake in the program itself."},
    {"exit.interrupt", "Ctrl-C."},
    {"exit.signal", "Signal n ended the program."},

    // ---- environment variables ----
    {"variable.state",
     "The folder that keeps your progress and the lines you typed, in `attn-tutor` (`~/.local/state`)."},
    {"variable.data", "The folder with lessons of your own, in `attn-tutor/lessons` (`~/.local/share`)."},
    {"variable.home", "Where these two folders are when the variables are not set."},
    {"variable.no_color", "Anything but nothing: no colours, unless `--color always` is given."},
    {"variable.term", "`dumb` or nothing: no colours, and a session of whole lines as with `--accessible`."},
    {"variable.locale",
     "Names a character set; a terminal where it is not UTF-8 gets ASCII characters only, as with `--ascii`."},
    {"variable.path", "Where `verify` looks for a Python that has PyTorch."},

    {"variable.cpu",
     "A level of the processor (`baseline`, `v3`, `v4`), whose kernels large products take; unset, the fastest that it "
     "has. `--version` names the one in use."},

    // ---- help ----
    {"help.key", "key"},
    {"help.command", "command"},
    {"help.does", "does"},
    {"help.number", "number"},
    {"help.id", "id"},
    {"help.title", "title"},
    {"help.format", "format"},
    {"help.ending", "ending"},
    {"help.what", "what it is"},
    {"help.code", "code"},
    {"help.means", "means"},
    {"help.variable", "variable"},
    {"help.topics", "Topics: {list}."},
    {"help.more", "`attn-tutor help TOPIC` shows one, `attn-tutor help COMMAND` the options of a command."},
    {"help.unknown", "there is no help on {topic}"},
    {"help.near", "did you mean {word}?"},

    // ---- the man page ----
    {"man.what", "teaches attention by running its code line by line"},
    {"man.description",
     "runs the code of a lesson, a notebook or a script one line at a time and shows what every line did: the names of "
     "the axes of each tensor, its shape, its numbers. The code is ordinary PyTorch; no Python is needed, and the "
     "numbers are those that PyTorch gives for the same seed."},
    {"man.alone",
     "Without a command it lists the lessons, and on a terminal Enter goes on where you stopped. In a lesson Enter "
     "goes "
     "to the next step, ? lists the keys, q saves and leaves."},
    {"man.source", "this is the source of the page"},
    {"man.reader", "attn-tutor man | man -l - shows it; attn-tutor help needs no reader"},
    {"man.common", "These options mean the same for every command that takes them."},

    // ---- a new lesson ----
    {"new.name", "{name} is no name for a lesson: letters, digits and - make one"},
    {"new.exists", "{path} is there already"},
    {"new.another", "choose another name; nothing was written"},
    {"new.done",
     "Written: {path}\n  attn-tutor lesson {path}  steps through it\n  attn-tutor check {path}   says what is wrong "
     "with it\n"
     "In the folder {folder} it stands in the list of lessons."},

    // ---- docs/language.md ----
    {"language.made", "Made by: attn-tutor ops --markdown > docs/language.md"},
    {"language.ops", "Ops and layers"},
    {"language.ops.how",
     "Types: `Operand` is a tensor or a number, `ints` a sequence of integers or one, `shape` a sequence; `?` admits "
     "`None`, `|` divides overloads. `attn-tutor ops NAME` shows one with an example that runs."},
    {"language.op", "op"},
    {"language.also", "also written"},
    {"language.refused", "What is refused, and what to write instead"},
    {"language.refused.how",
     "A name that PyTorch 1.13.1, numpy or Python has and that is not listed above is refused where it is used; for "
     "these there is something to write instead. A name that they lack is an AttributeError."},
    {"language.under", "under"},
    {"language.name", "name"},
    {"language.hint", "instead"},

    // ---- completions ----
    {"completion.unknown", "there is no completion for {shell}"},
    {"completion.shells", "there is one for {list}"},
};

}  // namespace

std::span<const Sentence> program_sentences() { return kSentences; }

}  // namespace attn
