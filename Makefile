# `make eval` and `make test` need python3 (3.11 or later) and make; all else is set up here.
# Everything is named relative to this folder, so that its path may hold spaces.

PYTHON ?= python3
PY ?= .venv/bin/python
JOBS ?= auto

.PHONY: eval test lint env warehouse clean

eval: warehouse
	@"$(PY)" -m goldsuite eval train

test: warehouse
	@"$(PY)" -m pytest -q -n $(JOBS)

lint: env
	@"$(PY)" -m ruff check .
	@"$(PY)" -m ruff format --check .
	@"$(PY)" -m mypy

warehouse: env
	@"$(PY)" warehouse/build.py

# `make eval PY=python` uses an environment that is there already.
ifneq ($(PY),.venv/bin/python)
env:
else
# The environment is made again when the lock, the package's needs or the folder changed.
env:
	@wanted="$$(cat requirements.txt pyproject.toml; pwd; $(PYTHON) --version)"; \
	wanted="$$(printf '%s' "$$wanted" | cksum)"; \
	if [ "$$(cat .venv/made-for 2>/dev/null)" != "$$wanted" ]; then \
		$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
			|| { echo "goldsuite needs Python 3.11 or later; name one: make PYTHON=python3.12" >&2; exit 2; }; \
		echo "setting up .venv ..." >&2; \
		$(PYTHON) -m venv --clear .venv \
		&& $(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt \
		&& $(PY) -m pip install --quiet --disable-pip-version-check --no-deps --editable . \
		&& printf '%s' "$$wanted" > .venv/made-for; \
	fi
endif

clean:
	rm -rf .venv build *.egg-info warehouse/demo.duckdb warehouse/demo.duckdb.stamp
