import Foundation
import Security
import TestSupport
import Testing

/// The calls on certificates and identities as objects.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct CertificateCallsTests {
    private let some = SomeCertificates.shared

    @Test func aCertificateSaysWhatIsInIt() throws {
        #expect(SecCertificateCopySubjectSummary(some.leaf) as String? == "Some Name")
        var name: CFString?
        #expect(SecCertificateCopyCommonName(some.leaf, &name) == errSecSuccess)
        #expect(name as String? == "Some Name")
        var addresses: CFArray?
        #expect(SecCertificateCopyEmailAddresses(some.person, &addresses) == errSecSuccess)
        #expect(addresses as? [String] == ["two@example.com", "one@example.com"])
        #expect(SecCertificateCopyEmailAddresses(some.leaf, &addresses) == errSecSuccess)
        #expect((addresses as? [String])?.isEmpty == true)
        let serial = try #require(SecCertificateCopySerialNumberData(some.leaf, nil)) as Data
        #expect(some.leaf.der.range(of: Data([2, UInt8(serial.count)]) + serial) != nil)
        #expect(SecCertificateCopySerialNumber(some.leaf) as Data? == serial)
        let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(some.leaf)) as Data
        #expect(issuer == SecCertificateCopyNormalizedSubjectSequence(some.authority) as Data?)
        #expect(issuer.first == 0x30)
        #expect(
            try #require(SecCertificateCopyNotValidBeforeDate(some.leaf)) as Date
                == Date(timeIntervalSince1970: 1_704_067_200))
        #expect(
            try #require(SecCertificateCopyNotValidAfterDate(some.leaf)) as Date
                == Date(timeIntervalSince1970: 1_767_225_600))
        let key = try #require(SecCertificateCopyKey(some.leaf))
        #expect(key == SecCertificateCopyKey(some.renewed) && key != SecCertificateCopyKey(some.root))
        #expect(key == SecCertificateCopyPublicKey(some.leaf))
    }

    @Test func aCertificateWithoutACommonNameHasNone() throws {
        let der = try CertificateMaker().make("x", subject: "/O=Example")
        let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
        var name: CFString?
        #expect(SecCertificateCopyCommonName(certificate, &name) == -26276)
        #expect(name == nil)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Example")
    }

    @Test func onlyDERMakesACertificate() throws {
        let der = some.leaf.der
        #expect(SecCertificateCreateWithData(nil, Data() as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, der.dropLast() as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data([0]) + der as CFData) == nil)
        let pem = "-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString())\n-----END CERTIFICATE-----\n"
        #expect(SecCertificateCreateWithData(nil, Data(pem.utf8) as CFData) == nil)
        #expect(SecCertificateCreateWithData(nil, Data(pem.utf8) as CFData) == nil)
        #expect(SecCertificateCreateWithData(kCFAllocatorDefault, der as CFData) == some.leaf)
    }

    @Test func equalCertificatesAreEqual() throws {
        let copy = try #require(SecCertificateCreateWithData(nil, some.leaf.der as CFData))
        #expect(copy == some.leaf && copy !== some.leaf && copy.hashValue == some.leaf.hashValue)
        #expect(CFEqual(copy, some.leaf) && !CFEqual(copy, some.root))
        #expect(CFGetTypeID(copy) == SecCertificateGetTypeID())
        let kinds = [
            SecKeyGetTypeID(), SecCertificateGetTypeID(), SecIdentityGetTypeID(), SecPolicyGetTypeID(),
            SecTrustGetTypeID(),
        ]
        #expect(Set(kinds).count == kinds.count)
    }

    @Test func anIdentityNeedsTheKeyOfItsCertificate() throws {
        let identity = SomeCertificates.identity(some.leafArchive)
        var (certificate, key): (SecCertificate?, SecKey?)
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess && certificate == some.leaf)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let privateKey = try #require(key)
        #expect(SecIdentityCreate(nil, some.leaf, privateKey) == identity)
        #expect(CFEqual(SecIdentityCreate(nil, some.leaf, privateKey), identity))
        #expect(CFGetTypeID(identity) == SecIdentityGetTypeID())
        let renewed = try #require(SecIdentityCreate(nil, some.renewed, privateKey))
        #expect(renewed != identity && !CFEqual(renewed, identity))
        #expect(SecIdentityCreate(nil, some.root, privateKey) == nil)
        #expect(SecIdentityCreate(nil, some.leaf, someKey) == nil)
        // The public half is the certificate's, and no private key.
        #expect(SecIdentityCreate(nil, some.leaf, privateKey.publicHalf) == nil)
    }

    @Test func aKeyOfAnotherTypeIsNone() throws {
        let der = try CertificateMaker().make("x", key: .ed25519)
        let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
        #expect(SecCertificateCopyKey(certificate) == nil)
        #expect(SecIdentityCreate(nil, certificate, someKey) == nil)
    }
}
