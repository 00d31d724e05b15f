# The front door: `make bench` runs the main job, `make check` every test. Both install what is missing.
BUILD = cmake --build build/$(1) --parallel

.PHONY: build bench check install clean

build: build/release/build.ninja
	@cmake --build build/release --target ujoule
	@ln -sf build/release/ujoule ujoule

install:
	@tools/install.sh

build/%/build.ninja:
	@cmake --preset $* >build/$*.log 2>&1 || { cat build/$*.log; exit 1; }

clean:
	rm -rf build ujoule
