internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import Synchronization

/// The temporary folders of a command.
enum Leftovers {
    private static let signals = Mutex<StopSignals?>(nil)

    /// Makes sure that the folders are removed however the command ends, except by SIGKILL.
    static func neverRemain() {
        atexit {
            // A signal removes the folders, which makes the run fail. Wait here, so that the signal ends the process and not
            // that failure.
            if Leftovers.signals.withLock({ $0?.caught }) != nil { while true { pause() } }
            TemporaryPlace.removeAll()
        }
        // `held` is nil if no descriptors are left. Then no folder can be used either.
        let held = StopSignals.held { signal in
            TemporaryPlace.removeAll()
            Signals.end(by: signal)
        }
        signals.withLock { $0 = held }
    }
}
