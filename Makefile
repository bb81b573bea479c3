# `make demo` and `make test` do everything on a fresh machine; `make help` lists the rest.

# The daily build: quick to make, with the pure modules and their tests optimized, which compare tens of millions of decisions
# (Package.swift). `make release` builds what is installed.
CONFIG ?= debug
export LATCHKEY_OPTIMIZES_LAWS = 1
SWIFT_SOURCES = Package.swift Sources Tests Play/Engine Benchmarks/Package.swift Benchmarks/Sources Examples/TokenApp/Chooser \
    $(foreach app,$(EXAMPLES),$(addprefix Examples/$(app)/,Package.swift Sources Tests))
# Packages of their own that depend on this one, as their developers would have them.
EXAMPLES = TokenApp BankApp JournalApp
LATCHKEY = .build/$(CONFIG)/latchkey
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/LatchkeyCLI/Latchkey.swift)

.PHONY: help deps build demo test test-user example play soak tsan fuzz bench lint format docs pictures clean release install uninstall deb test-deb

help:
	@echo "make demo     build, and show what a new finger does to a secret, on a real vault"
	@echo "make test     build, and run the tests (FILTER=VaultTests: some; SEED=N: the sample of that day)"
	@echo "make test-user  as root: run the built tests that need an ordinary user (a part of .ci/run)"
	@echo "make example  the tests of the small apps that use Apple's names (a part of make test; MODES='5 6': both language modes)"
	@echo "make play     build the playground: one page that proves policies in a browser, .build/play/index.html"
	@echo "make soak     all cases of which make test takes a sample, and the long ones: see Scripts/soak (hours)"
	@echo "make tsan     the tests of the keychain and its parts, and all scenarios, under the thread sanitizer (a build of its own)"
	@echo "make fuzz     ten minutes of libFuzzer on scenarios, and as many on keys and certificates (SECONDS=60: one minute)"
	@echo "make bench    measure Latchkey and other programs (from PyPI and Debian); writes .build/bench.json"
	@echo "make lint     formatting, who imports whom, the reference, and that the pure modules compile as Embedded Swift"
	@echo "make format   format the sources"
	@echo "make docs     write the generated tables and examples of docs, the schema of scenarios and the picture of the README anew"
	@echo "make pictures  draw the pictures of the pages in docs anew, in headless Chromium"
	@echo "make deps     install the Debian packages that are missing"
	@echo "make release  build the programs as they are installed: they run without the Swift toolchain"
	@echo "make install  install it, with links, units, manual pages, completions (PREFIX=/usr/local, DESTDIR=; docs/install.md)"
	@echo "make uninstall  remove what was installed, and nothing else (use the PREFIX that you installed with)"
	@echo "make deb      build a Debian package of what make install installs; writes it to .build/deb"
	@echo "make test-deb  as root: install that package into a new Debian, use it, upgrade it and remove it (needs a network)"
	@echo "make clean    remove what was built"

deps:
	@command -v swift >/dev/null || { \
	    echo "The Swift toolchain (6.2 or newer) is missing: see https://www.swift.org/install/linux/" >&2; exit 1; }
	@Scripts/install-packages

build: deps
	for program in latchkey latchkey-tools latchkey-agent; do \
	    swift build -c $(CONFIG) --product $$program || exit 1; \
	done

demo: build
	@$(LATCHKEY) demo

# It starts with the build of `make demo`.
test: deps
	@Scripts/install-packages test
	$(if $(FILTER),,@$(MAKE) --no-print-directory example)
	@$(MAKE) --no-print-directory play
	swift build -c $(CONFIG) --build-tests
	$(if $(SEED),LATCHKEY_SEED=$(SEED) )Scripts/run-tests $(CONFIG) '$(FILTER)'

# The tests that root skips as it may do everything, and those of little memory and low limits, as nobody.
test-user:
	Scripts/test-user $(CONFIG) $(FILTER)

