// `strata lsp`: the language server on standard input and output.
#pragma once

namespace strata {

int lsp_command();

}  // namespace strata
