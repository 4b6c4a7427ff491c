// Whole lessons: running one, each format of its transcript, and going to each of its steps in a session.
#include <benchmark/benchmark.h>

#include "engine/runner.h"
#include "lesson/catalogue.h"
#include "render/formats.h"
#include "stepper/stepper.h"

namespace attn {
namespace {

Lesson lesson(const std::string& number) {
  LoadFindings findings;
  return Catalogue::built_in().open(number, findings);
}

void load(benchmark::State& state, const std::string& number) {
  for (auto _ : state) benchmark::DoNotOptimize(lesson(number));
}

void run(benchmark::State& state, const std::string& number) {
  const Lesson loaded = lesson(number);
  for (auto _ : state) benchmark::DoNotOptimize(run_lesson(loaded));
}

void write(benchmark::State& state, const std::string& number, const Format& format) {
  const Trace trace = run_lesson(lesson(number));
  std::size_t bytes = 0;
  for (auto _ : state) bytes = format.render(trace, {}).size();
  state.counters["bytes"] = static_cast<double>(bytes);
}

// The slowest step matters, so each is measured by itself.
void go_to_step(benchmark::State& state, const std::string& number) {
  const Lesson loaded = lesson(number);
  SessionOptions options;
  options.accessible = true;
  const State session = start_session(loaded, run_lesson(loaded), options);
  const std::string command = "goto " + std::to_string(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(update(session, TypedLine{command}));
}

void register_all() {
  for (const std::string number : {"3", "5"}) {
    benchmark::RegisterBenchmark(("load/" + number).c_str(), load, number);
    benchmark::RegisterBenchmark(("run/" + number).c_str(), run, number);
    for (const Format& format : all_formats())
      benchmark::RegisterBenchmark(("write/" + number + "/" + std::string(format.name)).c_str(),
                                   [number, &format](benchmark::State& state) { write(state, number, format); })
          ->Unit(benchmark::kMillisecond);
    const auto steps = static_cast<std::int64_t>(run_lesson(lesson(number)).steps.size());
    benchmark::RegisterBenchmark(("step/" + number).c_str(), go_to_step, number)
        ->DenseRange(1, steps, 4)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace attn

// Not at start-up as Google Benchmark has it: lessons need the tables of ops, which may not be there by then.
int main(int argc, char** argv) {
  attn::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
