import HTTPWire

/// A second evaluator, from the grammar of RFC 9112 and the lists of the rules. It splits whole heads into lists, where the readers
/// walk over bytes. For a head that is accepted it returns the head that is passed on.
enum SlowEvaluator {
    typealias Bytes = [UInt8]
    typealias Field = (name: Bytes, value: Bytes)

    private static let letters = Bytes(latin: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    private static let digits = Bytes(latin: "0123456789")
    private static let tchar = Set(letters + digits + Bytes(latin: "!#$%&'*+-.^_`|~"))
    private static let upper = Set(Bytes(latin: "ABCDEFGHIJKLMNOPQRSTUVWXYZ-"))
    private static let pathSet = Set(letters + digits + Bytes(latin: "-._~!$&'()*+,;=:@/%"))
    private static let querySet = pathSet.union(Bytes(latin: "?[]{}|^`"))
    private static let hex = Set(digits + Bytes(latin: "abcdefABCDEF"))
    private static let host = Set(letters + digits + Bytes(latin: "-."))

    private static func words(_ text: String) -> Set<Bytes> {
        Set(text.split(separator: " ").map { Bytes(latin: String($0)) })
    }

    private static let requestDropped = words(
        """
        host content-length transfer-encoding accept-encoding connection expect keep-alive te trailer http2-settings authorization \
        x-api-key api-key x-goog-api-key private-token job-token deploy-token x-auth-token x-vault-token x-amz-security-token cookie \
        cookie2 forwarded via x-real-ip x-original-host x-host x-http-method-override x-http-method x-method-override x-original-url \
        x-rewrite-url
        """)
    private static let responseDropped = words(
        """
        host content-length transfer-encoding connection expect keep-alive te trailer upgrade http2-settings authorization x-api-key \
        api-key x-goog-api-key private-token job-token deploy-token x-auth-token x-vault-token x-amz-security-token cookie cookie2 \
        set-cookie set-cookie2 www-authenticate authentication-info alt-svc strict-transport-security refresh location content-encoding
        """)

    /// Returns the head for the server; nil for a request that is refused or not complete.
    static func request(_ bytes: Bytes) -> Bytes? {
        guard let lines = lines(of: bytes), let fields = fields(lines) else { return nil }
        let parts = lines[0].split(separator: 0x20, omittingEmptySubsequences: false).map { Bytes($0) }
        guard parts.count == 3, parts[2] == Bytes(latin: "HTTP/1.1"), 1...32 ~= parts[0].count,
            parts[0].allSatisfy(upper.contains),
            !words("CONNECT TRACE TRACK").contains(parts[0]), let target = target(parts[1])
        else { return nil }
        for name in ["host", "content-length", "transfer-encoding", "expect", "authorization"]
        where count(name, fields) > 1 { return nil }
        guard let hostValue = value("host", fields), isHost(hostValue), count("upgrade", fields) == 0 else {
            return nil
        }
        if let expect = value("expect", fields), lowered(expect) != Bytes(latin: "100-continue") { return nil }
        guard let framing = framing(fields, bound: 1 << 26), let connection = connection(fields) else { return nil }
        var head =
            parts[0] + [0x20] + target
            + Bytes(latin: " HTTP/1.1\r\nhost: api.example.com\r\nauthorization: Bearer real\r\n")
        for field in fields {
            let name = hyphenated(field.name)
            let prefixes = ["proxy-", "x-forwarded-", "sec-websocket-"].map { Bytes(latin: $0) }
            if requestDropped.contains(name) || prefixes.contains(where: { name.starts(with: $0) }) { continue }
            if connection.contains(lowered(field.name)) { continue }
            head += line(field)
        }
        return head + Bytes(latin: "accept-encoding: identity\r\n") + framing + Bytes(latin: "\r\n")
    }

    /// Returns the head for the client; nil for a response that is refused or not complete. It knows no interim answers.
    static func response(_ bytes: Bytes) -> Bytes? {
        guard let lines = lines(of: bytes), let fields = fields(lines) else { return nil }
        let start = Bytes(latin: "HTTP/1.1 ")
        guard lines[0].starts(with: start), lines[0].count >= 12 else { return nil }
        let code = Bytes(lines[0][9..<12])
        guard code.allSatisfy(Set(digits).contains), let status = Int(code.latin), 200...599 ~= status else {
            return nil
        }
        guard lines[0].count == 12 || lines[0][12] == 0x20 else { return nil }
        for name in ["content-length", "transfer-encoding", "location", "content-encoding"]
        where count(name, fields) > 1 { return nil }
        if let encoding = value("content-encoding", fields), lowered(encoding) != Bytes(latin: "identity") {
            return nil
        }
        let hasNone = status == 204 || status == 304
        guard var framing = framing(fields, bound: hasNone ? .max : 1 << 26), let connection = connection(fields) else {
            return nil
        }
        let zero = Bytes(latin: "content-length: 0\r\n")
        if status == 204 {
            guard framing.isEmpty || framing == zero else { return nil }
            framing = []
        } else if status == 304 {
            if framing.starts(with: Bytes(latin: "transfer")) { framing = [] }
        } else if framing.isEmpty {
            framing = Bytes(latin: "transfer-encoding: chunked\r\n")
        }
        var head = start + code + [0x20] + lines[0].dropFirst(13) + Bytes(latin: "\r\n")
        for field in fields {
            let name = hyphenated(field.name)
            if responseDropped.contains(name) || name.starts(with: Bytes(latin: "proxy-")) { continue }
            if connection.contains(lowered(field.name)) { continue }
            head += line(field)
        }
        for field in fields where lowered(field.name) == Bytes(latin: "location") {
            if let location = location(field.value) { head += line((Bytes(latin: "location"), location)) }
        }
        return head + framing + Bytes(latin: "\r\n")
    }

    /// Returns the lines of the first complete head, without the empty one.
    private static func lines(of bytes: Bytes) -> [Bytes]? {
        var lines: [Bytes] = []
        var rest = bytes[...]
        while let end = rest.indices.dropLast().first(where: { rest[$0] == 0x0D && rest[$0 + 1] == 0x0A }) {
            let line = Bytes(rest[..<end])
            rest = rest[(end + 2)...]
            if line.isEmpty {
                let size = bytes.count - rest.count
                let isFit = !lines.isEmpty && lines.count <= 101 && size <= 32_768 && lines[0].count + 2 <= 16_384
                let isClean = lines.allSatisfy { $0.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) } }
                return isFit && isClean ? lines : nil
            }
            lines.append(line)
        }
        return nil
    }

    private static func fields(_ lines: [Bytes]) -> [Field]? {
        var fields: [Field] = []
        for line in lines.dropFirst() {
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(tchar.contains) else { return nil }
            fields.append((Bytes(parts[0]), trimmed(Bytes(parts[1]))))
        }
        return fields
    }

    private static func trimmed(_ value: Bytes) -> Bytes {
        let isBlank: (UInt8) -> Bool = { $0 == 9 || $0 == 0x20 }
        return Bytes(Bytes(value.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
    }

    private static func lowered(_ name: Bytes) -> Bytes { name.map { 65...90 ~= $0 ? $0 + 32 : $0 } }
    /// A name as a program sees it that gets fields as variables, where only letters and digits differ.
    private static func hyphenated(_ name: Bytes) -> Bytes {
        lowered(name).map { letters.contains($0) || digits.contains($0) ? $0 : UInt8(ascii: "-") }
    }
    private static func line(_ field: Field) -> Bytes {
        field.name + Bytes(latin: ": ") + field.value + Bytes(latin: "\r\n")
    }

    private static func count(_ name: String, _ fields: [Field]) -> Int {
        fields.count { hyphenated($0.name) == Bytes(latin: name) }
    }
    private static func value(_ name: String, _ fields: [Field]) -> Bytes? {
        fields.first { hyphenated($0.name) == Bytes(latin: name) }?.value
    }

    private static func isHost(_ value: Bytes) -> Bool {
        let parts = value.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isBracketed = value.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = value.firstIndex(of: UInt8(ascii: "]")), end > 2 else { return false }
            let rest = value[(end + 1)...]
            return value[1..<end].allSatisfy { hex.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
                && (rest.isEmpty || (rest.first == UInt8(ascii: ":") && isPort(Bytes(rest.dropFirst()))))
        }
        let isName = !parts[0].isEmpty && parts[0].allSatisfy { host.contains($0) || $0 == UInt8(ascii: "_") }
        return isName && (parts.count == 1 || (parts.count == 2 && isPort(Bytes(parts[1]))))
    }

    private static func isPort(_ port: Bytes) -> Bool { 1...5 ~= port.count && port.allSatisfy(Set(digits).contains) }

    /// Returns the target that is passed on; nil for one that is refused.
    private static func target(_ target: Bytes) -> Bytes? {
        let parts = target.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false).map {
            Bytes($0)
        }
        let path = parts[0]
        guard path.first == UInt8(ascii: "/"), path.allSatisfy(pathSet.contains), isEncoded(path) else { return nil }
        let overlong = ["%c0", "%c1", "%e0%8", "%e0%9", "%f0%8"]
        for wrong in ["%2e", "%2f", "%5c", "%7f"] + overlong where contains(lowered(path), Bytes(latin: wrong)) {
            return nil
        }
        for place in path.indices
        where path[place] == UInt8(ascii: "%") && (path[place + 1] == 0x30 || path[place + 1] == 0x31) { return nil }
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (number, segment) in segments.enumerated() {
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            if name.elementsEqual(Bytes(latin: ".")) || name.elementsEqual(Bytes(latin: "..")) { return nil }
            if name.isEmpty && (number < segments.count - 1 || !segment.isEmpty) { return nil }
        }
        guard parts.count == 2 else { return path }
        guard parts[1].allSatisfy(querySet.contains), isEncoded(parts[1]) else { return nil }
        var kept = Bytes()
        var separator = UInt8(ascii: "?")
        var piece = Bytes()
        for byte in parts[1] + [UInt8(ascii: "&")] {
            guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") else {
                piece.append(byte)
                continue
            }
            let name = lowered(decoded(Bytes(piece.prefix { $0 != UInt8(ascii: "=") })))
            if !words("key access_token _method").contains(name) {
                kept += [kept.isEmpty ? UInt8(ascii: "?") : separator] + piece
            }
            (separator, piece) = (byte, [])
        }
        return path + kept
    }

    private static func isEncoded(_ text: Bytes) -> Bool {
        text.indices.allSatisfy { place in
            text[place] != UInt8(ascii: "%")
                || (place + 2 < text.count && hex.contains(text[place + 1]) && hex.contains(text[place + 2]))
        }
    }

    private static func decoded(_ text: Bytes) -> Bytes {
        guard let sign = text.firstIndex(of: UInt8(ascii: "%")) else { return text }
        let byte = UInt8(text.latin(sign + 1..<sign + 3), radix: 16)!
        return text[..<sign] + [byte] + decoded(Bytes(text[(sign + 3)...]))
    }

    private static func contains(_ text: Bytes, _ word: Bytes) -> Bool {
        text.indices.contains { text[$0...].starts(with: word) }
    }

    /// Returns the line that announces the body, empty if none does; nil if the fields are refused.
    private static func framing(_ fields: [Field], bound: UInt64) -> Bytes? {
        for field in fields where hyphenated(field.name) != lowered(field.name) {
            if words("content-length transfer-encoding").contains(hyphenated(field.name)) { return nil }
        }
        switch (value("content-length", fields), value("transfer-encoding", fields)) {
        case (nil, nil): return []
        case (nil, let encoding?):
            return lowered(encoding) == Bytes(latin: "chunked") ? Bytes(latin: "transfer-encoding: chunked\r\n") : nil
        case (let length?, nil):
            guard length.allSatisfy(Set(digits).contains), let count = UInt64(length.latin),
                String(count) == length.latin, count <= bound
            else { return nil }
            return Bytes(latin: "content-length: \(count)\r\n")
        case (_?, _?): return nil
        }
    }

    private static func connection(_ fields: [Field]) -> Set<Bytes>? {
        let names = fields.filter { hyphenated($0.name) == Bytes(latin: "connection") }
            .flatMap { $0.value.split(separator: UInt8(ascii: ",")) }.map { lowered(trimmed(Bytes($0))) }.filter {
                !$0.isEmpty
            }
        return names.count <= 32 && names.allSatisfy { $0.allSatisfy(tchar.contains) } ? Set(names) : nil
    }

    /// Returns the location that a client gets; nil if it gets none.
    private static func location(_ value: Bytes) -> Bytes? {
        guard value.allSatisfy({ querySet.contains($0) || $0 == UInt8(ascii: "#") }) else { return nil }
        let ends = Set(Bytes(latin: "/?#"))
        let beginning = value.prefix { !ends.contains($0) }
        let isAbsolute = lowered(Bytes(value.prefix(8))) == Bytes(latin: "https://")
        guard isAbsolute || value.starts(with: Bytes(latin: "//")) else {
            return beginning.contains(UInt8(ascii: ":")) ? nil : value
        }
        let rest = value.dropFirst(isAbsolute ? 8 : 2)
        let host = Bytes(rest.prefix { !ends.contains($0) })
        guard words("api.example.com api.example.com:443").contains(lowered(host)) else { return nil }
        let target = Bytes(rest.dropFirst(host.count))
        return Bytes(latin: "http://127.0.0.1:4711") + (target.first == UInt8(ascii: "/") ? [] : Bytes(latin: "/"))
            + target
    }

    /// Returns the payload of a chunked body and the bytes behind it; nil for one that is refused or not complete.
    static func chunks(_ bytes: Bytes) -> (payload: Bytes, rest: Bytes)? {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [0x0D, 0x0A]) }), 1...16 ~= end,
            bytes[..<end].allSatisfy(hex.contains), let size = UInt64(bytes.latin(0..<end), radix: 16)
        else { return nil }
        let rest = Bytes(bytes[(end + 2)...])
        guard size == 0 else {
            guard size < rest.count, rest[Int(size)...].starts(with: [0x0D, 0x0A]),
                let (payload, last) = chunks(Bytes(rest[(Int(size) + 2)...]))
            else { return nil }
            return (rest[..<Int(size)] + payload, last)
        }
        if rest.starts(with: [0x0D, 0x0A]) { return ([], Bytes(rest.dropFirst(2))) }
        // Read the trailer as the fields of a head, whose first line may be any.
        let head = Bytes(latin: "x\r\n") + rest
        guard let lines = lines(of: head), fields(lines) != nil else { return nil }
        return ([], Bytes(head.dropFirst(lines.reduce(2) { $0 + $1.count + 2 })))
    }
}
