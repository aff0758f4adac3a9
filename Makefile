# `make eval` and `make test` need python3 (3.11 or later) and make; all else is set up here.
# Everything is named relative to this folder, so that its path may hold spaces.

PYTHON ?= python3
ENV := .venv/bin/python
JOBS ?= auto

.PHONY: eval test lint env warehouse clean

eval: warehouse
	@$(ENV) -m goldsuite eval train

test: warehouse
	@$(ENV) -m pytest -q -n $(JOBS)

lint: env
	@$(ENV) -m ruff check .
	@$(ENV) -m ruff format --check .
	@$(ENV) -m mypy

warehouse: env
	@$(ENV) warehouse/build.py

# The environment is made again when the lock, the package's needs or the folder changed.
env:
	@wanted="$$(cat requirements.txt pyproject.toml; pwd; $(PYTHON) --version)"; \
	wanted="$$(printf '%s' "$$wanted" | cksum)"; \
	if [ "$$(cat .venv/made-for 2>/dev/null)" != "$$wanted" ]; then \
		$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
			|| { echo "goldsuite needs Python 3.11 or later; name one: make PYTHON=python3.12" >&2; exit 2; }; \
		echo "setting up .venv ..." >&2; \
		$(PYTHON) -m venv --clear .venv \
		&& $(ENV) -m pip install --quiet --disable-pip-version-check -r requirements.txt \
		&& $(ENV) -m pip install --quiet --disable-pip-version-check --no-deps --editable . \
		&& printf '%s' "$$wanted" > .venv/made-for; \
	fi

clean:
	rm -rf .venv build *.egg-info warehouse/demo.duckdb warehouse/demo.duckdb.stamp
