// Runs one piece of code again and again: bench_work SETUP.py STATEMENT [THREADS]. For each number that it reads it
// runs the statement so often and answers with one line: the milliseconds of each run. "memory" gets the most that the
// process ever had, in MiB. torch_work.py is the same for PyTorch.
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/limits.h"
#include "python/interpreter.h"
#include "syntax/parser.h"
#include "tensor/kernels/levels.h"
#include "tensor/core/memory.h"
#include "tensor/core/parallel.h"

namespace {

double milliseconds_of(attn::Interpreter& interpreter, const std::shared_ptr<const attn::Block>& block) {
  const auto begin = std::chrono::steady_clock::now();
  interpreter.run(block);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double most_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

int serve(int argc, char** argv) {
  if (argc < 3) throw std::runtime_error("usage: bench_work SETUP.py STATEMENT [THREADS]");
  attn::keep_freed_memory();
  attn::set_threads(argc > 3 ? std::atoi(argv[3]) : 1);
  const char* const level = std::getenv("ATTN_TUTOR_CPU");
  if (level && *level) attn::use_level(*attn::find_level(level));
  const attn::LimitScope scope({.max_memory = std::int64_t{8} << 30});
  attn::Interpreter interpreter;
  interpreter.run({"<setup>", read_file(argv[1])});
  const std::uint32_t number = interpreter.add_source({"<work>", std::string(argv[2]) + "\n"});
  const auto block = std::make_shared<const attn::Block>(attn::parse_cell(interpreter.sources()[number], number));
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "memory") {
      std::cout << most_memory() << std::endl;
      continue;
    }
    for (int runs = std::stoi(line); runs > 0; --runs) std::cout << milliseconds_of(interpreter, block) << ' ';
    std::cout << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return serve(argc, argv); } catch (const attn::CellError& error) {
  std::cerr << "bench_work: " << error.diagnostic().message << '\n';
  return 1;
} catch (const std::exception& error) {
  std::cerr << "bench_work: " << error.what() << '\n';
  return 1;
}
