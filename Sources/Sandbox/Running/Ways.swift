internal import CSandbox
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// A way to something of the owner's that a command could try.
struct Way: Sendable {
    /// The kind of the attempt.
    let kind: latchkey_attempt_kind
    /// The path or the name.
    var bytes: [UInt8] = []
    /// The port, process or key.
    var number: Int32 = 0

    static func socket(_ path: String) -> Way { Way(kind: latchkey_connect_unix, bytes: PathText.bytes(path)) }
    static func file(_ path: String) -> Way { Way(kind: latchkey_see_file, bytes: PathText.bytes(path)) }

    /// Tries ways inside namespaces, and returns for each if it led to its end; nil if it could not be tried.
    static func tryAll(_ ways: [Way], in spaces: [Int32]) -> [Bool?] {
        // One block of memory that outlives the call, because the other process reads it.
        let bytes = ways.flatMap(\.bytes) + [0]
        var results = [UInt8](repeating: 2, count: ways.count)
        let code = bytes.withUnsafeBytes { bytes in
            var place = 0
            let attempts = ways.map { way in
                defer { place += way.bytes.count }
                let start = bytes.baseAddress.map { ($0 + place).assumingMemoryBound(to: CChar.self) }
                return latchkey_attempt(kind: way.kind, bytes: start, count: way.bytes.count, number: way.number)
            }
            return latchkey_try_inside(spaces, spaces.count, attempts, ways.count, &results)
        }
        return results.map { code != 0 || $0 > 1 ? nil : $0 == 1 }
    }
}
