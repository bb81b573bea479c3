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
        #expect(!login.permitsSigning(.other, with: key, allowed))
        // A key without destinations is for everything.
        #expect(SSHRoute().permitsSigning(.other, with: key, []))
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

    /// Adds a message's connection to a route, as the agent does.
    private func add(_ message: [UInt8], to route: inout SSHRoute) -> Bool {
        guard case .bind(let binding)? = SSHAgentRequest(message) else { return false }
        return route.add(binding)
    }

    @Test func aBindingNeedsTheSignatureOfItsHostAndAPlace() throws {
        var route = SSHRoute()
        #expect(try add(bastion.binding([1], forwards: true), to: &route))
        // Once more is no second hop.
        #expect(try add(bastion.binding([1], forwards: true), to: &route))
        #expect(route.bindings.count == 1 && route.isForwarded && !route.isUnbound)
        #expect(try add(inner.binding([2], forwards: false), to: &route))
        #expect(route.hops == [bastion.key] && route.destination?.hostKey == inner.key)
        // No route is longer than this.
        route = SSHRoute()
        for number in UInt8(1)...16 { #expect(try add(bastion.binding([number], forwards: true), to: &route)) }
        #expect(try !add(bastion.binding([17], forwards: true), to: &route))
        #expect(route.isBroken)
    }

    /// A client whose binding is refused never counts as a program of this machine again.
    @Test func aRefusedBindingBreaksTheRoute() throws {
        let step = SSHDestination(to: named(bastion))
        let good = try bastion.binding([1], forwards: false)
        let forwarding = try bastion.binding([1], forwards: true)
        let refused: [(before: [[UInt8]], message: [UInt8])] = [
            ([], try bastion.binding([1], forwards: true, signed: other.sign([1]))),
            ([], try bastion.binding([1], forwards: true, signed: bastion.sign([2]))),
            ([], try bastion.binding([], forwards: false)),
            // Types of keys that KeyKit does not support, and a signature that nothing can check.
            ([], Host.binding(Host.shortRSA, [1], forwards: true, signed: [])),
            ([], Host.binding(Host.shortRSA, [1], forwards: false, signed: [])),
            ([], Host.binding(Host.securityKey, [1], forwards: true, signed: [])),
            // Malformed ones.
            ([], Array(good.dropLast())), ([], good + [0]), ([], Array(good.prefix(4 + 1 + 24 + 3))),
            // Another host cannot take the connection over, and after a login, nothing follows.
            ([forwarding], try other.binding([1], forwards: true)), ([forwarding], good),
            ([good], try other.binding([3], forwards: false)),
        ]
        for (place, (before, message)) in refused.enumerated() {
            var route = SSHRoute()
            for message in before { #expect(add(message, to: &route)) }
            #expect(!add(message, to: &route), "\(place)")
            // A good one after it changes nothing.
            #expect(try !add(bastion.binding([9], forwards: false), to: &route), "\(place)")
            #expect(route.isBroken && route.isForwarded && !route.isUnbound, "\(place)")
            #expect(route.destination == nil, "\(place)")
            #expect(!route.permitsListing([step]) && route.permitsListing([]), "\(place)")
            #expect(!signs(route, "git", at: bastion, 1, [step]), "\(place)")
            #expect(route.mayBeForwarded(.file(namespace: "git")), "\(place)")
        }
        #expect(SSHRoute().isUnbound && !SSHRoute().isForwarded)
    }

    /// OpenSSH before 8.9 tells the agent nothing, neither of logins nor of forwarding.
    @Test func aLoginWithoutABindingMayComeFromElsewhere() throws {
        let login = SSHSignedData(login([1], "git", key))
        #expect(SSHRoute().mayBeForwarded(login) && !SSHRoute().mayBeForwarded(.file(namespace: "git")))
        let direct = try route(bastion)
        #expect(!direct.mayBeForwarded(login) && !direct.isForwarded && !direct.isUnbound)
        for forwarded in [try route(bastion, inner), try route(bastion, endsForwarding: true)] {
            #expect(forwarded.mayBeForwarded(login) && forwarded.mayBeForwarded(.file(namespace: "git")))
        }
    }
}
