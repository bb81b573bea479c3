internal import COpenSSL
internal import Glibc
internal import SodiumKit

/// An X.509 certificate: what it says, without a judgment on whether to trust it.
public struct Certificate: Hashable, Sendable {
    /// The certificate in DER.
    public let der: [UInt8]
    /// The version, from 1 to 3.
    public let version: Int
    /// The content of the serial number's INTEGER. It begins with a zero byte if the next byte would look negative.
    public let serialNumber: [UInt8]
    /// The name of the owner of the key.
    public let subject: DistinguishedName
    /// The name of the signer.
    public let issuer: DistinguishedName
    /// The first second at which the certificate is valid, in seconds since 1970.
    public let notBefore: Int64
    /// The last second at which the certificate is valid, in seconds since 1970.
    public let notAfter: Int64
    /// The public key as a SubjectPublicKeyInfo in DER.
    public let subjectPublicKeyInfo: [UInt8]
    /// The identifier of the key; nil if the certificate has none.
    public let subjectKeyIdentifier: [UInt8]?
    /// The e-mail addresses: those among the alternative names, and then those in the subject.
    public let emailAddresses: [String]
    /// The host names among the alternative names.
    public let hostNames: [String]
    /// The public key itself: a point, PKCS#1, or what another type of key consists of.
    private let publicKeyContent: [UInt8]

    private static let longestSerialNumber = 37
    private static let subjectKeyIdentifierName: [UInt8] = [0x55, 0x1D, 0x0E]
    private static let alternativeNamesName: [UInt8] = [0x55, 0x1D, 0x11]

    /// The size of the largest certificate.
    public static let largest = 1 << 20

    /// Reads the certificate in DER at the beginning of `bytes`, and ignores the bytes behind it.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, or ``KeyError/inputTooLong(limit:)`` beyond ``largest``.
    public init(beginning bytes: RawSpan) throws(KeyError) {
        var reader = DERReader(bytes, .certificate)
        try self.init(der: bytes.extracting(try reader.takeAny(in: bytes).whole))
    }

    /// Reads a certificate in DER. All bytes have to belong to it.
    ///
    /// - Throws: ``KeyError/malformed(_:)``, or ``KeyError/inputTooLong(limit:)`` beyond ``largest``.
    public init(der bytes: RawSpan) throws(KeyError) {
        guard bytes.byteCount <= Self.largest else { throw .inputTooLong(limit: Self.largest) }
        var outer = DERReader(bytes, .certificate)
        var certificate = try outer.enter(DERTag.sequence, in: bytes)
        try outer.finish()
        var reader = try certificate.enter(DERTag.sequence, in: bytes)
        _ = try certificate.take(DERTag.sequence, in: bytes)
        _ = try certificate.take(DERTag.bitString, in: bytes)
        try certificate.finish()

        version = try Self.takeVersion(&reader, bytes)
        serialNumber = bytes.extracting(try reader.take(DERTag.integer, in: bytes)).array()
        guard (1...Self.longestSerialNumber).contains(serialNumber.count) else { throw .malformed(.certificate) }
        _ = try reader.take(DERTag.sequence, in: bytes)  // the algorithm of the signature
        issuer = try DistinguishedName(&reader, in: bytes)
        _ = try reader.take(DERTag.sequence, in: bytes)  // the dates
        subject = try DistinguishedName(&reader, in: bytes)
        let info = try reader.takeAny(in: bytes)
        subjectPublicKeyInfo = bytes.extracting(info.whole).array()
        var infoReader = DERReader(info.content, .certificate)
        _ = try infoReader.take(DERTag.sequence, in: bytes)  // the type of the key
        publicKeyContent = bytes.extracting(try infoReader.takeBits(in: bytes)).array()

        var identifier: [UInt8]?
        var addresses: [String] = []
        var hosts: [String] = []
        while let tag = reader.nextTag(in: bytes) {
            // Unique identifiers of the issuer and the subject may stand before the extensions.
            guard tag == DERTag.context(3) else {
                _ = try reader.takeAny(in: bytes)
                continue
            }
            var wrapped = try reader.enter(tag, in: bytes)
            var extensions = try wrapped.enter(DERTag.sequence, in: bytes)
            try wrapped.finish()
            while !extensions.isAtEnd {
                let (name, value) = try Self.takeExtension(&extensions, bytes)
                if bytes.extracting(name).isSame(as: Self.subjectKeyIdentifierName) {
                    var inner = DERReader(value, .certificate)
                    identifier = bytes.extracting(try inner.take(DERTag.octetString, in: bytes)).array()
                } else if bytes.extracting(name).isSame(as: Self.alternativeNamesName) {
                    addresses += try Self.alternativeNames(DERTag.emailAddress, value, bytes)
                    hosts += try Self.alternativeNames(DERTag.hostName, value, bytes)
                }
            }
        }
        subjectKeyIdentifier = identifier
        emailAddresses = addresses + subject.texts(.emailAddress)
        hostNames = hosts
        (notBefore, notAfter) = try Self.dates(bytes)
        der = bytes.array()
    }

