#!/usr/bin/env bash
# Names the programs that must be on the machine before anything builds.
cc=$(go env CC 2> /dev/null || echo cc) # the compiler that Go uses
for program in go:"Go (see go.mod for the version)" "${cc%% *}":"a C compiler, for the parser"; do
  command -v "${program%%:*}" > /dev/null || {
    echo "missing: ${program%%:*}, which is ${program#*:}. Please install it." >&2
    missing=1
  }
done
exit "${missing:-0}"
