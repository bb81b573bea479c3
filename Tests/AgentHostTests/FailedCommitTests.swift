import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// An agent whose disk fails right after a commit, so that memory and files may not agree any more.
    @Suite(.serialized) struct FailedCommitTests {
        private static let compiler = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"].first(
            where: FileManager.default.isExecutableFile)

        /// A library between the agent and the C library. While a file exists, nothing can be written to the device
        /// file.
        private static let faults = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <errno.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>

            static char *trigger;

            __attribute__((constructor)) static void begin(void) {
                const char *path = getenv("FAULTS");
                if (path != NULL) trigger = strdup(path);
            }

            static int fails(int file) {
                char link[64], path[4096];
                if (trigger == NULL || access(trigger, F_OK) != 0) return 0;
                snprintf(link, sizeof link, "/proc/self/fd/%d", file);
                ssize_t count = readlink(link, path, sizeof path);
                return count > 7 && memcmp(path + count - 7, "/device", 7) == 0;
            }

            ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
                if (fails(file)) {
                    errno = EIO;
                    return -1;
                }
                ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
                return next(file, bytes, count, place);
            }

            ssize_t pwrite64(int file, const void *bytes, size_t count, off_t place) {
                return pwrite(file, bytes, count, place);
            }
            """

        /// Builds that library, and returns the variables that load it.
        private func variables(_ vault: VaultOfTest, trigger: String) throws -> [String: String] {
            let source = vault.folder.path("faults.c")
            let library = vault.folder.path("faults.so")
            try Data(Self.faults.utf8).write(to: URL(filePath: source))
            let process = Process()
            process.executableURL = URL(filePath: try #require(Self.compiler))
            process.arguments = ["-shared", "-fPIC", "-o", library, source, "-ldl"]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return ["LD_PRELOAD": library, "FAULTS": trigger]
        }

        @Test(.enabled(if: compiler != nil, "skipped: needs cc"))
        func anAgentThatDoesNotKnowWhatItHoldsEndsAndTheNextOneWorks() throws {
            let vault = try VaultOfTest()
            let trigger = vault.folder.path("fail")
            let variables = try variables(vault, trigger: trigger)
            let agent = try RunningAgent(vault, variables: variables)
            let add = { (name: String) in #"{"do":"add","name":"\#(name)","policy":\#(HostileClientTests.open)}"# }
            let (client, other) = (try RawClient(vault.place.socket), try RawClient(vault.place.socket))
            #expect(try client.ask(add("before"), [1]).done != nil)

            try Data().write(to: URL(filePath: trigger))
            let failed = try client.ask(add("failed"), [2])
            #expect(failed.kind == "vault", "\(failed.head.text)")
            // The agent ends by itself, and answers no client without keys.
            try eventually { !agent.isAlive }
            #expect((try? other.ask(#"{"do":"list"}"#)) == nil)

            try FileManager.default.removeItem(atPath: trigger)
            let next = try RunningAgent(vault, variables: variables)
            let again = try RawClient(vault.place.socket)
            #expect(try again.ask(#"{"do":"read","name":"before"}"#).secret == [1])
            #expect(try again.ask(add("after"), [3]).done != nil)
            #expect(try again.ask(#"{"do":"verify"}"#).done?["findings"] == .number("0"))
            #expect(next.isAlive)
        }
    }
}
