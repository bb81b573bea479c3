# `make demo` and `make test` do everything on a fresh machine; `make help` lists the rest.

CONFIG ?= release
SWIFT_SOURCES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Fixtures/TokenApp/Package.swift \
    Fixtures/TokenApp/Sources Fixtures/TokenApp/Tests
LATCHKEY = .build/$(CONFIG)/latchkey

.PHONY: help deps build demo test test-user example soak tsan fuzz bench lint format docs clean release install uninstall

help:
	@echo "make demo     build, and show what a new finger does to a secret, on a real vault"
	@echo "make test     build, and run every test (FILTER=VaultTests: some; CONFIG=debug: quick build, slow tests)"
	@echo "make test-user  what root does not meet: by root, as an ordinary user, with the tests that are built (a part of .ci/run)"
	@echo "make example  the tests of a small app that uses Apple's names, in both language modes (a part of make test)"
	@echo "make soak     ten million steps of a World and a vault side by side, and ten minutes of clients at an agent"
	@echo "make tsan     the tests of the keychain and its parts, and all scenarios, under the thread sanitizer (a build of its own)"
	@echo "make fuzz     ten minutes of libFuzzer on the reader and the runner of scenarios (SECONDS=60: one minute)"
	@echo "make bench    measure, beside the peers (from PyPI and Debian); writes .build/bench.json"
	@echo "make lint     formatting, and what the pure modules import"
	@echo "make format   format the sources"
	@echo "make docs     write the tables of docs/rules.md and docs/scenarios.md and docs/scenario.schema.json anew"
	@echo "make deps     install the Debian packages that are missing"
	@echo "make release  build the command as it is installed: it runs without the Swift toolchain"
	@echo "make install  install it, with links, units, manual pages, completions (PREFIX=/usr/local, DESTDIR=; docs/install.md)"
	@echo "make uninstall  remove what was installed, and nothing else (the PREFIX of then)"
	@echo "make clean    remove what was built"

deps:
	@command -v swift >/dev/null || { \
	    echo "The Swift toolchain (6.2 or newer) is missing: see https://www.swift.org/install/linux/" >&2; exit 1; }
	@.ci/install-packages

build: deps
	swift build -c $(CONFIG) --product latchkey
	swift build -c $(CONFIG) --product pam_latchkey_test

demo: build
	@$(LATCHKEY) demo

# Optimised, because the tests compare tens of millions of decisions.
test: deps
	@.ci/install-packages test
	$(if $(FILTER),,@$(MAKE) --no-print-directory example)
	swift build -c $(CONFIG) --build-tests
	swift test -c $(CONFIG) --skip-build $(if $(FILTER),--filter '$(FILTER)')

# The tests that root skips as it may do everything, and those of little memory and low limits, as nobody.
test-user:
	.ci/test-user $(CONFIG) $(FILTER)

# A package of its own that depends on this one, as its developer would have it.
example: deps
	TOKEN_APP_SWIFT=5 swift test --package-path Fixtures/TokenApp --scratch-path .build/token-app
	TOKEN_APP_SWIFT=6 swift test --package-path Fixtures/TokenApp --scratch-path .build/token-app

# What `make test` does with a hundred thousand steps; FILTER=ModelIsKeychainTests for a World and a keychain (much longer).
SOAK_TESTS = ModelIsVaultTests|ModelIsScenarioTests|LatchkeyAgentTests|OracleTests|RandomAttackTests|DeletionLawTests|NormalFormTests|DecisionIsDecryptionTests|TamperTests|CommandCrashTests
soak: deps release
	swift build -c $(CONFIG) --build-tests
	LATCHKEY_INSTALLABLE=$(CURDIR)/$(INSTALLABLE) LATCHKEY_SOAK_STEPS=10000000 LATCHKEY_SOAK_SECONDS=600 \
	    swift test -c $(CONFIG) --skip-build --filter '$(or $(FILTER),$(SOAK_TESTS))'

