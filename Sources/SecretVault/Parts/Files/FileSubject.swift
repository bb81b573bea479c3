internal import SodiumKit

/// The file that an access is about, and the program that makes the access.
package struct FileSubject: Sendable {
    /// The random bytes that identify the file, whatever its class is.
    package let id: [UInt8]
    /// The path by which the program names the file. Only the watcher of a simulated device gets it: the audit log holds
    /// no path.
    package let path: String
    package let caller: Caller

    package init(id: [UInt8], path: String, caller: Caller) {
        self.id = id
        self.path = path
        self.caller = caller
    }

    /// Returns the keyed hash that stands for the file in the audit log. It is never that of an item: an attacker who
    /// writes the identifier of an item into a file cannot make the log name that item.
    func tag(_ indexKey: borrowing Key) -> Tag {
        let bytes = Array("file".utf8) + id
        return Tag(of: bytes.span.bytes, under: indexKey)
    }
}
