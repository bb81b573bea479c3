public import SodiumKit

/// PEM: base64 between two lines with a label. The bytes of a private key stay in guarded memory on the way.
enum PEM {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let lineLength = 64

    /// Returns the label and the bytes of the first block whose label is one of these.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` if there is none, or if it is not valid.
    static func firstBlock(
        labeled labels: [String], in text: RawSpan
    ) throws(KeyError) -> (label: String, content: Range<Int>) {
        var place = 0
        while let start = text.firstPlace(of: begin, from: place) {
            let nameStart = start + begin.count
            guard let nameEnd = text.firstPlace(of: dashes, from: nameStart) else { break }
            let name = text.extracting(nameStart..<nameEnd).array()
            let contentStart = nameEnd + dashes.count
            guard let contentEnd = text.firstPlace(of: end + name + dashes, from: contentStart) else { break }
            for label in labels where name == Array(label.utf8) { return (label, contentStart..<contentEnd) }
            place = contentEnd
        }
        throw .malformed(.pem)
    }

    static func decode(_ content: RawSpan) throws(KeyError) -> SecureBytes {
        // Old encrypted keys have heads, whose names end with colons.
        if content.withUnsafeBytes({ $0.contains(UInt8(ascii: ":")) }) { throw .encryptedKey }
        let decoded = try KeyError.guarding(SecureBytes.decoding(base64: content))
        switch consume decoded {
        case .some(let bytes): return bytes
        case .none: throw .malformed(.pem)
        }
    }

    static func encode(_ bytes: borrowing SecureBytes, label: String) throws(KeyError) -> SecureBytes {
        let head = Array("-----BEGIN \(label)-----\n".utf8)
        let foot = Array("-----END \(label)-----\n".utf8)
        do {
            let text = try bytes.base64(.standard)
            let lines = (text.count + lineLength - 1) / lineLength
            var block = try SecureBytes(count: head.count + text.count + lines + foot.count)
            text.withBytes { text in
                text.withUnsafeBytes { text in
                    block.withMutableBytes { block in
                        block.copyBytes(from: head)
                        var place = head.count
                        for start in stride(from: 0, to: text.count, by: lineLength) {
                            let line = text[start..<min(start + lineLength, text.count)]
                            UnsafeMutableRawBufferPointer(rebasing: block[place...]).copyBytes(from: line)
                            place += line.count
                            block[place] = UInt8(ascii: "\n")
                            place += 1
                        }
                        UnsafeMutableRawBufferPointer(rebasing: block[place...]).copyBytes(from: foot)
                    }
                }
            }
            return block
        } catch { throw .memory(error) }
    }
}

extension RawSpan {
    /// Returns the first place of `wanted` at or after `start`; nil if it does not occur.
    fileprivate func firstPlace(of wanted: [UInt8], from start: Int) -> Int? {
        withUnsafeBytes { bytes in
            guard bytes.count >= wanted.count, start <= bytes.count - wanted.count else { return nil }
            return (start...(bytes.count - wanted.count)).first { place in
                bytes[place] == wanted[0] && bytes[place..<(place + wanted.count)].elementsEqual(wanted)
            }
        }
    }
}

extension PrivateKey {
    private static let pkcs8Label = "PRIVATE KEY"
    private static let sec1Label = "EC PRIVATE KEY"
    private static let pkcs1Label = "RSA PRIVATE KEY"
    private static let encryptedLabel = "ENCRYPTED PRIVATE KEY"
    private static let opensshLabel = "OPENSSH PRIVATE KEY"

    /// Reads and checks the first private key in a PEM file: PKCS#8, SEC 1, PKCS#1, or the format of OpenSSH. Other
    /// blocks, such as certificates and parameters of curves, are skipped.
    ///
    /// - Parameters:
    ///   - text: The file.
    ///   - isPadded: True if a private scalar has to be as long as a coordinate, as in ``init(der:isPadded:)``.
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey``,
    ///   ``KeyError/unsupportedType``, ``KeyError/encryptedKey`` or ``KeyError/memory(_:)``.
    public init(pem text: borrowing SecureBytes, isPadded: Bool = false) throws(KeyError) {
        var isOpenSSH = false
        let bytes = try text.withBytes { (text) throws(KeyError) in
            let block = try Self.firstBlock(in: text)
            if block.label == Self.encryptedLabel { throw .encryptedKey }
            isOpenSSH = block.label == Self.opensshLabel
            return try PEM.decode(text.extracting(block.content))
        }
        if isOpenSSH { try self.init(openSSH: bytes) } else { try self.init(der: bytes, isPadded: isPadded) }
    }

