internal import Glibc
internal import PolicyScenarios

/// `latchkey test --watch`
enum Watching {
    /// How often the files are looked at, in microseconds.
    private static let pause: UInt32 = 200_000

    /// Plays everything again whenever a file changes, comes or goes, until somebody ends the command.
    static func forever(_ run: TestRun) -> Never {
        var sources: Set<String> = []
        while true {
            let begun = stamps(run.order.paths, sources)
            sources = run.run().sources
            Output.write("waiting for a change; Ctrl-C ends it\n", isError: true)
            // What changed while it was played counts as well.
            let known = stamps(run.order.paths, sources)
            let isStale = begun.contains { known[$0.key] != $0.value }
            while !isStale && stamps(run.order.paths, sources) == known { usleep(pause) }
            Output.write("\n", isError: true)
        }
    }

    /// What tells one state of the files from another.
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
