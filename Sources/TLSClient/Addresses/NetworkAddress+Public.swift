/// Addresses that begin with the same bits.
private struct AddressBlock: Sendable {
    let start: [UInt8]
    let bits: Int

    init(_ start: [UInt8], _ bits: Int) {
        self.start = start
        self.bits = bits
    }

    func contains(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bits
        for (byte, expected) in zip(bytes, start) {
            if rest <= 0 { return true }
            let mask = rest >= 8 ? 255 : ~(UInt8(255) >> UInt8(rest))
            if (byte ^ expected) & mask != 0 { return false }
            rest -= 8
        }
        return rest <= 0
    }
}

extension NetworkAddress {
    /// True for an address of the public internet, by the registries of IANA for addresses with a special purpose.
    package var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublicIPv4(bytes[...]) }
        // These mean the address of IPv4 in their last four bytes.
        if Self.meaningIPv4.contains(where: { $0.contains(bytes[...]) }) { return Self.isPublicIPv4(bytes.suffix(4)) }
        return Self.unicast.contains(bytes[...]) && !Self.specialIPv6.contains { $0.contains(bytes[...]) }
    }

    private static func isPublicIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        !specialIPv4.contains { $0.contains(bytes) }
    }

    private static let specialIPv4 = [
        AddressBlock([0], 8),  // unspecified, this network
        AddressBlock([10], 8),  // private
        AddressBlock([100, 64], 10),  // shared by the customers of a provider
        AddressBlock([127], 8),  // this machine
        AddressBlock([169, 254], 16),  // this link; also where clouds hand out the credentials of a machine
        AddressBlock([172, 16], 12),  // private
        AddressBlock([192, 0, 0], 24),  // protocols
        AddressBlock([192, 0, 2], 24),  // documentation
        AddressBlock([192, 88, 99], 24),  // former relays to IPv6
        AddressBlock([192, 168], 16),  // private
        AddressBlock([198, 18], 15),  // benchmarks
        AddressBlock([198, 51, 100], 24),  // documentation
        AddressBlock([203, 0, 113], 24),  // documentation
        AddressBlock([224], 3),  // multicast, reserved, broadcast
    ]

    private static let meaningIPv4 = [
        AddressBlock([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96),  // mapped
        AddressBlock([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96),  // translated in networks without IPv4
    ]

    /// All that is public in IPv6. Outside of it are this machine, this link, unique local addresses and multicast.
    private static let unicast = AddressBlock([0x20], 3)

    private static let specialIPv6 = [
        AddressBlock([0x20, 0x01, 0x00], 23),  // protocols, among them tunnels that hide an address of IPv4
        AddressBlock([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        AddressBlock([0x20, 0x02], 16),  // tunnels that hide an address of IPv4
        AddressBlock([0x3F, 0xFF, 0x00], 20),  // documentation
    ]
}
