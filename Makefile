# Two commands do all the set-up: `make run` serves the pages, `make test` checks everything; `make quick` most of it.
# Both make .venv themselves, and do so again only when pyproject.toml changes.

PYTHON ?= python3
BIN := .venv/bin
DEBIAN := iverilog opensta qflow-tech-osu035 chromium-headless-shell postgresql nginx

# Two more than there are cores: many tests wait for a server, a browser or a compiler (on two cores 7:38 instead of 9:17).
WORKERS := $(shell expr $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) + 2)

# Containers often set it. The tests start hundreds of Python processes, each of which would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test quick check compiled docs bench clean debian debian-packages

run: .venv/ready
	@$(BIN)/noughts web

# Python's packages and Debian's are fetched side by side. A file of tests is one worker's, so that what they share is
# made once.
test:
	@$(MAKE) --no-print-directory -j2 .venv/ready-dev debian
	@$(MAKE) --no-print-directory -j2 check compiled
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# The unit tests that a change usually breaks. They wait for nothing, and every worker takes five seconds to start.
quick: .venv/ready-dev
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not slow"

# What several workers would each compile when they first need it: while mypy has the other core, it costs nothing.
# Collecting imports the engine, which is compiled, and all tests, whose assertions pytest rewrites.
compiled: .venv/ready-dev
	@$(BIN)/python -m pytest --collect-only -n0 >/dev/null || true
	@$(BIN)/noughts value qubic >/dev/null
	@for tool in ecp5 ice40; do $(BIN)/yowasp-nextpnr-$$tool --version >/dev/null 2>&1 || true; done

check: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready-dev
	$(PIP) --editable '.[bench]'
	$(BIN)/noughts bench

# The site: docs/ as pages that need no server and no connection.
docs: .venv/ready-dev
	@$(BIN)/sphinx-build --quiet --nitpicky --fail-on-warning --keep-going -d build/doctrees docs build/site
	@echo "open $(CURDIR)/build/site/index.html"

debian:
	@.ci/debian $(DEBIAN)

debian-packages:
	@echo $(DEBIAN)

clean:
	rm -rf .venv

# uv finds out what to install and unpacks it in 8 seconds of processor time, pip in 26. It reads none of pip's settings,
# so where packages come from elsewhere it may find none, and then pip installs them.
# --no-compile, which is what uv does: Python compiles what is imported when it is imported; most of it never is.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "noughts needs Python 3.11 or newer; $(PYTHON) is older: set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	-$(PIP) uv

.venv/ready: pyproject.toml | .venv/bin/python
	$(UV) --editable '.[web]' || $(PIP) --editable '.[web]'
	@touch $@

.venv/ready-dev: pyproject.toml | .venv/bin/python
	$(UV) --editable '.[dev]' || $(PIP) --editable '.[dev]'
	@touch .venv/ready $@
