#!/usr/bin/env bash
# Lists what the last commits touched that added a diagnostic, an LSP method and a kind of
# tool, the latest first: `scripts/touched.sh 2` shows two of each sort. A plus marks a file
# that CONTRIBUTING.md does not name for that sort; a test beside a file that it names has none.
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-1}

# added FILE...: the latest commits of those that first added one of the files or folders.
added() {
  local path
  for path in "$@"; do
    git log --diff-filter=A --format='%ct %h' -- "$path" | tail -n 1
  done | sort -rnu | head -n "$count" | cut -d ' ' -f 2
}

# list SORT NAMED COMMIT...: what each commit touched.
list() {
  local sort=$1 named=$2 commit file
  shift 2
  for commit in "$@"; do
    git log -1 --format="$sort: %h %s" "$commit"
    while read -r file; do
      if [[ $file =~ $named ]]; then echo "    $file"; else echo "  + $file"; fi
    done < <(git show --format= --name-only "$commit")
  done
}

# Feature and handler share a name.
handlers=()
for file in lsp/*.go; do
  [ ! -f "analysis/${file#lsp/}" ] || handlers+=("$file")
done
kinds=()
for suite in executor/*/conformance_test.go; do
  kinds+=("$(dirname "$suite")")
done

mapfile -t checks < <(added docs/diagnostics/*.md)
mapfile -t methods < <(added "${handlers[@]}")
mapfile -t runners < <(added "${kinds[@]}")

list diagnostic '^(analysis/check/[a-z-]+(_test)?\.go|testdata/(marker/check|corpus)/|docs/(diagnostics/|README\.md))' "${checks[@]}"
list method '^((analysis|lsp)/[a-z_]+\.go|testdata/marker/|docs/features\.md)' "${methods[@]}"
list kind '^(tool/[a-z]+(_test)?\.go|executor/[a-z]+/|cmd/abl-lsp/(wire\.go|testdata/script/run-)|docs/tools/|testdata/demo/|scripts/demo/)' "${runners[@]}"
