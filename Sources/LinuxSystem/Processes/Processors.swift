internal import Glibc

/// The processors of the machine.
package enum Processors {
    /// How many there are to use.
    package static let count = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
