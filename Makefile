# The front door: `make bench` runs the main job, `make check` every test. Both install what is missing.
JOBS := $(shell nproc)

.PHONY: build program bench check test sanitize fuzz tidy source mutate speed install clean

build: build/release/build.ninja
	@cmake --build build/release
	@ln -sf build/release/ujoule ujoule

program: build/release/build.ninja
	@cmake --build build/release --target ujoule
	@ln -sf build/release/ujoule ujoule

bench: install
	@$(MAKE) --no-print-directory program
	@./ujoule bench -o build/bench.md -f md
	@./ujoule show
	@echo
	@echo "results: ujoule.db   table: build/bench.md"

# The order is that of the time to a failure.
check: install
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory source
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory tidy
	@$(MAKE) --no-print-directory sanitize
	@$(MAKE) --no-print-directory fuzz
	@echo "make check: all good"

test: build
	@ctest --test-dir build/release --output-on-failure -j $(JOBS)

source:
	@tools/check_source.sh

tidy: build
	@git ls-files 'src/*.c' | xargs -P $(JOBS) -n 4 clang-tidy -p build/release --quiet 2>build/tidy.log \
	    || { cat build/tidy.log; exit 1; }
	@echo "tidy: clean"

# The whole suite once more, under AddressSanitizer and UndefinedBehaviorSanitizer.
sanitize: build/sanitize/build.ninja
	@cmake --build build/sanitize
	@ctest --test-dir build/sanitize --output-on-failure -j $(JOBS) -LE slow

# A short run with a fixed seed; longer ones: build/fuzz/tests/fuzz/fuzz_NAME CORPUS
fuzz: build/fuzz/build.ninja
	@cmake --build build/fuzz
	@ctest --test-dir build/fuzz --output-on-failure -R fuzz_

# Changes that must not survive the tests: a constant of each implementation, a cycle of each timing row.
mutate: build
	@tools/mutate.sh

# ujoule's own speed, as ratios within one run.
speed: program
	@bench/run.sh

install:
	@tools/install.sh

build/%/build.ninja:
	@mkdir -p build
	@cmake --preset $* >build/$*.log 2>&1 || { cat build/$*.log; exit 1; }

clean:
	rm -rf build ujoule
