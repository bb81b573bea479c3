internal import HTTPWire

/// A user at a host of SSH, which logins are lent for.
package struct SSHAccount: Hashable, Sendable {
    /// The name of the user at the host.
    package let user: String
    /// The host and its port.
    private let origin: WireOrigin

    /// The port that a client takes if it gets none.
    package static let usualPort: UInt16 = 22
    private static let scheme = "ssh://"
    private static let longestUser = 64

    /// Reads a text such as `git@github.com` or `git@github.com:2222`; nil for a text that is none.
    package init?(_ text: String) {
        guard let at = text.lastIndex(of: "@") else { return nil }
        let (user, rest) = (String(text[..<at]), text[text.index(after: at)...])
        // A name with other letters could be an option of a program, or another word of a settings file.
        guard (1...Self.longestUser).contains(user.utf8.count), user.utf8.first != UInt8(ascii: "-"),
            user.utf8.allSatisfy(Self.isPlain), let origin = Self.origin(rest)
        else { return nil }
        (self.user, self.origin) = (user, origin)
    }

    /// Reads the text that names it as a purpose: `ssh://git@github.com`; nil for a text that is none.
    package init?(address text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        self.init(String(text.dropFirst(Self.scheme.utf8.count)))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func origin(_ text: Substring) -> WireOrigin? {
        var (host, port) = (text, usualPort)
        if let colon = text.lastIndex(of: ":"), text.last != "]" {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = UInt16(digits),
                number > 0
            else { return nil }
            (host, port) = (text[..<colon], number)
        }
        // A client would take such a host for an option.
        guard host.utf8.first != UInt8(ascii: "-") else { return nil }
        return WireOrigin(.https, host: String(host), port: port)
    }

    /// The host in small letters, without the brackets of IPv6.
    package var host: String {
        String(decoding: origin.host.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }, as: UTF8.self)
    }

    package var port: UInt16 { origin.port }

    /// The host as files of known hosts have it: a name, or [name]:port for a port of its own.
    package var knownName: String { port == Self.usualPort ? host : "[\(host)]:\(port)" }

    /// True if the host is named by an address, or by a name that no public host has. Others have to be at a public address.
    package var isPrivate: Bool { origin.isPrivate }

    /// The text by which programs in a sandbox name it, where the port is known: `ssh://git@github.com`.
    package var clientAddress: String { Self.scheme + "\(user)@\(String(decoding: origin.host, as: UTF8.self))" }

    /// The text that names it as a purpose, in one way for each: `ssh://git@github.com`.
    package var address: String { clientAddress + (port == Self.usualPort ? "" : ":\(port)") }
}
