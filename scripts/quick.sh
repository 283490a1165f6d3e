#!/usr/bin/env bash
# `make quick`: tests the packages that start no program and use no network, without the
# tests that take seconds, and runs the fixtures of the features in the encoding that editors
# use. Go caches the results of unchanged packages.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

export GOGC=400
pure='^github.com/abl-lsp/abl-lsp(/(syntax|tool|analysis|dialect|expression|docs|internal/marker)(/|$)|$)'
slow='^(TestFixes|TestSuppression|TestIncrementalEqualsCold|TestMutate|TestCorpusVariants|TestCorpusTyped'      # analysis/check
slow+='|TestSyntaxOfLarge|TestLongFiles|TestBounded|TestHasForm|TestUneditedReadTheSame|TestWhatCannotBeLoweredIsReported'
slow+='|TestRenameCorpus|TestMoveToolsCorpus|TestRefactorCorpus|TestFormat(Fixtures|Hostile|RangesAnywhere)|TestTyping|TestEnterEndsLines' # analysis
slow+='|TestBounds|TestDeepTextEnds|TestConstantsEnd|TestHostile|TestMalformedIsRefused|TestImportedIsSound|TestBuildsWithoutCgo)$'
packages=$(go list ./... | grep -E "$pure" | grep -v /syntax/grammar) || exit 1
status=0
# shellcheck disable=SC2086
go test -short -skip "$slow" "$@" $packages || status=1
go test -short -run '^TestMarkers$/^utf-16$' "$@" ./lsp || status=1
exit $status
