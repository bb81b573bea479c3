internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The temporary folders of scenarios that make backups.
enum Leftovers {
    private static let signals = Mutex<StopSignals?>(nil)

    /// Removes them however the command ends, short of SIGKILL: by itself, by a signal, or because its reader is gone.
    static func neverRemain() {
        atexit {
            // A run fails when a signal takes its folders away. The process then ends by the signal, not by that failure.
            if Leftovers.signals.withLock({ $0?.caught }) != nil { while true { pause() } }
            TemporaryPlace.removeAll()
        }
        // Without descriptors left no scenario makes a backup either.
        let held = StopSignals.held { signal in
            TemporaryPlace.removeAll()
            Signals.end(by: signal)
        }
        signals.withLock { $0 = held }
    }
}