    /// Returns the first private key of a PEM file as a file that OpenSSH reads, with nothing around it; nil if it is in another
    /// format. A passphrase stays.
    ///
    /// - Throws: ``KeyError/malformed(_:)`` or ``KeyError/memory(_:)``.
    package static func openSSHBlock(in text: borrowing SecureBytes) throws(KeyError) -> SecureBytes? {
        let bytes = try text.withBytes { (text) throws(KeyError) -> SecureBytes? in
            let block = try firstBlock(in: text)
            return block.label == opensshLabel ? try PEM.decode(text.extracting(block.content)) : nil
        }
        switch consume bytes {
        case .some(let bytes): return try PEM.encode(bytes, label: opensshLabel)
        case .none: return nil
        }
    }

    private static func firstBlock(in text: RawSpan) throws(KeyError) -> (label: String, content: Range<Int>) {
        try PEM.firstBlock(labeled: [pkcs8Label, sec1Label, pkcs1Label, encryptedLabel, opensshLabel], in: text)
    }

    /// Returns the key as a PEM file.
    ///
    /// - Throws: ``KeyError/memory(_:)`` if no guarded memory is left.
    public borrowing func pem(_ format: PrivateKeyFormat = .pkcs8) throws(KeyError) -> SecureBytes {
        let label =
            switch (format, type.family) {
            case (.pkcs8, _), (.traditional, .ed25519): Self.pkcs8Label
            case (.traditional, .ec): Self.sec1Label
            case (.traditional, .rsa): Self.pkcs1Label
            }
        return try PEM.encode(der(format), label: label)
    }
}

extension PublicKey {
    private static let label = "PUBLIC KEY"
    private static let pkcs1Label = "RSA PUBLIC KEY"

    /// Reads and checks the first public key in a PEM file.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/invalidPoint``, ``KeyError/invalidKey``,
    ///   ``KeyError/unsupportedType`` or ``KeyError/memory(_:)``.
    public init(pem text: RawSpan) throws(KeyError) {
        let block = try PEM.firstBlock(labeled: [Self.label, Self.pkcs1Label], in: text)
        let der = try PEM.decode(text.extracting(block.content))
        self = try der.withBytes { (der) throws(KeyError) in
            if block.label == Self.label { return try PublicKey(subjectPublicKeyInfo: der) }
            return try PublicKey(externalRepresentation: der, .rsa)
        }
    }

    /// Returns the key as a PEM file with a SubjectPublicKeyInfo.
    ///
    /// - Throws: ``KeyError/memory(_:)`` if no guarded memory is left.
    public func pem() throws(KeyError) -> String {
        let der = try KeyError.guarding(SecureBytes(copying: subjectPublicKeyInfo.span.bytes))
        return try PEM.encode(der, label: Self.label).string() ?? ""
    }
}

extension Certificate {
    private static let label = "CERTIFICATE"
    private static let oldLabel = "X509 CERTIFICATE"

    /// Reads the first certificate in a PEM file.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, ``KeyError/inputTooLong(limit:)`` or ``KeyError/memory(_:)``.
    public init(pem text: RawSpan) throws(KeyError) {
        let block = try PEM.firstBlock(labeled: [Self.label, Self.oldLabel], in: text)
        let der = try PEM.decode(text.extracting(block.content))
        self = try der.withBytes { (der) throws(KeyError) in try Certificate(der: der) }
    }

    /// Returns the certificate as a PEM file.
    ///
    /// - Throws: ``KeyError/memory(_:)`` if no guarded memory is left.
    public func pem() throws(KeyError) -> String {
        let bytes = try KeyError.guarding(SecureBytes(copying: der.span.bytes))
        return try PEM.encode(bytes, label: Self.label).string() ?? ""
    }
}
