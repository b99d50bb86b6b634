# `make` or `make help` lists what there is. Nothing has to be installed before but Go, and Postgres on a machine where
# we are not root: the rest is built into bin/, which is git-ignored.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS  := -s -w -X main.version=$(VERSION)
PROGRAMS := bin/starter bin/worker bin/devstack

# The version is in a tool's name, so that another one here makes it built again.
GOLANGCI      := bin/golangci-lint-v2.12.2
WORKFLOWCHECK := bin/workflowcheck-v0.6.0

# The replay of recorded TabNews answers, beside the repository where somebody put it there.
CONTRACT ?= ../shared/contract
FUZZTIME ?= 20s

##@ To use

build: ## build bin/starter, bin/worker and bin/devstack
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./starter ./worker ./devstack

demo: build ## show the promise, from nothing: two publications, one lost answer, no duplicate
	bin/devstack demo

up: build ## start everything on the usual ports, with state kept in .state; Ctrl-C stops it
	bin/devstack up --dir .state

##@ To develop

tools: build ## install what tests and demo need and this machine lacks: the Temporal server, Postgres
	bin/devstack setup

test: tools ## run all tests, those with real processes too; GOTESTFLAGS adds flags
	go test -timeout 30m -parallel 4 $(GOTESTFLAGS) ./...

pacing: tools ## run the stories of forty creations at TabNews' real pace, and measure it: about seven minutes
	POSTONCE_PACING=measured go test -count=1 -timeout 20m -parallel 1 -v -run 'TestFortyCreations' ./e2e

histories: tools ## record the workflow histories of the stories in e2e again, for the replay tests
	mkdir -p workflows/testdata/histories
	POSTONCE_KEEP_HISTORIES=$$PWD/workflows/testdata/histories go test -count=1 ./e2e

lint: $(GOLANGCI) $(WORKFLOWCHECK) ## check style, the arrows between packages, and that workflows are deterministic
	$(GOLANGCI) run ./...
	$(WORKFLOWCHECK) -config .workflowcheck.yaml ./workflows/...

fmt: ## format the Go files
	gofmt -w $$(git ls-files --cached --others --exclude-standard '*.go')

fuzz: ## run each fuzz test for FUZZTIME (20s)
	for pkg in $$(go list ./...); do \
	  for name in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$name"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$pkg; \
	  done; \
	done

contract: build ## replay the recorded TabNews answers of CONTRACT (../shared/contract) against the emulator
	@room=$$(mktemp -d); cp -R $(CONTRACT)/. "$$room"; chmod -R u+w "$$room"; \
	(cd "$$room" && go build -o contract .); \
	bin/devstack emulator --addr 127.0.0.1:0 > "$$room/url" & emulator=$$!; \
	trap 'kill $$emulator || true; wait $$emulator || true; rm -rf "$$room"' EXIT; \
	until [ -s "$$room/url" ]; do kill -0 $$emulator; sleep 0.1; done; \
	"$$room/contract" -base "$$(cat "$$room/url")" "$$room/cases.json"

clean: ## remove what was built, but for the tools that take minutes, and the kept state
	rm -rf $(PROGRAMS) .state

##@ Other

help: ## print this
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# install builds a Go program into bin/ under another name, and leaves nothing half built.
define install
	@echo "building $(1), once: about a minute or two"
	@mkdir -p bin; room=$$(mktemp -d bin/.build-XXXXXX); trap 'rm -rf "$$room"' EXIT; \
	GOBIN="$$PWD/$$room" GOFLAGS= go install -trimpath $(2) && mv "$$room/$(1)" $@
endef

$(GOLANGCI):
	$(call install,golangci-lint,github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2)

$(WORKFLOWCHECK):
	$(call install,workflowcheck,go.temporal.io/sdk/contrib/tools/workflowcheck@v0.6.0)

.PHONY: build demo up tools test lint fmt fuzz contract pacing histories clean help
