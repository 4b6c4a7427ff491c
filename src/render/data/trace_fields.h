#pragma once
// The members of a Trace as JSON has them: one table for the writer, the reader and the schema. A member that holds
// what a new object holds is left out of the file. Over 400 lines because a Trace has that many members.
//
// fields(f, Type) calls f(name, pointer to member, what it is) for each.
#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "engine/trace.h"
#include "python/value.h"

namespace attn::json {

template <class T>
using As = std::type_identity<T>;

// ---- the words of enumerations, in the order of their enumerators ----

inline std::span<const std::string_view> words(As<LessonForm>) {
  static constexpr std::string_view kWords[] = {"lesson", "notebook", "script"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Run::Kind>) {
  static constexpr std::string_view kWords[] = {"text", "formula", "expression"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Prose::Kind>) {
  static constexpr std::string_view kWords[] = {"heading", "paragraph", "item", "table", "formula", "code", "rule"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Align>) {
  static constexpr std::string_view kWords[] = {"default", "left", "center", "right"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Predict>) {
  static constexpr std::string_view kWords[] = {"none", "shape", "value", "raises", "effect"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Severity>) {
  static constexpr std::string_view kWords[] = {"note", "warning", "error"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Code>) {
  static constexpr std::string_view kWords[] = {
      "syntax",    "name",    "attribute", "type",   "index",       "key",     "shape",  "value", "zero-division",
      "assertion", "runtime", "axis",      "format", "unsupported", "suspect", "remark", "limit", "interrupt"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Outcome>) {
  static constexpr std::string_view kWords[] = {"fine", "raised"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Effect>) {
  static constexpr std::string_view kWords[] = {"raises", "other shape", "other numbers", "no difference"};
  return kWords;
}
inline std::span<const std::string_view> words(As<RunOutcome>) {
  static constexpr std::string_view kWords[] = {"fine", "cell failed", "limit reached", "interrupted"};
  return kWords;
}
inline std::span<const std::string_view> words(As<Mark>) { return kMarkWords; }
inline std::span<const std::string_view> words(As<DType>) {
  static const auto kWords = [] {
    std::array<std::string_view, kDTypes> names;
    for (std::size_t i = 0; i < kDTypes; ++i) names[i] = short_name(static_cast<DType>(i));
    return names;
  }();
  return kWords;
}

inline std::span<const std::string_view> words(As<Origin::Source>) {
  static constexpr std::string_view kWords[] = {"assigned", "axis size", "arithmetic"};
  return kWords;
}
inline std::span<const std::string_view> words(As<OpArgument::Kind>) {
  static constexpr std::string_view kWords[] = {"none",   "bool", "int",   "float", "text",     "dtype",
                                                "tensor", "list", "tuple", "slice", "ellipsis", "other"};
  return kWords;
}

// ---- objects ----

template <class F>
void fields(F& f, As<Run>) {
  f("kind", &Run::kind, "text, or a formula in LaTeX");
  f("emph", &Run::emph, "emphasised");
  f("strong", &Run::strong, "strongly emphasised");
  f("code", &Run::code, "code");
  f("strike", &Run::strike, "struck out");
  f("text", &Run::text, "the text; a line feed is a hard line break");
  f("href", &Run::href, "where a link leads");
  f("span", &Run::span, "place in the file of the lesson");
}

template <class F>
void fields(F& f, As<Prose>) {
  f("kind", &Prose::kind, "which block it is");
  f("line", &Prose::line, "line of the file");
  f("level", &Prose::level, "of a heading, 1 to 6");
  f("depth", &Prose::depth, "in how many lists it stands");
  f("quotes", &Prose::quotes, "in how many quotes it stands");
  f("marker", &Prose::marker, "of an item: \"-\" or \"1.\"; empty for its further paragraphs");
  f("runs", &Prose::runs, "of a heading, a paragraph or an item");
  f("rows", &Prose::rows, "of a table: rows of cells of runs; the first is its head");
  f("aligns", &Prose::aligns, "of the columns of a table");
  f("text", &Prose::text, "of a formula (LaTeX) or code");
  f("language", &Prose::language, "of code");
}

template <class F>
void fields(F& f, As<CellOptions>) {
  f("parameters", &CellOptions::parameters, "its assignments can be set from outside");
  f("hidden", &CellOptions::hidden, "it runs without being shown");
  f("predict", &CellOptions::predict, "what the learner is asked before it runs");
  f("predict_name", &CellOptions::predict_name, "the name of which the shape is asked");
  f("write", &CellOptions::write, "the name that the learner binds");
  f("raises", &CellOptions::raises, "the exception that is expected");
  f("wrong", &CellOptions::wrong, "a common bug; the name of the right value");
  f("data", &CellOptions::data, "the data file that its literal comes from");
  f("fixed", &CellOptions::fixed, "no data of the learner takes its place");
  f("strides", &CellOptions::strides, "its views are shown with their strides");
}

template <class F>
void fields(F& f, As<Question>) {
  f("kind", &Question::kind, "what is asked");
  f("subject", &Question::subject, "the name, or the text of the expression");
  f("value", &Question::value, "index into values: what is asked for");
  f("raises", &Question::raises, "the answer where that is asked");
  f("effect", &Question::effect, "the answer where that is asked");
  f("write", &Question::write, "the name that the learner binds");
}

template <class F>
void fields(F& f, As<TrapRecord>) {
  f("answer", &TrapRecord::answer, "a wrong answer");
  f("text", &TrapRecord::text, "what is said to whoever gives it");
}

template <class F>
void fields(F& f, As<Difference>) {
  f("same_shape", &Difference::same_shape, "whether the two have one shape");
  f("total", &Difference::total, "how many elements there are");
  f("differing", &Difference::differing, "how many differ");
  f("first", &Difference::first, "index of the first that differs");
  f("first_a", &Difference::first_a, "it in the wrong value");
  f("first_b", &Difference::first_b, "it in the right value");
  f("largest", &Difference::largest, "largest difference of two finite elements");
  f("nan_a", &Difference::nan_a, "how many are NaN in the wrong value");
  f("nan_b", &Difference::nan_b, "how many are NaN in the right value");
  f("unharmed", &Difference::unharmed, "for each axis the indices whose whole slice agrees");
}

template <class F>
void fields(F& f, As<Comparison>) {
  f("effect", &Comparison::effect, "how the bug came out");
  f("wrong_name", &Comparison::wrong_name, "name or expression of the wrong value");
  f("right_name", &Comparison::right_name, "name of the right value");
  f("wrong", &Comparison::wrong, "index into values");
  f("right", &Comparison::right, "index into values");
  f("difference", &Comparison::difference, "where both have one shape");
}

template <class F>
void fields(F& f, As<CellRecord>) {
  f("ordinal", &CellRecord::ordinal, "its number among the cells, from 1");
  f("source", &CellRecord::source, "index into sources: its code");
  f("options", &CellRecord::options, "the words of its fence");
  f("steps", &CellRecord::steps, "of its statements; indices into steps");
  f("printed", &CellRecord::printed, "by all of them");
  f("result", &CellRecord::result, "value of the expression that ends it, index into values");
  f("recorded", &CellRecord::recorded, "the output that a notebook file has for it");
  f("notes", &CellRecord::notes, "commands of a notebook that were passed over; indices into diagnostics");
  f("question", &CellRecord::question, "what the learner is asked");
  f("hints", &CellRecord::hints, "one after the other");
  f("traps", &CellRecord::traps, "wrong answers that are expected");
  f("why", &CellRecord::why, "shown after the answer");
  f("comparison", &CellRecord::comparison, "of a common bug with the right value");
  f("diagnostic", &CellRecord::diagnostic, "the error it ended with, index into diagnostics");
  f("raised", &CellRecord::raised, "the type of that error in Python");
  f("failed", &CellRecord::failed, "an error that was not expected, or an expected one that did not come");
}

template <class F>
void fields(F& f, As<OperandNote>) {
  f("span", &OperandNote::span, "where the operand stands");
  f("text", &OperandNote::text, "its name, axes and sizes");
  f("axes", &OperandNote::axes, "names of its axes");
  f("shape", &OperandNote::shape, "its sizes");
}

template <class F>
void fields(F& f, As<TriedFix>) {
  f("code", &TriedFix::code, "the code with the repair in it");
  f("gives", &TriedFix::gives, "axes and sizes of what it gives");
}

template <class F>
void fields(F& f, As<Diagnostic>) {
  f("severity", &Diagnostic::severity, "how bad it is");
  f("code", &Diagnostic::code, "kind of mistake");
  f("span", &Diagnostic::span, "where it stands");
  f("message", &Diagnostic::message, "what Python or PyTorch says, or what the program says itself");
  f("hint", &Diagnostic::hint, "what to do");
  f("rule", &Diagnostic::rule, "the rule of an op that was broken");
  f("facts", &Diagnostic::facts, "numbers that the rule speaks of, by name");
  f("operands", &Diagnostic::operands, "of the operation that failed");
  f("is_inner", &Diagnostic::is_inner, "the rule was broken inside the operation");
  f("tried", &Diagnostic::tried, "a repair that was run and worked");
  f("fix", &Diagnostic::fix, "the sentence made of it");
}

template <class F>
void fields(F& f, As<Binding>) {
  f("target", &Binding::target, "the name, or \"x[0]\"");
  f("value", &Binding::value, "index into values");
  f("span", &Binding::span, "where the name stands");
  f("of", &Binding::of, "of a gradient: the tensor it is of, index into values");
}

template <class F>
void fields(F& f, As<Step>) {
  f("id", &Step::id, "lesson / cell / fingerprint of the statement; stays when prose is edited");
  f("cell", &Step::cell, "ordinal of its cell");
  f("span", &Step::span, "of the whole statement");
  f("header", &Step::header, "of what is shown: up to the colon of a compound statement");
  f("parent", &Step::parent, "the statement it stands in, or that called its function; index into steps");
  f("iteration", &Step::iteration, "of the innermost loop, from 0");
  f("activation", &Step::activation, "0, or the number of the call of a function");
  f("function", &Step::function, "name of that function");
  f("ops", &Step::ops, "in order; indices into ops");
  f("bindings", &Step::bindings, "names it bound, in order");
  f("value", &Step::value, "of an expression, index into values");
  f("losses", &Step::losses, "of the outermost loop: the numbers on which backward() was called in it");
  f("printed", &Step::printed, "what it printed");
  f("outcome", &Step::outcome, "whether it raised an error");
  f("diagnostic", &Step::diagnostic, "that error, index into diagnostics");
  f("warnings", &Step::warnings, "axis comments that do not fit; indices into diagnostics");
  f("hidden", &Step::hidden, "not shown");
}

template <class F>
void fields(F& f, As<OpOperand>) {
  f("parameter", &OpOperand::parameter, "of the op: \"input\"");
  f("written", &OpOperand::written, "the name it is bound to");
  f("value", &OpOperand::value, "index into values");
}

template <class F>
void fields(F& f, As<OpArgument>) {
  f("kind", &OpArgument::kind, "what it is; `other` is not recorded");
  f("number", &OpArgument::number, "of bool, int");
  f("real", &OpArgument::real, "of float");
  f("text", &OpArgument::text, "of text; of dtype its name");
  f("value", &OpArgument::value, "of tensor: index into values");
  f("items", &OpArgument::items, "of list, tuple; start, stop and step of slice");
}

template <class F>
void fields(F& f, As<Op>) {
  f("name", &Op::name, "as `attn-tutor ops` lists it");
  f("spelling", &Op::spelling, "its name in PyTorch");
  f("span", &Op::span, "of the call");
  f("step", &Op::step, "index into steps");
  f("parent", &Op::parent, "the composite op it is a part of, index into ops");
  f("back_through", &Op::back_through, "in backward(): the op that it brings a gradient back through, index into ops");
  f("inputs", &Op::inputs, "tensors it took");
  f("attributes", &Op::attributes, "its other arguments as [name, repr]");
  f("overload", &Op::overload, "of its signature, from 0");
  f("arguments", &Op::arguments, "of each parameter of that; none of composites");
  f("outputs", &Op::outputs, "indices into values");
  f("multiply_adds", &Op::multiply_adds, "what it cost");
  f("bytes", &Op::bytes, "of new storage; 0 for a view");
  f("is_view", &Op::is_view, "its result shares the storage of its input");
  f("in_place", &Op::in_place, "it wrote into its input");
  f("failed", &Op::failed, "it raised an error");
}

template <class F>
void fields(F& f, As<Origin>) {
  f("source", &Origin::source, "an assignment, the size of an axis, or arithmetic");
  f("name", &Origin::name, "of the variable or the axis; the operator of arithmetic");
  f("value", &Origin::value, "the integer");
  f("span", &Origin::span, "where that stands");
  f("operands", &Origin::operands, "indices into origins; null for a literal");
  f("operand_values", &Origin::operand_values, "of arithmetic");
  f("depth", &Origin::depth, "how many of them stand in one another");
}

template <class F>
void fields(F& f, As<AxisRecord>) {
  f("name", &AxisRecord::name, "empty when it has none");
  f("words", &AxisRecord::words, "index into words: what its indices stand for");
  f("by", &AxisRecord::by, "name of the axis of which each index has a row of the words, one row after the other");
  f("born", &AxisRecord::born, "index into origins: where its size came from");
}

template <class F>
void fields(F& f, As<RecordedValue>) {
  f("type", &RecordedValue::type, "in Python: \"Tensor\", \"int\"");
  f("text", &RecordedValue::text, "repr() of what is no tensor");
  f("is_tensor", &RecordedValue::is_tensor, "whether it is one; what follows is about tensors");
  f("shape", &RecordedValue::shape, "sizes");
  f("strides", &RecordedValue::strides, "in elements");
  f("dtype", &RecordedValue::dtype, "type of the elements");
  f("axes", &RecordedValue::axes, "names of the axes");
  f("storage", &RecordedValue::storage, "tensors of one storage and version are views of one another");
  f("version", &RecordedValue::version, "how often the storage was written to");
  f("contiguous", &RecordedValue::contiguous, "whether its elements lie one behind the other");
  f("kept", &RecordedValue::kept, "false: the numbers are not in the record");
  f("requires_grad", &RecordedValue::requires_grad, "as in PyTorch");
  f("is_parameter", &RecordedValue::is_parameter, "of a module");
  f("grad_fn", &RecordedValue::grad_fn, "as PyTorch prints it");
  f("tensor", &RecordedValue::tensor,
    "[b, offset]: element i, j, ... is number offset + i * strides[0] + j * strides[1] + ... of buffers[b]");
}

template <class F>
void fields(F& f, As<Touch>) {
  f("name", &Touch::name, "what was changed where it is bound");
  f("code", &Touch::code, "the change");
  f("step", &Touch::step, "id of the step that binds it");
}

template <class F>
void fields(F& f, As<GivenInput>) {
  f("text", &GivenInput::text, "--text: sentences");
  f("data", &GivenInput::data, "--data: name of a file");
  f("vocab", &GivenInput::vocab, "--vocab: name of a file");
}

template <class F>
void fields(F& f, As<GivenWeights>) {
  f("file", &GivenWeights::file, "--weights: name of a file");
  f("map", &GivenWeights::map, "--map: what its tensors are in the lesson");
}

template <class F>
void fields(F& f, As<LoadedTensor>) {
  f("name", &LoadedTensor::name, "of the parameter in the lesson");
  f("tensor", &LoadedTensor::tensor, "of the file");
  f("part", &LoadedTensor::part, "what of it was taken, as PyTorch writes that");
  f("step", &LoadedTensor::step, "that bound the name, index into steps");
  f("value", &LoadedTensor::value, "index into values");
}

template <class F>
void fields(F& f, As<LoadedWeights>) {
  f("sha256", &LoadedWeights::sha256, "in hex digits");
  f("is_whole_sum", &LoadedWeights::is_whole_sum, "of the whole file; else of its header and the tensors taken");
  f("loaded", &LoadedWeights::loaded, "parameters that came from the file");
  f("missing", &LoadedWeights::missing, "parameters that are not in the file");
  f("unused", &LoadedWeights::unused, "tensors of the file that are nothing in the lesson");
}

template <class F>
void fields(F& f, As<RunOptions>) {
  f("seed", &RunOptions::seed, "--seed");
  f("set", &RunOptions::set, "--set: parameter and literal");
  f("value_budget", &RunOptions::value_budget, "most bytes of numbers that are kept");
  f("given", &RunOptions::given, "words or ids of the learner");
  f("given_weights", &RunOptions::given_weights, "a file of parameters");
  f("touch", &RunOptions::touch, "a change that was made while it ran");
}

template <class F>
void fields(F& f, As<DataFile>) {
  f("name", &DataFile::name, "by which the cells call it");
  f("is_carried", &DataFile::is_carried, "false: a large file, of which the record has the name alone");
  f("base64", &DataFile::base64, "its bytes");
  f("sha256", &DataFile::sha256, "of a large file, in hex digits");
}

template <class F>
void fields(F& f, As<Source>) {
  f("name", &Source::name, "the file");
  f("text", &Source::text, "the code; spans count its bytes in UTF-8");
  f("first_line", &Source::first_line, "line of the file at which it starts");
}

template <class F>
void fields(F& f, As<SessionAnswer>) {
  f("step", &SessionAnswer::step, "number of the step that asks, from 1");
  f("question", &SessionAnswer::question, "what was asked");
  f("given", &SessionAnswer::given, "the last answer, as typed");
  f("correct", &SessionAnswer::correct, "the right answer of this run");
  f("mark", &SessionAnswer::mark, "how it ended");
  f("tries", &SessionAnswer::tries, "wrong answers before it ended");
  f("hints", &SessionAnswer::hints, "hints that were read");
}

template <class F>
void fields(F& f, As<SessionLine>) {
  f("step", &SessionLine::step, "at which step, from 1; 0: one that this run does not have");
  f("code", &SessionLine::code, "what was typed");
  f("result", &SessionLine::result, "what it printed and gave, or its error");
}

template <class F>
void fields(F& f, As<SessionRecord>) {
  f("student", &SessionRecord::student, "--student: the name");
  f("step", &SessionRecord::step, "where the learner stood, from 1");
  f("steps", &SessionRecord::steps, "how many steps there are");
  f("finished", &SessionRecord::finished, "whether that is behind the last step");
  f("parameters", &SessionRecord::parameters, "of the lesson, as [name, value]");
  f("answers", &SessionRecord::answers, "questions and what was said to them, in the order of the steps");
  f("typed", &SessionRecord::typed, "lines of code, in the order in which they were typed");
  f("began", &SessionRecord::began, "--times: when the session began");
  f("ended", &SessionRecord::ended, "--times: when this was written");
}

template <class F>
void fields(F& f, As<Trace>) {
  f("form", &Trace::form, "what was run");
  f("lesson_id", &Trace::lesson_id, "\"batch\" of lessons/03-batch.md");
  f("number", &Trace::number, "of the lesson; 0 for none");
  f("title", &Trace::title, "of the lesson");
  f("summary", &Trace::summary, "its first paragraph");
  f("path", &Trace::path, "of the file");
  f("options", &Trace::options, "what the run was asked for");
  f("level", &Trace::level, "of the processor's kernels that took part");
  f("files", &Trace::files, "that the cells read");
  f("sources", &Trace::sources, "the code of the cells");
  f("blocks", &Trace::blocks, "prose and cells, in order");
  f("steps", &Trace::steps, "executed statements, in order");
  f("ops", &Trace::ops, "operations on tensors, in order");
  f("values", &Trace::values, "what came to be, in order");
  f("diagnostics", &Trace::diagnostics, "errors, warnings and notes");
  f("outcome", &Trace::outcome, "how the run ended");
  f("weights", &Trace::weights, "what the file of parameters gave");
  f("drew_unseeded", &Trace::drew_unseeded, "random numbers were drawn before any seed was set");
  f("session", &Trace::session, "of a transcript of a session: what the learner did");
}

}  // namespace attn::json
