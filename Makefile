# Two commands matter: `make run` plays, `make test` proves. The rest are parts of them.
# The first Python that really runs and fits (a version manager may leave names that start nothing).
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p && break; done)
VENV   ?= .venv
BIN    := $(VENV)/bin
ARGS   ?=
# On a Pi the camera and pin libraries come from apt, so the environment must see the system's packages.
SITE   := $(if $(wildcard /usr/lib/python3/dist-packages/picamera2),--system-site-packages,)

.PHONY: run test bench check fix train guide print test-print clean browser tables words cues pictures broker \
	install update uninstall hotspot test-install test-vcam test-device debootstrap

SUDO   := $(if $(filter 0,$(shell id -u)),,sudo)

run: $(VENV)/.installed
	$(BIN)/stickman run $(ARGS)

test: $(VENV)/.installed-dev browser broker
	$(BIN)/python -m pytest -n 2 --dist loadgroup $(ARGS)

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.bench $(ARGS)

# On the box: as a service that starts with it. Run again it updates or repairs. ARGS=back: to the version before.
install:
	$(SUDO) /usr/bin/python3 -B -m firmware.install $(ARGS)

update:
	git pull --ff-only
	$(MAKE) install

# Games, dice sets and settings stay.
uninstall:
	$(SUDO) /usr/bin/python3 -B -m firmware.install remove

# A Wi-Fi of the tray's own where it finds none; again off: make hotspot ARGS=no-hotspot
hotspot:
	$(SUDO) /usr/bin/python3 -B -m firmware.install $(or $(ARGS),hotspot)

# On bare Debian, in root file systems of their own that are kept between runs: installed, booted, broken, updated, removed;
# then on 64-bit ARM. Needs root; some ten minutes, and hours for ARM. ARGS="--on-arm 'lamps mqtt'": these tests there.
test-install: $(VENV)/.installed-dev debootstrap
	STICKMAN_DEBIAN=1 $(BIN)/python -m pytest -s -p no:cacheprovider tests/test_in_debian.py tests/test_on_arm.py $(ARGS)

# The real picamera2 on libcamera's virtual camera.
test-vcam: $(VENV)/.installed-dev debootstrap
	STICKMAN_DEBIAN=1 $(BIN)/python -m pytest -s -p no:cacheprovider tests/test_picamera2_in_debian.py $(ARGS)

# On a Pi: what every driver promises, tried on the camera, the pins and the buttons that are wired to it.
test-device: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m device $(ARGS)

debootstrap:
	@command -v debootstrap >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap; } \
	  || echo "These tests need the command 'debootstrap': apt-get install debootstrap"

# The chances of two players under every preset that has no table yet: a quarter of an hour.
tables: $(VENV)/.installed
	$(BIN)/python -m firmware.solving rules/best_play/tables --presets

# Brings the catalogues of all languages up to date with the messages; see speech/README.md.
words: $(VENV)/.installed-dev
	$(BIN)/python -m tests.words

check: $(VENV)/.installed-dev
	$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports

# Pictures of every page in every state, both themes, four sizes, to look at. ARGS="--speaking de": in German.
pictures: $(VENV)/.installed-dev browser
	$(BIN)/python -m pytest tests/test_every_page.py -k pictures --pictures pictures $(ARGS)

# The table of lamp and sound cues in firmware/README.md.
cues: $(VENV)/.installed
	$(BIN)/python -m firmware.cue_table

fix: $(VENV)/.installed-dev
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

# FOLDERS: rendered sessions to learn from; see training/README.md.
train: $(VENV)/.installed-train
	$(BIN)/python -m training.train $(FOLDERS) $(ARGS)

# Tables and drawings of the building guide, labels and markers, from the data in hardware/.
guide: $(VENV)/.installed
	$(BIN)/python -m hardware.renew && $(BIN)/python -m calibration.sheet hardware/print

# STL and STEP of every printed part, and their drawings. STL and drawings are kept in the repository, STEP is not.
print: $(VENV)/.installed-cad
	$(BIN)/python -m hardware.cad

test-print: $(VENV)/.installed-dev $(VENV)/.installed-cad
	$(BIN)/python -m pytest tests/test_printed_anew.py $(ARGS)

browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } \
	  || echo "The browser tests need the command 'chromium': apt-get install chromium"

# A real MQTT broker for the tests; Debian puts it into /usr/sbin.
broker:
	@PATH="$$PATH:/usr/sbin"; command -v mosquitto >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mosquitto; } \
	  || echo "The MQTT tests need the command 'mosquitto': apt-get install mosquitto"

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build *.egg-info

$(VENV)/bin/python:
	@[ -n "$(PYTHON)" ] || { echo "Stickman needs Python 3.11, 3.12 or 3.13: apt-get install python3 python3-venv"; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "Stickman needs Python 3.11, 3.12 or 3.13; name one with: make PYTHON=python3.13"; exit 2; }
	"$(PYTHON)" -m venv $(SITE) $(VENV) || { echo "Making $(VENV) failed; on Debian: apt-get install python3-venv"; exit 2; }

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

# The CAD library draws nothing, and yet asks for the system's libGL.
$(VENV)/.installed-cad: pyproject.toml | $(VENV)/bin/python
	@ldconfig -p 2>/dev/null | grep -q 'libGL\.so\.1' || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libgl1; } \
	  || echo "The CAD library needs libGL: apt-get install libgl1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cad]'
	@touch $@

$(VENV)/.installed-train: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@touch $@
