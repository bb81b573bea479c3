import Foundation
import TestSupport
import Testing

private enum LateLibraryTools {
    static let areThere: Bool = {
        #if arch(x86_64)
            ["/usr/bin/gcc", "/usr/bin/nm"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
        #else
            false
        #endif
    }()
}

/// A program that loads a library at the first call of one of its functions, as the installed command does
/// (`Scripts/late-libraries`).
@Suite(.enabled(if: LateLibraryTools.areThere, "skipped: needs gcc and binutils on x86-64"))
struct LateLibraryTests {
    private static let library = """
        #include <errno.h>
        #include <stdarg.h>
        int sample_sum(int a, int b, int c, int d, int e, int f, int g, int h) {
            return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + (errno == 33 ? 1000 : 0);
        }
        long sample_total(int count, ...) {
            va_list rest;
            long total = 0;
            va_start(rest, count);
            while (count-- > 0) total += va_arg(rest, long);
            va_end(rest);
            return total;
        }
        """

    /// Prints whether the library is in memory, before and after several threads call it at once.
    private static let program = """
        #include <errno.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <string.h>
        int sample_sum(int, int, int, int, int, int, int, int);
        long sample_total(int, ...);
        void latchkey_load_libraries(void) __attribute__((weak));
        static int is_loaded(void) {
            char line[4096];
            int found = 0;
            FILE *maps = fopen("/proc/self/maps", "r");
            while (fgets(line, sizeof line, maps)) found |= strstr(line, "libsample") != NULL;
            fclose(maps);
            return found;
        }
        static void *call(void *number) {
            errno = 33;
            long sum = sample_sum(1, 1, 1, 1, 1, 1, 1, 1) + sample_total(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, (long)number);
            return (void *)sum;
        }
        int main(int count, char **words) {
            pthread_t threads[8];
            printf("%d", is_loaded());
            if (count > 1 && strcmp(words[1], "nothing") == 0) return 0;
            if (count > 1 && strcmp(words[1], "first") == 0) {
                latchkey_load_libraries();
                printf(" %d", is_loaded());
            }
            fflush(stdout);
            for (long n = 0; n < 8; n++) pthread_create(&threads[n], NULL, call, (void *)n);
            for (long n = 0; n < 8; n++) {
                void *sum;
                pthread_join(threads[n], &sum);
                printf(" %ld", (long)sum);
            }
            printf(" %d", is_loaded());
            return 0;
        }
        """

    private let place: TemporaryFolder

    /// Builds the library and the program, which is linked with everything but the library.
    init() throws {
        place = try TemporaryFolder()
        try Data(Self.library.utf8).write(to: place.url.appending(path: "sample.c"))
        try Data(Self.program.utf8).write(to: place.url.appending(path: "program.c"))
        try tool("/usr/bin/gcc", "-shared", "-fPIC", "-Wl,-soname,libsample.so.1", "-o", "libsample.so.1", "sample.c")
        try tool("/usr/bin/gcc", "-O1", "-fPIE", "-c", "program.c")
        try tool("/usr/bin/gcc", "-pie", "-pthread", "-o", "linked", "program.o", "libsample.so.1")
        try tool(
            Repository.root.appending(path: "Scripts/late-libraries").path, place.path("linked"), place.path("late.o"),
            "sample")
        try tool("/usr/bin/gcc", "-pie", "-pthread", "-Wl,-z,relro,-z,now", "-o", "program", "program.o", "late.o")
    }

    private func tool(_ program: String, _ words: String...) throws {
        let said = try Installation.run(
            "/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", place.path(""), program] + words,
            ["LD_LIBRARY_PATH": place.path("")])
        try #require(said.status == 0, "\(program) \(words): \(said.text)")
    }

    private func run(_ words: String..., withLibrary: Bool = true) throws -> (status: Int32, text: String) {
        try Installation.run(
            place.path("program"), words, withLibrary ? ["LD_LIBRARY_PATH": place.path("")] : [:])
    }

    @Test func theFirstCallLoadsItAndEveryArgumentArrives() throws {
        // The sum of the arguments, 1000 because errno is kept, and the total of the variadic call.
        let sums = (0..<8).map { "\(36 + 1000 + 28 + $0)" }.joined(separator: " ")
        #expect(try run() == (0, "0 \(sums) 1"))
        #expect(try run("first") == (0, "0 1 \(sums) 1"))
    }

    @Test func aProgramThatCallsNothingInItDoesNotNeedIt() throws {
        #expect(try run("nothing", withLibrary: false) == (0, "0"))
    }

    @Test func aLibraryThatIsMissingIsNamed() throws {
        let said = try run(withLibrary: false)
        #expect(said.status == 127)
        #expect(said.text.contains("latchkey: libsample.so.1 cannot be loaded: "), "\(said.text)")
        #expect(said.text.contains("Install the package that has it"))
    }
}
