// attn-tutor model: a folder with a model as people have it (cli/open_model.h).
#include "cli/command.h"
#include "cli/open_model.h"
#include "cli/session.h"
#include "cli/trace_result.h"

namespace attn {
namespace {

int run_model(const Request& request) { return run_shown(open_model(request), request, report_failure); }

}  // namespace

const Command kModelCommand = {"model",
                               "Opens a folder with a model and shows what its heads look at and what it says next.",
                               kTakesModel | kTakesViews | kTakesSteps | kTakesLimits | kTakesView | kTakesSession,
                               run_model, "attn-tutor model gpt2/ --text \"The cat sat on the\""};

}  // namespace attn
