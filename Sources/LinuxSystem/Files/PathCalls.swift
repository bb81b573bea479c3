package import Glibc
internal import PlainText

// The calls of the system that take a path, for the texts of paths (`PathText`). Where a file imports this module, a call with
// a String means one of these. Glibc's own would pass on the UTF-8 of the text, which is another path if the path is not UTF-8.

extension String {
    /// Calls `body` with the path that this text stands for, as a C string that is valid only during the call.
    package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        guard PathText.hasRawBytes(self) else { return withCString(body) }
        return PathText.cString(self).withUnsafeBufferPointer { path in
            guard let start = path.baseAddress else { fatalError("an array with a zero byte has an address") }
            return body(start)
        }
    }
}

extension PathText {
    /// Returns the path that a text stands for, with a zero byte at the end.
    package static func cString(_ text: String) -> [CChar] { bytes(text).map { CChar(bitPattern: $0) } + [0] }
}

package func open(_ path: String, _ flags: Int32) -> Int32 { path.withPath { Glibc.open($0, flags) } }

/// Opens the file at `path`, and creates it with this mode if the flags say so.
package func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    path.withPath { Glibc.open($0, flags, mode) }
}

/// Reads the status of the file at `path`; of a symbolic link itself.
package func lstat(_ path: String, _ status: inout stat) -> Int32 {
    withUnsafeMutablePointer(to: &status) { status in path.withPath { Glibc.lstat($0, status) } }
}

/// Returns 0 if this process may use the file at `path` in this way.
package func access(_ path: String, _ mode: Int32) -> Int32 { path.withPath { Glibc.access($0, mode) } }

package func chmod(_ path: String, _ mode: mode_t) -> Int32 { path.withPath { Glibc.chmod($0, mode) } }

package func mkdir(_ path: String, _ mode: mode_t) -> Int32 { path.withPath { Glibc.mkdir($0, mode) } }

/// Removes the empty folder at `path`.
@discardableResult package func rmdir(_ path: String) -> Int32 { path.withPath { Glibc.rmdir($0) } }

@discardableResult package func unlink(_ path: String) -> Int32 { path.withPath { Glibc.unlink($0) } }

/// Moves the file at `path` to another path, and replaces a file there.
package func rename(_ path: String, _ other: String) -> Int32 {
    path.withPath { path in other.withPath { Glibc.rename(path, $0) } }
}

/// Opens the folder at `path` to read the names in it.
package func opendir(_ path: String) -> OpaquePointer? { path.withPath { Glibc.opendir($0) } }

/// Has an inotify descriptor report these changes of the file at `path`.
package func watch(_ path: String, for changes: Int32, by descriptor: Int32) {
    _ = path.withPath { inotify_add_watch(descriptor, $0, UInt32(changes)) }
}

/// Returns `path` without links and dots; nil if there is no such file.
package func realpath(_ path: String) -> String? {
    guard let resolved = path.withPath({ Glibc.realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return PathText.text(cString: resolved)
}

/// Creates a folder whose path is `template` with other letters instead of its last six, and returns that path; nil if
/// that fails.
package func mkdtemp(_ template: String) -> String? {
    var path = PathText.cString(template)
    return Glibc.mkdtemp(&path).map { PathText.text(cString: $0) }
}

/// Parts of paths, and the paths that the system gives this process.
package enum SystemPath: Sendable {
    /// Splits a path at its last slash; nil if it has none.
    ///
    /// It splits bytes, as the system does. In a Swift string, a slash and an accent after it are one character.
    package static func split(_ path: String) -> (above: String, name: String)? {
        guard let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return (String(Substring(path.utf8[..<cut])), String(Substring(path.utf8[cut...].dropFirst())))
    }

    /// Returns the names in a folder; none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { PathText.text(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the path in a variable of the environment; nil if the variable is not set.
    package static func variable(_ name: String) -> String? { getenv(name).map { PathText.text(cString: $0) } }

    /// Returns the path of the working folder; nil if the system does not tell it.
    package static func workingFolder() -> String? {
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return PathText.text(cString: folder)
    }
}
