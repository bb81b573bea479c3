internal import Glibc
internal import LinuxSystem

/// The temporary folders of scenarios that make backups.
enum Leftovers {
    /// Removes them however the command ends, short of SIGKILL: of itself, by a signal, or because nobody reads what it says.
    static func neverRemain() {
        atexit { TemporaryPlace.removeAll() }
        // Without descriptors left no scenario makes a backup either.
        _ = StopSignals.held { signal in
            TemporaryPlace.removeAll()
            Signals.end(by: signal)
        }
    }
}
