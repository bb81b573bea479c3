internal import Glibc

/// Functions of the C library that its Swift module leaves out, since they are GNU's own. They are looked up by name.
enum GNU {
    private typealias Pipe = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    private static func function<Function>(_ name: String, as: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: Function.self) }
    }

    private static let pipe2 = function("pipe2", as: Pipe.self)
    private static let closeFrom = function("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self)

    /// A pipe that no child inherits, not even one that is started on another thread this moment; its numbers are none of
    /// the first three, so that they can be put in place of those. Nil where the process has no descriptors left.
    static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard let pipe2, pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        for index in ends.indices where ends[index] < 3 {
            let low = ends[index]
            ends[index] = fcntl(low, F_DUPFD_CLOEXEC, 3)
            close(low)
        }
        guard ends.allSatisfy({ $0 >= 0 }) else {
            for end in ends where end >= 0 { close(end) }
            return nil
        }
        return (ends[0], ends[1])
    }

    /// Has the child close every descriptor from the third on; false where that cannot be had.
    static func closeOthers(in actions: UnsafeMutablePointer<posix_spawn_file_actions_t>) -> Bool {
        guard let closeFrom else { return false }
        return closeFrom(actions, 3) == 0
    }
}
