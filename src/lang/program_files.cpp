#include "lang/program_files.h"

#include "base/files.h"
#include "lang/array.h"
#include "lang/interpreter.h"
#include "tensor/io/npy.h"

namespace attn {
namespace {

constexpr const char* kNoFiles =
    "lessons and typed code read no files, so that those of strangers are safe to run; `attn-tutor run` reads files "
    "in the folder of your own program";

}  // namespace

std::shared_ptr<const BytesAt> open_program_file(MethodCall& call) {
  const std::string& name = call.text(0);
  const FileOpener& open = call.interpreter.options().open_file;
  if (!open)
    throw CellError(Code::Unsupported, call.given.span, std::string(call.name) + "() may not read files here",
                    kNoFiles);
  try {
    return open(name);
  } catch (const FileError& error) {
    call.fail(Code::Runtime, error.what());
  }
}

Value numpy_load(MethodCall& call) {
  if (truthy(call[2]))
    throw CellError(Code::Unsupported, call.given.span, "numpy.load() of pickles",
                    "reading a pickle may run code; arrays of numbers need no allow_pickle");
  try {
    return make_array(read_npy(*open_program_file(call)));
  } catch (const FileError& error) {
    call.fail(Code::Value, error.what());
  }
}

}  // namespace attn
