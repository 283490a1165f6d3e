SHELL := bash
.DEFAULT_GOAL := help

FUZZTIME ?= 20s
SOAKTIME ?= 5m
# No paths of this machine in what is built, so that clones share what Go has built.
export GOFLAGS ?= -trimpath
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

.PHONY: help demo build vsix quick test check generate update mutate bench benchmarks fuzz soak clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

demo: ## builds, checks testdata/demo and runs its tools of every kind
	@scripts/demo.sh

build: ## bin/abl-lsp, and the licences of what is inside
	@scripts/needs.sh
	@scripts/sandbox.sh || echo "left out: the sandbox; its tools will not run" >&2
	go build -ldflags "-s -w -X main.version=$(VERSION) $(LDFLAGS)" -o bin/abl-lsp$$(go env GOEXE) ./cmd/abl-lsp
	go run ./cmd/notices > bin/THIRD-PARTY-NOTICES.txt

vsix: ## dist/abl-PLATFORM-VERSION.vsix, VS Code's extension with the server inside
	@scripts/needs.sh
	@scripts/sandbox.sh || echo "left out: the sandbox; its tools will not run" >&2
	@VERSION=$(VERSION) scripts/vsix.sh

quick: ## tests the pure packages and the features' fixtures; seconds, since Go keeps results
	@scripts/quick.sh

test: ## installs what the tests need below .cache, then runs all of them
	@scripts/test.sh

check: ## format, vet, lint, freshness of generated files
	@scripts/check.sh

generate: ## grammar.js to the parser, schema tables to docs and JSON schemas
	@scripts/generate.sh

update: ## rewrites the tests' expectations; read the diff
	@scripts/update.sh

mutate: ## slips of the pen at all places of the corpus, as a table in docs/fidelity.md
	@scripts/mutate.sh

bench: build ## measures the program as editors and shells see it, beside others; keeps and draws the figures
	@scripts/bench.sh

benchmarks: ## Go's benchmarks of the parts
	@scripts/benchmarks.sh

fuzz: ## every fuzz test for FUZZTIME (20s)
	@scripts/fuzz.sh $(FUZZTIME)

soak: ## every fuzz test for SOAKTIME (5m), random tests at length, the corpus typed letter by letter
	go test -count=1 -timeout 30m ./syntax/... ./dialect/... ./analysis/...
	@scripts/fuzz.sh $(SOAKTIME)
	@scripts/typing.sh

clean: ## removes what the commands above made
	rm -rf bin dist .cache editors/vscode/node_modules executor/sandbox/wasm/javascript.* executor/sandbox/wasm/python.*
