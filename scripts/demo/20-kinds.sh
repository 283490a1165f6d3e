# shellcheck shell=bash disable=SC2154
. scripts/versions.sh
scripts/npm.sh
if [ "$(uname)" = Linux ] && ! command -v bwrap > /dev/null; then # a module runs in its jail
  PATH=$PATH:$PWD/.cache/bin
  command -v bwrap > /dev/null ||
    { scripts/debian.sh .cache/debian/bubblewrap "$oldest_suite" bubblewrap && scripts/debian.sh --wrap .cache/debian/bubblewrap bwrap .cache/bin/bwrap; }
fi

print_heading "Each kind of tool, with the example from its page in docs/tools"
expect 0 go run ./internal/toolpages/run bin/abl-lsp
