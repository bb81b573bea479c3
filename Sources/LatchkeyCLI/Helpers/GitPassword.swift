internal import SecretTools
internal import SodiumKit

/// A password of git with its attributes. One secret holds all of it: the password, and below it a line `key=value` for each
/// attribute.
struct GitPassword: ~Copyable {
    /// The names that git has for the attributes.
    static let refreshToken = "oauth_refresh_token"
    static let expiry = "password_expiry_utc"

    let password: SecureBytes
    /// The token that gets the next password. It is just as secret.
    let refreshToken: SecureBytes?
    /// The time at which the password expires, in seconds since 1970; nil if it does not.
    let expiry: UInt64?

    init(password: consuming SecureBytes, refreshToken: consuming SecureBytes?, expiry: UInt64?) {
        self.password = password
        self.refreshToken = refreshToken
        self.expiry = expiry
    }

    /// Reads a saved secret; nil if it has a zero byte or a line that is no attribute, because git cannot take those.
    init?(kept: borrowing SecureBytes) throws(SodiumError) {
        let lines = kept.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                var lines: [Range<Int>] = []
                var start = 0
                for place in bytes.indices where bytes[place] == UInt8(ascii: "\n") {
                    lines.append(start..<place)
                    start = place + 1
                }
                return bytes.contains(0) ? [] : lines + [start..<bytes.count]
            }
        }
        guard let first = lines.first else { return nil }
        var token: SecureBytes?
        var expiry: UInt64?
        for line in lines.dropFirst() {
            if let value = Self.value(of: Self.refreshToken, line, in: kept), token == nil {
                token = try Self.part(value, of: kept)
            } else if let value = Self.value(of: Self.expiry, line, in: kept), expiry == nil,
                let number = UInt64(try Self.part(value, of: kept).string() ?? "")
            {
                expiry = number
            } else {
                return nil
            }
        }
        self.init(password: try Self.part(first, of: kept), refreshToken: token, expiry: expiry)
    }

    private static func value(of key: String, _ line: Range<Int>, in kept: borrowing SecureBytes) -> Range<Int>? {
        let start = Array("\(key)=".utf8)
        let isIt = kept.withBytes { bytes in
            bytes.extracting(line).withUnsafeBytes {
                $0.count >= start.count && $0.prefix(start.count).elementsEqual(start)
            }
        }
        return isIt ? line.dropFirst(start.count) : nil
    }

    private static func part(_ range: Range<Int>, of kept: borrowing SecureBytes) throws(SodiumError) -> SecureBytes {
        try kept.withBytes { (bytes) throws(SodiumError) in try SecureBytes(copying: bytes.extracting(range)) }
    }

    /// Returns true if the password has expired at `now`, in seconds since 1970.
    func isExpired(at now: UInt64) -> Bool { expiry.map { $0 < now } ?? false }

    /// Returns the form in which the password is saved.
    func kept() throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: 1024)
        try text.append(password)
        if let expiry { try text.append(text: "\n\(Self.expiry)=\(expiry)") }
        switch refreshToken {
        case .some(let token):
            try text.append(text: "\n\(Self.refreshToken)=")
            try text.append(token)
        case .none: break
        }
        return try text.bytes()
    }

    /// Returns the lines for git at `now`, without the user name. They leave out an expired password, but not its refresh token.
    func answer(at now: UInt64) throws(SodiumError) -> SecureBytes {
        var text = try SecureBuffer(capacity: 1024)
        if !isExpired(at: now) {
            try text.append(text: "password=")
            try text.append(password)
            try text.append(text: "\n")
            if let expiry { try text.append(text: "\(Self.expiry)=\(expiry)\n") }
        }
        switch refreshToken {
        case .some(let token):
            try text.append(text: "\(Self.refreshToken)=")
            try text.append(token)
            try text.append(text: "\n")
        case .none: break
        }
        return try text.bytes()
    }
}

extension SecureBuffer {
    fileprivate mutating func append(_ secret: borrowing SecureBytes) throws(SodiumError) {
        try secret.withBytes { (bytes) throws(SodiumError) in try append(bytes) }
    }
}