# The examples, in language mode 6; `make soak` runs them in both.
MODES = 6
example: deps
	for app in $(EXAMPLES); do for swift in $(MODES); do \
	    EXAMPLE_SWIFT=$$swift swift test --package-path Examples/$$app --scratch-path .build/examples || exit 1; \
	done; done

# One page, with the engine in it. It compiles only what has changed.
play: deps
	@Scripts/install-packages play
	Play/build $(VERSION)

# FILTER=ModelIsKeychainTests runs a World and a keychain side by side (much longer).
soak: deps release play
	$(if $(FILTER),,@$(MAKE) --no-print-directory example MODES='5 6')
	Scripts/soak $(INSTALLABLE) '$(FILTER)'

tsan: deps
	@Scripts/install-packages test
	Scripts/tsan '$(FILTER)'

SECONDS = 600
fuzz: deps
	@Scripts/install-packages test
	Scripts/fuzz $(SECONDS) scenarios
	Scripts/fuzz $(SECONDS) keys

bench: deps
	@Scripts/install-packages bench
	Benchmarks/run

# The reference needs every module that people import, which is the build of `make test` without its tests.
lint: deps
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	swift build -c $(CONFIG)
	Scripts/check-tests
	Scripts/check-imports
	Scripts/check-embedded
	Scripts/check-voice
	Scripts/check-examples
	Scripts/check-reference $(CONFIG)
	Scripts/draw-terminal $(LATCHKEY) --check

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

docs: build
	Scripts/write-docs $(LATCHKEY)

# The pictures of the pages, in headless Chromium.
pictures: build play
	@Scripts/install-packages test
	Scripts/draw-pages $(LATCHKEY)

INSTALLABLE = .build/install/latchkey
INSTALLABLE_SOURCES := Package.swift $(shell find Sources -type f) Scripts/build-release
release: $(INSTALLABLE)

$(INSTALLABLE): $(INSTALLABLE_SOURCES)
	@$(MAKE) --no-print-directory deps
	Scripts/build-release $@

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
DATADIR = $(PREFIX)/share
# PAM looks nowhere else.
SYSCONFDIR = /etc
UNITDIR = $(LIBDIR)/systemd/user
# Where libpam looks, if it is Debian's. Other modules need their path in a service.
SECURITYDIR = $(LIBDIR)/$(if $(filter /usr,$(PREFIX)),$(shell gcc -print-multiarch)/)security
DESKTOPDIR = $(DATADIR)/latchkey/desktop
MANDIR = $(DATADIR)/man
DOCDIR = $(DATADIR)/doc/latchkey
BASHDIR = $(DATADIR)/bash-completion/completions
# Debian's packages have a folder of their own.
ZSHDIR = $(DATADIR)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)
FISHDIR = $(DATADIR)/fish/vendor_completions.d
DESTDIR =
# Another program can be installed in place of the one that would be built.
BINARY = $(INSTALLABLE)
INSTALL_FILES = PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' BINDIR='$(BINDIR)' UNITDIR='$(UNITDIR)' MANDIR='$(MANDIR)' \
    DOCDIR='$(DOCDIR)' BASHDIR='$(BASHDIR)' ZSHDIR='$(ZSHDIR)' FISHDIR='$(FISHDIR)' SYSCONFDIR='$(SYSCONFDIR)' \
    SECURITYDIR='$(SECURITYDIR)' DESKTOPDIR='$(DESKTOPDIR)' BINARY='$(BINARY)' Scripts/install-files

install: $(filter $(INSTALLABLE),$(BINARY))
	@$(INSTALL_FILES) install

uninstall:
	@$(INSTALL_FILES) uninstall

# The package holds what `make install PREFIX=/usr` installs.
PACKAGES = .build/deb
deb: $(filter $(INSTALLABLE),$(BINARY))
	@Scripts/install-packages deb
	@Scripts/build-deb '$(BINARY)' $(PACKAGES)

# A mirror of Debian, from which the new system comes.
MIRROR = http://deb.debian.org/debian
test-deb: deb
	@Scripts/install-packages test-deb
	Scripts/test-deb $(PACKAGES) $(MIRROR)

clean:
	rm -rf .build Benchmarks/.build
