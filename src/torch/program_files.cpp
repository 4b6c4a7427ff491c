#include "torch/program_files.h"

#include "base/files.h"
#include "python/interpreter.h"
#include "tensor/io/npy.h"
#include "text/unsupported.h"
#include "torch/numpy/array.h"

namespace attn {
namespace {}  // namespace

std::shared_ptr<const BytesAt> open_program_file(MethodCall& call) {
  const std::string& name = call.text(0);
  const FileOpener& open = call.interpreter.options().open_file;
  if (!open) throw unsupported(call.given.span, "unsupported.files", {{"function", std::string(call.name)}});
  try {
    return open(name);
  } catch (const FileError& error) {
    call.fail(Code::Runtime, error.what());
  }
}

Value numpy_load(MethodCall& call) {
  if (truthy(call[2])) throw unsupported(call.given.span, "unsupported.numpy.pickle");
  try {
    return make_array(read_npy(*open_program_file(call)));
  } catch (const FileError& error) {
    call.fail(Code::Value, error.what());
  }
}

}  // namespace attn
