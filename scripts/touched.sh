#!/usr/bin/env bash
# Lists the files that were changed by the last commits that added a diagnostic, an LSP
# method or a kind of tool, the latest first: `scripts/touched.sh 2` shows two commits of each
# sort. A plus marks a file that CONTRIBUTING.md does not name for that sort; the test of a
# named file has no plus.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-1}

# print_adding_commits FILE...: prints the latest of the commits that first added one of the
# files or folders.
print_adding_commits() {
  local path
  for path in "$@"; do
    git log --diff-filter=A --format='%ct %h' -- "$path" | tail -n 1
  done | sort -rnu | head -n "$count" | cut -d ' ' -f 2
}

# list_files SORT NAMED COMMIT...: lists the files that each commit changed.
list_files() {
  local sort=$1 named=$2 commit file
  shift 2
  for commit in "$@"; do
    git log -1 --format="$sort: %h %s" "$commit"
    while read -r file; do
      if [[ $file =~ $named ]]; then echo "    $file"; else echo "  + $file"; fi
    done < <(git show --format= --name-only "$commit")
  done
}

# A feature and its handler have the same name.
handlers=()
for file in lsp/*.go; do
  [ ! -f "analysis/${file#lsp/}" ] || handlers+=("$file")
done
kinds=()
for suite in executor/*/conformance_test.go; do
  kinds+=("$(dirname "$suite")")
done

mapfile -t checks < <(print_adding_commits docs/diagnostics/*.md)
mapfile -t methods < <(print_adding_commits "${handlers[@]}")
mapfile -t runners < <(print_adding_commits "${kinds[@]}")

list_files diagnostic '^(analysis/check/[a-z-]+(_test)?\.go|testdata/(marker/check|corpus)/|docs/(diagnostics/|README\.md))' "${checks[@]}"
list_files method '^((analysis|lsp)/[a-z_]+\.go|testdata/marker/|docs/features\.md)' "${methods[@]}"
list_files kind '^(tool/[a-z]+(_test)?\.go|executor/[a-z]+/|cmd/abl-lsp/(wire\.go|testdata/script/run-)|docs/tools/)' "${runners[@]}"
