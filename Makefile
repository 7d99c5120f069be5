# One line a verb; the work is done by tools/. `make` alone prints the verbs.
.DEFAULT_GOAL := help
.PHONY: help setup tools proto fmt lint test check oracle demo bench compiled load golden faults faults-long
PY := .venv/bin/python
BUILD := plain
ifeq ($(filter plain compiled,$(BUILD)),)
$(error BUILD is '$(BUILD)'; it must be plain or compiled)
endif
# Python by which tests and benchmarks run; the compiled build is made anew where sources changed.
RUN := $(PY) $(if $(filter compiled,$(BUILD)),-m tools.compiled)

help: ## print the verbs
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 13

setup: ## install everything for development into .venv
	@tools/setup dev

tools: setup ## fetch what some tests need: Helm 3 and 4, Node.js, the clients' packages
	@$(PY) -m tools.fetch

proto: setup ## generate the Python stubs from proto/ into clients/python
	@$(PY) -m tools.stubs

fmt: setup ## format the Python and proto sources; P="path ..." for some
	@$(PY) -m tools.fmt $(P)

lint: setup ## check style, types, imports, contract, sizes and words; P="path ..." for some
	@$(PY) -m tools.lint $(P)

test: setup ## run the tests; K=rules selects by name, BUILD=compiled runs the compiled build
	@$(RUN) -m pytest -n 4 --dist loadfile --no-loadscope-reorder $(if $(K),-k "$(K)")

check: lint test ## lint and test: what CI runs

oracle: setup ## compare the engine with the independent oracle at length; O="--sets 100" for less
	@$(PY) -m tests.oracle.long $(O)

demo: ## play a contest of four bots
	@tools/setup server
	@.venv/bin/lastcard arena demo/contest.toml

bench: ## measure the engine and the server against their yardsticks; BUILD=compiled likewise
	@tools/setup dev bench
	@$(RUN) -m loadtest.bench

compiled: setup ## compile the hot path into a wheel in var/compiled, for BUILD=compiled
	@$(PY) -m tools.compiled

load: setup ## run the bounded load test on loopback
	@$(PY) -m loadtest.load

golden: setup ## write the golden journals anew and show what changed
	@$(PY) -m tools.golden

faults: setup ## do faults to real servers, some ten minutes; F="--only kills" for some
	@$(PY) -m tests.faults $(F)

faults-long: setup ## do them ten times as often
	@$(PY) -m tests.faults --long $(F)
