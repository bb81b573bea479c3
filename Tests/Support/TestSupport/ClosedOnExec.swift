internal import CLinux
internal import Glibc

/// Descriptors that no child inherits, whenever another test starts one.
public enum ClosedOnExec: Sendable {
    /// The system refused, for the reason of this number.
    public struct Refused: Error {
        let code: Int32
    }

    /// A pipe. A child that inherited its writing end would keep a reader waiting for the end.
    public static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard latchkey_pipe(&ends) == 0 else { throw Refused(code: errno) }
        return (ends[0], ends[1])
    }
}
