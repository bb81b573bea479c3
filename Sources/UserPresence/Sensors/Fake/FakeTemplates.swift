internal import SodiumKit

/// The memory of a fake sensor, and its format.
struct FakeTemplates: Sendable {
    /// An enrolled finger, with a keyed hash of what it shows.
    struct Known: Sendable {
        var id: String
        var name: String
        var digest: [UInt8]
    }

    let identity: String
    private let key: [UInt8]
    var templates: [Known] = []

    private static let version: UInt8 = 1
    private static let identifierLength = 32

    /// Creates the memory of a new sensor, with an empty enrolled set.
    init() throws(SensorError) {
        do { try Sodium.start() } catch { throw .refused(error.description) }
        identity = Self.newIdentifier()
        key = Sodium.randomBytes(Key.count)
    }

    /// Returns 32 random hexadecimal digits.
    static func newIdentifier() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let letters = Sodium.randomBytes(identifierLength / 2).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Returns a hash of `shown` that reveals nothing without the key.
    func digest(of shown: String) throws(SensorError) -> [UInt8] {
        do {
            var hash = try KeyedHash(Key(copying: key.span.bytes))
            hash.add(Array(shown.utf8).span.bytes)
            return hash.bytes()
        } catch { throw .refused(error.description) }
    }

    // MARK: - Bytes
    //
    // The format: version, identity (32), key (32), count, and for each: identifier (32), length of the name, name,
    // digest (32).

    /// The content as it is stored.
    var bytes: [UInt8] {
        var bytes = [Self.version] + Array(identity.utf8) + key + [UInt8(templates.count)]
        for template in templates {
            bytes += Array(template.id.utf8) + [UInt8(template.name.utf8.count)] + Array(template.name.utf8)
            bytes += template.digest
        }
        return bytes
    }

    /// Reads stored content. Throws if it has another format.
    init(_ bytes: [UInt8]) throws(SensorError) {
        var rest = bytes[...]
        func read(_ count: Int) throws(SensorError) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw Self.damaged }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number() throws(SensorError) -> Int { Int(try read(1).first ?? 0) }
        func text(_ count: Int) throws(SensorError) -> String {
            guard let text = String(validating: try read(count), as: UTF8.self) else { throw Self.damaged }
            return text
        }
        guard try number() == Int(Self.version) else { throw Self.damaged }
        identity = try text(Self.identifierLength)
        key = Array(try read(Key.count))
        for _ in 0..<(try number()) {
            let id = try text(Self.identifierLength)
            let name = try text(try number())
            templates.append(Known(id: id, name: name, digest: Array(try read(Key.count))))
        }
        guard rest.isEmpty else { throw Self.damaged }
    }

    private static let damaged = SensorError.garbage("its memory holds something else: reset it")
}
