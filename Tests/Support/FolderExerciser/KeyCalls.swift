import Glibc
import LinuxSystem

/// The calls for keys, as another user makes them.
enum KeyCalls {
    /// Adds the key that is 64 times this byte.
    static func add(_ byte: String, to path: String) throws {
        let key = [UInt8](repeating: UInt8(byte) ?? 0, count: FolderKeys.keyCount)
        Said.line("\(try FolderKeys.add(key.span.bytes, to: path))")
    }

    static func remove(_ identifier: String, from path: String) throws {
        guard let identifier = FolderKeyIdentifier(identifier) else { exit(64) }
        Said.line("\(try FolderKeys.remove(identifier, from: path))")
    }

    static func protect(_ path: String, by identifier: String) throws {
        guard let identifier = FolderKeyIdentifier(identifier) else { exit(64) }
        try FolderKeys.protect(empty: path, by: identifier)
        Said.line("protected")
    }
}

/// The lines for the test.
enum Said {
    /// Writes a line at once.
    static func line(_ text: String) {
        let line = text + "\n"
        _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
