/// Fields of HTTP that decide if a request is served.
enum WebFields: Sendable {
    /// Returns true for the origin of a page of this machine: `http://localhost:6274`. A page of any other one could be open in a browser
    /// here, and reach the tools through it.
    static func isLoopback(origin: String) -> Bool {
        let letters = Array(origin.utf8)
        for scheme in ["http://", "https://"] where letters.starts(with: scheme.utf8) {
            let authority = letters.dropFirst(scheme.utf8.count)
            for host in ["localhost", "127.0.0.1", "[::1]"] where authority.starts(with: host.utf8) {
                let rest = authority.dropFirst(host.utf8.count)
                if rest.isEmpty { return true }
                let digits = rest.dropFirst()
                return rest.first == UInt8(ascii: ":") && 1...5 ~= digits.count
                    && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            }
        }
        return false
    }

    /// Returns true if a client that sends these values of Accept takes JSON. One that sends none takes everything.
    static func acceptsJSON(_ values: [String]) -> Bool {
        if values.isEmpty { return true }
        for value in values {
            for range in value.utf8.split(separator: UInt8(ascii: ",")) {
                let parts = range.split(separator: UInt8(ascii: ";")).map { folded($0) }
                guard let kind = parts.first, ["application/json", "application/*", "*/*"].contains(kind) else {
                    continue
                }
                if !parts.dropFirst().contains(where: isRefusal) { return true }
            }
        }
        return false
    }

    /// Returns true for a type of a body in JSON: `application/json; charset=utf-8`.
    static func isJSON(_ type: String) -> Bool {
        let parts = type.utf8.split(separator: UInt8(ascii: ";")).map { folded($0) }
        return parts.first == "application/json"
            && parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }

    /// Returns true if a field names a tool: as it is, or in Base64.
    static func names(_ field: String, _ name: String) -> Bool {
        field == name || field == "=?base64?\(base64(Array(name.utf8)))?="
    }

    /// True for a weight of zero, such as `q=0.0`.
    private static func isRefusal(_ parameter: String) -> Bool {
        parameter.hasPrefix("q=0")
            && parameter.utf8.dropFirst(2).allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    }

    /// Returns the text in lowercase letters, without blanks.
    private static func folded(_ bytes: Substring.UTF8View) -> String {
        var letters: [UInt8] = []
        for byte in bytes where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") {
            letters.append(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte)
        }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let group = Array(bytes[place..<min(place + 3, bytes.count)])
            let (first, second, third) = (group[0], group.count > 1 ? group[1] : 0, group.count > 2 ? group[2] : 0)
            let padding = UInt8(ascii: "=")
            text.append(letters[Int(first >> 2)])
            text.append(letters[Int((first & 3) << 4 | second >> 4)])
            text.append(group.count > 1 ? letters[Int((second & 15) << 2 | third >> 6)] : padding)
            text.append(group.count > 2 ? letters[Int(third & 63)] : padding)
            place += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}
