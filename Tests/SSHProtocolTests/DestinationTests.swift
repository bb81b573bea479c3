import KeyKit
import SSHProtocol
import Testing

/// A key with destinations is of use for these logins, over these hosts, and for nothing else.
@Suite struct DestinationTests {
    private let bastion: Host
    private let inner: Host
    private let other: Host
    private let key: [UInt8]

    init() throws {
        bastion = try Host()
        inner = try Host(.ec(.p256))
        other = try Host(.rsa(bits: 2048))
        key = try Host().key.blob
    }

    private func named(_ host: Host) -> SSHDestination.Host { .init(name: "h", keys: [host.key.blob]) }

    /// Returns the route over these hosts, all of which but the last forward.
    private func route(_ hosts: Host..., endsForwarding: Bool = false) throws -> SSHRoute {
        var route = SSHRoute()
        for (place, host) in hosts.enumerated() {
            let isLast = place == hosts.count - 1
            let isBound = try host.bind(&route, [UInt8(place + 1)], forwards: !isLast || endsForwarding)
            #expect(isBound)
        }
        return route
    }

    private func signs(
        _ route: SSHRoute, _ user: String, at host: Host?, _ session: UInt8, _ destinations: [SSHDestination]
    ) -> Bool {
        route.permitsSigning(
            SSHSignedData(login([session], user, key, at: host?.key)), with: key, destinations)
    }

    @Test func onlyThePermittedHostAndUserGetALogin() throws {
        let allowed = [SSHDestination(to: named(bastion), user: "git")]
        #expect(try signs(route(bastion), "git", at: bastion, 1, allowed))
        #expect(try signs(route(bastion), "git", at: nil, 1, allowed))
        #expect(try !signs(route(bastion), "root", at: bastion, 1, allowed))
        #expect(try !signs(route(other), "git", at: other, 1, allowed))
        // The host in the login is another than the bound one, or the connection is.
        #expect(try !signs(route(bastion), "git", at: other, 1, allowed))
        #expect(try !signs(route(bastion), "git", at: bastion, 2, allowed))
        // Nothing is bound, or the binding is for forwarding.
        #expect(!signs(SSHRoute(), "git", at: bastion, 1, allowed))
        #expect(try !signs(route(bastion, endsForwarding: true), "git", at: bastion, 1, allowed))
        // No file, no other data.
        let login = try route(bastion)
        #expect(!login.permitsSigning(.file(namespace: "git"), with: key, allowed))
        #expect(!login.permitsSigning(.unknown, with: key, allowed))
        // A key without destinations is for everything.
        #expect(SSHRoute().permitsSigning(.unknown, with: key, []))
    }

    @Test func forwardingNeedsAPermissionForEachHop() throws {
        let step = SSHDestination(to: named(bastion))
        let beyond = SSHDestination(from: named(bastion), to: named(inner), user: "git")
        #expect(try signs(route(bastion, inner), "git", at: inner, 2, [step, beyond]))
        #expect(try !signs(route(bastion, inner), "git", at: inner, 2, [step]))
        #expect(try !signs(route(bastion, inner), "git", at: inner, 2, [beyond]))
        #expect(try !signs(route(bastion, inner), "root", at: inner, 2, [step, beyond]))
        #expect(try !signs(route(other, inner), "git", at: inner, 2, [step, beyond]))
        #expect(try !signs(route(bastion, other), "git", at: other, 2, [step, beyond]))
        #expect(try !signs(route(inner), "git", at: inner, 1, [step, beyond]))
        // The program on the far host has to put the host into the login.
        #expect(try !signs(route(bastion, inner), "git", at: nil, 2, [step, beyond]))
        #expect(try !signs(route(bastion, inner, other), "git", at: other, 3, [step, beyond]))
    }

    @Test func aKeyIsListedOnlyWhereItIsOfUse() throws {
        let step = SSHDestination(to: named(bastion))
        let beyond = SSHDestination(from: named(bastion), to: named(inner))
        #expect(SSHRoute().permitsListing([step]))
        #expect(try route(bastion).permitsListing([step]))
        #expect(try !route(other).permitsListing([step]))
        #expect(try !route(bastion, endsForwarding: true).permitsListing([step]))
        #expect(try route(bastion, endsForwarding: true).permitsListing([step, beyond]))
        #expect(try route(other, endsForwarding: true).permitsListing([]))
    }

    @Test func aBindingNeedsTheSignatureOfItsHostAndAPlace() throws {
        var route = SSHRoute()
        func add(_ message: [UInt8]) -> Bool {
            guard case .bind(let binding)? = SSHAgentRequest(message) else { return false }
            return route.add(binding)
        }
        #expect(try !add(bastion.binding([1], forwards: true, signed: other.sign([1]))))
        #expect(try !add(bastion.binding([1], forwards: true, signed: bastion.sign([2]))))
        #expect(route.bindings.isEmpty)
        #expect(try add(bastion.binding([1], forwards: true)))
        // Once more is no second hop, and another host cannot take the connection over.
        #expect(try add(bastion.binding([1], forwards: true)))
        #expect(route.bindings.count == 1)
        #expect(try !add(other.binding([1], forwards: true)))
        #expect(try !add(bastion.binding([1], forwards: false)))
        #expect(try add(inner.binding([2], forwards: false)))
        // After a login, nothing follows.
        #expect(try !add(other.binding([3], forwards: false)))
        #expect(route.hops == [bastion.key] && route.destination?.hostKey == inner.key)
        // No route is longer than this.
        route = SSHRoute()
        for number in UInt8(1)...16 { #expect(try add(bastion.binding([number], forwards: true))) }
        #expect(try !add(bastion.binding([17], forwards: true)))
    }
}
