import TLSClient
import TestSupport
import Testing

/// Addresses of which the name of a public host must not be one.
@Suite struct AddressTests {
    /// An address, and if it is public.
    static let table: [(String, Bool)] = [
        ("127.0.0.1", false), ("127.255.255.254", false), ("::1", false), ("0.0.0.0", false), ("0.1.2.3", false),
        ("::", false),
        ("10.0.0.1", false), ("10.255.255.255", false), ("9.255.255.255", true), ("11.0.0.0", true),
        ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false), ("172.32.0.0", true),
        ("192.167.255.255", true), ("192.168.0.1", false), ("192.168.255.255", false), ("192.169.0.0", true),
        ("169.253.255.255", true), ("169.254.0.0", false), ("169.254.169.254", false), ("169.255.0.0", true),
        ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false), ("100.128.0.0", true),
        ("192.0.0.8", false), ("192.0.1.1", true), ("192.0.2.1", false), ("198.17.255.255", true),
        ("198.18.0.0", false),
        ("198.19.255.255", false), ("198.20.0.0", true), ("198.51.100.7", false), ("203.0.113.7", false),
        ("192.88.99.1", false), ("223.255.255.255", true), ("224.0.0.1", false), ("239.255.255.255", false),
        ("240.0.0.1", false), ("255.255.255.255", false), ("8.8.8.8", true), ("1.1.1.1", true),
        ("fc00::1", false), ("fd12:3456::1", false), ("fdff:ffff::", false), ("fe80::1", false), ("febf::1", false),
        ("fec0::1", false), ("ff02::1", false), ("ff0e::1", false), ("100::1", false), ("1fff::1", false),
        ("2001:db8::1", false), ("2001:db9::1", true), ("2001::1", false), ("2001:1ff::1", false),
        ("2001:200::1", true),
        ("2002:7f00:1::", false), ("2002:808:808::", false), ("2003::1", true), ("3fff::1", false),
        ("3fff:1000::", true),
        ("2606:4700:4700::1111", true), ("2a00:1450:4001::5", true), ("3ffe::1", true), ("4000::1", false),
        ("::ffff:127.0.0.1", false), ("::ffff:10.1.2.3", false), ("::ffff:192.168.1.1", false),
        ("::ffff:169.254.169.254", false),
        ("::ffff:100.64.0.1", false), ("::ffff:0.0.0.0", false), ("::ffff:224.0.0.1", false), ("::ffff:8.8.8.8", true),
        ("::127.0.0.1", false), ("::8.8.8.8", false), ("::fffe:8.8.8.8", false), ("64:ff9b::8.8.8.8", true),
        ("64:ff9b::127.0.0.1", false), ("64:ff9b::a9fe:a9fe", false), ("64:ff9b:1::8.8.8.8", false),
    ]

    @Test(arguments: table) func onlyPublicAddressesArePublic(text: String, isPublic: Bool) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPublic == isPublic)
        #expect(AddressLimit.publicOnly.permits(address) == isPublic)
        #expect(AddressLimit.any.permits(address))
    }

    /// Forms in which C takes a text for an address, and other programs do not.
    @Test(arguments: [
        "", "127.1", "127", "0x7f.0.0.1", "0x7f000001", "2130706433", "127.0.0.1\0", "127.0.0.1.", " 127.0.0.1",
        "127.0.0.01",
        "[::1]", "::1%lo", "::1\0", "1.2.3.4.5", "::ffff:127.1", "localhost",
    ])
    func otherTextsAreNoAddresses(text: String) { #expect(NetworkAddress(text) == nil) }

    /// Nothing is sent to a host of this machine or its network, by whatever name.
    @Test(
        .enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"),
        arguments: [
            "127.0.0.1", "::1", "[::1]", "localhost", "10.0.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1",
            "fc00::1",
            "[::ffff:127.0.0.1]", "0.0.0.0", "[::]",
        ])
    func aPublicHostIsNotOfThisNetwork(host: String) throws {
        let authority = try TestAuthority.shared.get()
        let client = try TLSClient(trusting: .file(authority.path("ca.pem")))
        #expect(throws: TLSError.addressNotPermitted(host: host)) {
            try client.connect(to: host, port: 9, addresses: .publicOnly, withinMilliseconds: patience)
        }
    }

    /// Texts that are no names, which C or OpenSSL would read as another host.
    @Test(
        .enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"),
        arguments: [
            "", ".", ".example.com", "localhost.", "a..b", "localhost\0.example.com", "127.1", "2130706433",
            "0x7f000001",
            "host.0x7f",
            "a b", "exa\u{308}mple", "ex%61mple", "user@localhost", "localhost:443", "::1%lo", "[localhost]", "[::1",
            "*.localhost",
            String(repeating: "a", count: 64), String(repeating: "ab.", count: 90) + "c",
        ])
    func otherTextsAreNoNames(host: String) throws {
        let authority = try TestAuthority.shared.get()
        let client = try TLSClient(trusting: .file(authority.path("ca.pem")))
        #expect(throws: TLSError.nameNotFound(host: host, reason: "it is not a name of a host")) {
            try client.connect(to: host, port: 9, addresses: .any, withinMilliseconds: patience)
        }
    }
}