    /// The public key.
    ///
    /// - Throws: ``KeyError/unsupportedType`` if KeyKit does not support the type, or the errors of
    ///   ``PublicKey/init(subjectPublicKeyInfo:)``.
    public var publicKey: PublicKey {
        get throws(KeyError) { try PublicKey(subjectPublicKeyInfo: subjectPublicKeyInfo.span.bytes) }
    }

    /// The SHA-1 digest of the public key of any type. For a type that KeyKit supports, it is the key's
    /// ``PublicKey/fingerprint``, with which Apple finds the private key of a certificate.
    ///
    /// - Throws: ``KeyError/unavailable`` if OpenSSL has no memory left.
    public var publicKeyFingerprint: [UInt8] {
        get throws(KeyError) { try HashAlgorithm.sha1.digest(of: publicKeyContent.span.bytes) }
    }

    /// The last common name of the subject; nil if it has none.
    public var commonName: String? { subject.texts(.commonName).last }

    /// A short text for a list. It consists of the subject's common names, with its descriptions in parentheses. Without a
    /// common name, it is the first e-mail address, or else the first host name. Without those, it consists of the
    /// subject's organizational units, of its organizations, or of its other texts. Several texts are joined, the last
    /// one first.
    public var summary: String? {
        if let names = joined(.commonName) {
            return joined(.description).map { "\(names) (\($0))" } ?? names
        }
        return emailAddresses.first ?? hostNames.first ?? joined(.organizationalUnit) ?? joined(.organization)
            ?? joined(.description, .other)
    }

    private func joined(_ kinds: DistinguishedName.Kind...) -> String? {
        let texts = subject.texts(kinds)
        return texts.isEmpty ? nil : texts.reversed().joined(separator: ", ")
    }

    private static func takeVersion(_ reader: inout DERReader, _ bytes: RawSpan) throws(KeyError) -> Int {
        guard reader.nextTag(in: bytes) == DERTag.context(0) else { return 1 }
        var wrapped = try reader.enter(DERTag.context(0), in: bytes)
        let number = try wrapped.takeNumber(in: bytes)
        try wrapped.finish()
        // Version 1 is the default, which DER leaves out.
        guard number.count == 1, (1...2).contains(bytes.byte(number.lowerBound)) else { throw .malformed(.certificate) }
        return Int(bytes.byte(number.lowerBound)) + 1
    }

    /// Takes an extension. Returns the places of its name and of its value.
    private static func takeExtension(
        _ reader: inout DERReader, _ bytes: RawSpan
    ) throws(KeyError) -> (name: Range<Int>, value: Range<Int>) {
        var inner = try reader.enter(DERTag.sequence, in: bytes)
        let name = try inner.take(DERTag.objectIdentifier, in: bytes)
        if inner.nextTag(in: bytes) == DERTag.boolean { _ = try inner.take(DERTag.boolean, in: bytes) }
        let value = try inner.take(DERTag.octetString, in: bytes)
        try inner.finish()
        return (name, value)
    }

    private static func alternativeNames(
        _ kind: UInt8, _ value: Range<Int>, _ bytes: RawSpan
    ) throws(KeyError) -> [String] {
        var outer = DERReader(value, .certificate)
        var names = try outer.enter(DERTag.sequence, in: bytes)
        var found: [String] = []
        while !names.isAtEnd {
            let (whole, content) = try names.takeAny(in: bytes)
            guard bytes.byte(whole.lowerBound) == kind, let name = ASN1Text.ia5.decode(bytes.extracting(content))
            else { continue }
            found.append(name)
        }
        return found
    }

    /// Returns the two dates, as OpenSSL reads them. This also has OpenSSL read the whole certificate.
    private static func dates(_ bytes: RawSpan) throws(KeyError) -> (Int64, Int64) {
        try OpenSSL.perform { (context) throws(KeyError) in
            let certificate = try X509Object(der: bytes, in: context)
            guard let first = date(X509_get0_notBefore(certificate.pointer)),
                let last = date(X509_get0_notAfter(certificate.pointer))
            else { throw .malformed(.certificate) }
            return (first, last)
        }
    }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Int64(timegm(&parts))
    }
}
