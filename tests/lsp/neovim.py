"""`strata lsp` in a real client: Neovim without a window, which attaches to the server, shows its mistakes, goes to a
definition, completes and renames.

    python3 neovim.py --strata PATH

Exit code 77: Neovim is not installed (Debian package neovim)."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MODEL = """type Proc: 1..3;
var cell: array [Proc] of record at: 0..3; owner: Proc; end;
startstate for p: Proc do cell[p].at := 0; cell[p].owner := p; end; end;
ruleset p: Proc do rule "up" cell[p].at < 3 ==> cell[p].at := cell[p].at + 1; end; end;
invariant "low" forall p: Proc do cell[p].at <= 3 end;
"""

# Lua of Neovim 0.7. Each answer is a line of the file OUT.
SCRIPT = r"""
local out = assert(io.open(vim.env.OUT, "w"))
local function say(name, value) out:write(vim.fn.json_encode({name, value}) .. "\n") out:flush() end
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then say("missing", what) vim.cmd("cq") end
end
vim.cmd("edit " .. vim.env.MODEL)
vim.bo.filetype = "murphi"
vim.o.virtualedit = "onemore"
local client = vim.lsp.start_client({ cmd = { vim.env.STRATA, "lsp" }, name = "strata" })
wait("the server", function() return vim.lsp.get_client_by_id(client) ~= nil end)
vim.lsp.buf_attach_client(0, client)
wait("initialize", function() return vim.lsp.get_client_by_id(client).initialized end)
local function mistakes() return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0)) end
local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  return answers and answers[client] and answers[client].result
end
vim.api.nvim_win_set_cursor(0, {4, 30})
local place = ask("textDocument/definition")
say("definition", place and place.range.start.line)
local hover = ask("textDocument/hover")
say("hover", hover and hover.contents.value:match("[^\n]*"))
vim.api.nvim_buf_set_text(0, 3, 29, 3, 33, {"sell"})
wait("a mistake", function() return #mistakes() > 0 end)
say("mistakes", mistakes())
vim.api.nvim_buf_set_text(0, 3, 29, 3, 33, {"cell"})
wait("its end", function() return #mistakes() == 0 end)
local edit = ask("textDocument/rename", { newName = "slot" })
vim.lsp.util.apply_workspace_edit(edit, "utf-16")
say("renamed", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
local again = ask("textDocument/hover")
say("again", again and again.contents.value:match("[^\n]*"))
vim.api.nvim_buf_set_lines(0, -1, -1, false, {"rule \"n\" slot[1]."})
vim.api.nvim_win_set_cursor(0, {6, 17})
local items = ask("textDocument/completion")
say("completion", vim.tbl_map(function(item) return item.label end, items.items))
vim.lsp.get_client_by_id(client).stop()
wait("the end of the server", function() return vim.lsp.get_client_by_id(client) == nil end)
say("done", true)
vim.cmd("qa!")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strata", required=True)
    options = parser.parse_args()
    if not shutil.which("nvim"):
        print("skipped: Neovim is not installed (Debian package neovim)")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "m.m").write_text(MODEL, encoding="utf-8")
        (folder / "script.lua").write_text(SCRIPT, encoding="utf-8")
        environment = {**os.environ, "OUT": str(folder / "out"), "MODEL": str(folder / "m.m"), "HOME": scratch,
                       "XDG_CONFIG_HOME": scratch, "XDG_DATA_HOME": scratch, "XDG_STATE_HOME": scratch,
                       "STRATA": os.path.abspath(options.strata)}
        run = subprocess.run(["nvim", "--headless", "--clean", "-c", f"luafile {folder}/script.lua"], env=environment,
                             capture_output=True, text=True, timeout=120, check=False)
        out = folder / "out"
        found = dict(map(json.loads, out.read_text(encoding="utf-8").splitlines())) if out.exists() else {}
    wanted = {"definition": 1, "hover": "cell: array [Proc] of record at: 0..3; owner: Proc; end",
              "mistakes": ["unknown name 'sell'; did you mean 'cell'?"],
              "renamed": MODEL.replace("cell", "slot").rstrip("\n"), "completion": ["at", "owner"],
              "again": "slot: array [Proc] of record at: 0..3; owner: Proc; end", "done": True}
    wrong = {name: (found.get(name), value) for name, value in wanted.items() if found.get(name) != value}
    if wrong or run.returncode != 0:
        print(f"exit code {run.returncode}, {run.stderr}\n{found.get('missing', '')}")
        for name, (one, value) in wrong.items():
            print(f"{name}\n  found    {one}\n  expected {value}")
        return 1
    print("Neovim and the server understand each other")
    return 0


if __name__ == "__main__":
    sys.exit(main())
