internal import Glibc
internal import LatchkeyCLI
internal import PolicyScenarios

/// `latchkey test --watch`
enum Watching {
    /// The time between two looks at the files, in microseconds.
    private static let pause: UInt32 = 200_000

    /// Runs everything again whenever a file changes, appears or disappears, until a signal ends the command.
    static func forever(_ run: TestRun) -> Never {
        var sources: Set<String> = []
        while true {
            let begun = stamps(run.order.paths, sources)
            sources = run.run().sources
            Output.write("Waiting for a change. Press Ctrl-C to stop.\n", isError: true)
            // A change during the run counts as well.
            let known = stamps(run.order.paths, sources)
            let isStale = begun.contains { known[$0.key] != $0.value }
            while !isStale && stamps(run.order.paths, sources) == known { usleep(pause) }
            Output.write("\n", isError: true)
        }
    }

    /// Returns a stamp for each file, which differs if the file has changed.
    private static func stamps(_ paths: [String], _ sources: Set<String>) -> [String: [Int]] {
        var stamps: [String: [Int]] = [:]
        for path in sources.union((try? Discovery.files(paths)) ?? []) {
            var status = stat()
            if stat(path, &status) == 0 {
                stamps[path] = [
                    Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                ]
            }
        }
        return stamps
    }
}
