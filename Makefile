SHELL := bash
.DEFAULT_GOAL := help

FUZZTIME ?= 20s
SOAKTIME ?= 5m
# Built files contain no paths of this machine, so that clones share Go's build cache.
export GOFLAGS ?= -trimpath
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

.PHONY: help demo build vsix quick test check generate update mutate bench benchmarks fuzz soak clean

help: ## prints this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

demo: ## builds, checks testdata/demo and runs its tools of every kind
	@scripts/demo.sh

build: ## builds bin/abl-lsp, and lists the licences of everything in it
	@scripts/needs.sh
	@scripts/sandbox.sh || echo "left out: the sandbox; its tools will not run" >&2
	go build -ldflags "-s -w -X main.version=$(VERSION) $(LDFLAGS)" -o bin/abl-lsp$$(go env GOEXE) ./cmd/abl-lsp
	go run ./cmd/notices > bin/THIRD-PARTY-NOTICES.txt

vsix: ## builds dist/abl-PLATFORM-VERSION.vsix, VS Code's extension with the server inside
	@scripts/needs.sh
	@scripts/sandbox.sh || echo "left out: the sandbox; its tools will not run" >&2
	@VERSION=$(VERSION) scripts/vsix.sh

quick: ## tests the pure packages and the features' fixtures; takes seconds, because Go caches results
	@scripts/quick.sh

test: ## installs what the tests need below .cache, then runs all tests
	@scripts/test.sh

check: ## checks format, vet, lint, and that generated files are fresh
	@scripts/check.sh

generate: ## writes the parser from grammar.js, and docs and JSON schemas from schema tables
	@scripts/generate.sh

update: ## rewrites the tests' expectations; read the diff
	@scripts/update.sh

mutate: ## tries slips and completions in all places of the corpus, and writes docs/fidelity.md
	@scripts/mutate.sh

bench: build ## measures the program as editors and shells see it, with others; stores and draws the figures
	@scripts/bench.sh

benchmarks: ## runs Go's benchmarks of the parts
	@scripts/benchmarks.sh

fuzz: ## runs every fuzz test for FUZZTIME (20s)
	@scripts/fuzz.sh $(FUZZTIME)

soak: ## runs every fuzz test for SOAKTIME (5m), long random tests, loads two servers, and types the corpus letter by letter
	ABL_SOAK=1 go test -count=1 -timeout 60m -run TestReplicas ./cmd/abl-lsp
	go test -count=1 -timeout 30m ./syntax/... ./dialect/... ./analysis/... ./lsp
	@scripts/fuzz.sh $(SOAKTIME)
	@scripts/typing.sh

clean: ## removes everything that the commands above made
	rm -rf bin dist .cache editors/vscode/node_modules executor/sandbox/wasm/javascript.* executor/sandbox/wasm/python.*
