package import HTTPWire

extension WireOrigin {
    /// Reads a server as people write it, `https://api.example.com`, with or without a slash at the end; nil for a text that is none.
    /// Secrets go to servers by HTTPS alone.
    package init?(server text: String) {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return nil }
        var authority = text.dropFirst(scheme.utf8.count)
        if authority.last == "/" { authority.removeLast() }
        guard let colon = authority.lastIndex(of: ":"), authority.last != "]" else {
            self.init(.https, host: String(authority))
            return
        }
        let digits = authority[authority.index(after: colon)...]
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let port = UInt16(digits),
            port > 0
        else {
            return nil
        }
        self.init(.https, host: String(authority[..<colon]), port: port)
    }

    /// The server as people write it, in one way for each server.
    package var text: String {
        let scheme =
            switch scheme {
            case .http: "http://"
            case .https: "https://"
            }
        return scheme + String(decoding: authority, as: UTF8.self)
    }
}

extension WireOrigin {
    /// True if the server is named by an address, or by a name that no public server has. Others have to be at a public address.
    package var isPrivate: Bool {
        let name = String(decoding: host, as: UTF8.self)
        let isAddress =
            host.first == UInt8(ascii: "[")
            || host.allSatisfy { $0 == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isAddress || name == "localhost" || Self.privateEndings.contains { name.hasSuffix($0) }
    }

    private static let privateEndings = [".localhost", ".internal", ".local", ".lan", ".home.arpa", ".test"]
}
