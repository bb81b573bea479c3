internal import LinuxSystem

/// Descriptors that no child inherits, whenever another test starts one.
public enum ClosedOnExec: Sendable {
    /// A pipe. A child that inherited its writing end would keep a reader waiting for the end.
    public static func pipe() throws -> (reading: Int32, writing: Int32) {
        let pipe = try Pipe()
        return (pipe.reading, pipe.writing)
    }
}
