internal import SodiumKit

/// What a fake sensor remembers, and how that is written.
struct FakeTemplates: Sendable {
    /// Somebody, with a keyed hash of what they show.
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

    /// Those of a new sensor, which knows nobody.
    init() throws(SensorError) {
        do { try Sodium.start() } catch { throw .refused(error.description) }
        identity = Self.newIdentifier()
        key = Sodium.randomBytes(Key.count)
    }

    /// Thirty-two letters that nobody has had before.
    static func newIdentifier() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let letters = Sodium.randomBytes(identifierLength / 2).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// A hash of `shown` that says nothing to whoever has no key.
    func digest(of shown: String) throws(SensorError) -> [UInt8] {
        do {
            var hash = try KeyedHash(Key(copying: key.span.bytes))
            hash.add(Array(shown.utf8).span.bytes)
            return hash.bytes()
        } catch { throw .refused(error.description) }
    }

    // MARK: - Bytes
    //
    // version, identity (32), key (32), how many, and for each: identifier (32), length of the name, name, digest (32).

    /// What it remembers, for its memory.
    var bytes: [UInt8] {
        var bytes = [Self.version] + Array(identity.utf8) + key + [UInt8(templates.count)]
        for template in templates {
            bytes += Array(template.id.utf8) + [UInt8(template.name.utf8.count)] + Array(template.name.utf8)
            bytes += template.digest
        }
        return bytes
    }

    /// Reads what was written; a failure for anything else.
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