# The parts that several threads use. Swift's Mutex has to be explained to the sanitizer; its clang is the toolchain's.
# Searching all of the sanitizer's memory would not come to an end, and what one thread does at great length shows nothing.
TSAN = .build/tsan
tsan: deps
	@.ci/install-packages test
	swift build -c debug --build-tests --sanitize=thread --scratch-path $(TSAN)
	"$$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/../../bin/clang" -O1 -shared -fPIC \
	    -o $(TSAN)/mutex.so Tests/MutexForSanitizer/mutex.c
	LD_PRELOAD=$(TSAN)/mutex.so $(TSAN)/debug/LatchkeyPackageTests.xctest --testing-library swift-testing \
	    --filter '$(or $(FILTER),LatchkeyTests\.|UserPresenceTests\.|OvertakenTests|LocalAuthenticationTests\.|LatchkeyTestingTests\.|SleepWatchTests|HostileTests/anything)' \
	    --skip 'Fprintd|PAMMemory|StaysInMemory|ModelIs|RandomQuery|appsCompile|misuseEnds|properUse|whatIsThrown|callsThatCome'
	$(if $(FILTER),,LD_PRELOAD=$(TSAN)/mutex.so $(TSAN)/debug/latchkey test Fixtures/scenarios)

# libFuzzer is a part of the toolchain. The modules are built with what tells it where an input came, and linked with it; what
# it finds is left in .build/fuzz, and belongs into Fixtures/fuzz/scenarios once it is mended.
FUZZ = .build/fuzz
SECONDS = 600
FUZZED = AccessPolicy DeviceModel PolicyProver SodiumKit SecretVault PathTrust UserPresence Latchkey PolicyScenarios ScenarioFuzzer
fuzz: deps
	swift build -c release --scratch-path $(FUZZ) --target ScenarioFuzzer -Xswiftc -sanitize=fuzzer
	cd "$$(swift build -c release --scratch-path $(FUZZ) --show-bin-path)" && swiftc -sanitize=fuzzer -o scenario-fuzzer \
	    $(FUZZED:%=%.build/*.o) $$(pkg-config --libs libsodium sqlite3 yaml-0.1) -lpam
	mkdir -p $(FUZZ)/corpus $(FUZZ)/findings
	fuzzer="$$(swift build -c release --scratch-path $(FUZZ) --show-bin-path)/scenario-fuzzer" && cd $(FUZZ) && "$$fuzzer" corpus \
	    $(CURDIR)/Fixtures/fuzz/scenarios $(CURDIR)/Fixtures/scenarios -dict=$(CURDIR)/Fixtures/fuzz/scenarios.dict \
	    -artifact_prefix=findings/ -max_total_time=$(SECONDS) -max_len=4096 -timeout=5 -rss_limit_mb=512 \
	    -jobs=$$(nproc) -workers=$$(nproc) -print_final_stats=1

bench: deps
	@.ci/install-packages bench
	Benchmarks/run

lint: deps
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	swift build -c $(CONFIG)
	.ci/check-tests
	.ci/check-imports $(CONFIG)

format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

# What stands above the tables is kept; the tables are the command's.
docs: build
	sed -i '/^| rule | does |/,$$d' docs/rules.md
	$(LATCHKEY) rules --format markdown >> docs/rules.md
	sed -i '/^### Who can read an item$$/,$$d' docs/flags.md
	$(LATCHKEY) threats --all --format markdown >> docs/flags.md
	sed -i '/^### A scenario$$/,$$d' docs/scenarios.md
	$(LATCHKEY) test --keys >> docs/scenarios.md
	$(LATCHKEY) test --schema > docs/scenario.schema.json

# The command with Swift's libraries in it, and without the folder that it lies in as a place to look for others.
INSTALLABLE = .build/install/latchkey
INSTALLABLE_SOURCES := Package.swift $(shell find Sources -type f ! -path '*/Installed/*')
release: $(INSTALLABLE)

$(INSTALLABLE): $(INSTALLABLE_SOURCES)
	@$(MAKE) --no-print-directory deps
	swift build -c release --product latchkey --static-swift-stdlib --disable-local-rpath --scratch-path .build/install
	@if ldd .build/install/release/latchkey | grep -E 'libswift|libFoundation|libdispatch|libBlocksRuntime|not found'; then \
	    echo "The command needs these libraries, which only the toolchain has" >&2; exit 1; fi
	strip -o $@ .build/install/release/latchkey

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
LIBDIR = $(PREFIX)/lib
DATADIR = $(PREFIX)/share
# PAM looks nowhere else.
SYSCONFDIR = /etc
UNITDIR = $(LIBDIR)/systemd/user
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
    BINARY='$(BINARY)' .ci/install-files

install: $(filter $(INSTALLABLE),$(BINARY))
	@$(INSTALL_FILES) install

uninstall:
	@$(INSTALL_FILES) uninstall

clean:
	rm -rf .build Benchmarks/.build
