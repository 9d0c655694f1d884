// Checks a model with libstrata: first a short search, which is cancelled; then the whole check, and a walk through its
// counterexample.
//
//     c++ -std=c++17 look_and_check.cc -o look_and_check $(pkg-config --cflags --libs strata)
//     ./look_and_check peterson_bug.m threads=2 define=N=3
#include <strata/strata.h>

#include <cstdio>
#include <map>
#include <string>

namespace api = strata::api;

namespace {

constexpr double kLookSeconds = 0.5;

bool show(const api::Progress& progress) {
  std::fprintf(stderr, "  %5.1f s: %s, %llu states\n", progress.seconds, progress.phase.c_str(),
               static_cast<unsigned long long>(progress.states));
  return true;
}

// Searches only briefly.
void look(const api::Model& model, const api::Options& options) {
  api::Check check(model, options);
  double begun = -1;  // when the model was loaded
  check.on_progress(
      [&](const api::Progress& progress) {
        if (progress.states > 0 && begun < 0) begun = progress.seconds;
        return begun < 0 || progress.seconds - begun < kLookSeconds;  // false cancels
      },
      0.05);
  const api::Result result = check.run();
  if (result.error() == nullptr)
    std::printf("A look: %llu states%s\n", static_cast<unsigned long long>(result.states()),
                result.stop() == api::Stop::cancelled ? ", then it was cancelled" : ", and that was all");
}

// Prints the path to an error: the changes of each step.
void walk(const api::Counterexample& found) {
  const api::Position place = found.position();
  std::printf("%s:%u:%u: %s\n", place.file.c_str(), place.line, place.column, found.message().c_str());
  std::map<std::string, std::string> before;
  for (uint64_t i = 0; i < found.size(); ++i) {
    const api::Step step = found.step(i);
    std::printf("%4llu  %s\n", static_cast<unsigned long long>(i), step.rule.c_str());
    for (const auto& [path, text] : step.state.scalars()) {
      if (before[path] != text) std::printf("        %s = %s\n", path.c_str(), text.c_str());
      before[path] = text;
    }
  }
  if (found.has_loop())
    std::printf("      and again from state %llu on\n", static_cast<unsigned long long>(found.loop()));
}

int report(const api::Result& result) {
  for (const std::string& note : result.notes()) std::fprintf(stderr, "note: %s\n", note.c_str());
  if (const api::Error* error = result.error()) {
    for (const api::Error::Message& message : error->messages)
      std::fprintf(stderr, "%s:%u:%u: %s\n", message.position.file.c_str(), message.position.line,
                   message.position.column, message.text.c_str());
    return error->exit_code;
  }
  std::printf("%s\n%llu states, %llu rules fired, depth %llu, by %s\n", result.message().c_str(),
              static_cast<unsigned long long>(result.states()),
              static_cast<unsigned long long>(result.transitions()),
              static_cast<unsigned long long>(result.depth()), result.algorithm().c_str());
  for (const api::Property& property : result.properties()) {
    const char* outcome = property.outcome == api::Property::Outcome::holds      ? "holds"
                          : property.outcome == api::Property::Outcome::violated ? "violated"
                                                                                 : "not known";
    std::printf("%s \"%s\": %s\n", property.kind.c_str(), property.name.c_str(), outcome);
  }
  for (const api::Counterexample& found : result.counterexamples()) walk(found);
  return result.exit_code();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s MODEL [OPTION=VALUE...]\n", argv[0]);
    return 151;
  }
  api::Options options;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    options.set(word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1));
  }
  const api::Model model = api::Model::file(argv[1]);
  look(model, options);
  api::Check check(model, options);
  check.on_progress(show, 0.2);
  return report(check.run());
}
