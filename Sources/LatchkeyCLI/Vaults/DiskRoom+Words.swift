package import LinuxSystem

extension DiskRoom {
    /// The part of the reserve that is there.
    package var reserveWords: String { "\(reserve >> 10) of \(Self.reserveSize >> 10) KiB" }
}
