internal import AccessPolicy
package import DeviceModel
package import LoanRules

/// A device with one secret, and the loans of it to services.
///
/// It decides each use as the agent does: by the approval that is in force, or else by asking. Its clock is that of the leases alone. The
/// device's stands still, because the passing of time closes and expires what a device has open, and gives nothing new.
package struct LoanWorld: Hashable, Sendable {
    /// A loan to one service.
    struct Loan: Hashable {
        var lease: Lease
        /// The context of the approval that is in force.
        var held: Context?
        /// The last use, which requests may belong to.
        var last: Use?
        var isOver = false
    }

    /// A use that was counted.
    struct Use: Hashable {
        /// Its place in a lease; nil if it has none.
        var ticket: Lease.Ticket?
        var since: Int64
    }

    /// A request of a program.
    package enum Request: Hashable, Sendable {
        /// A use of its own.
        case use
        /// A use of which nothing is sent, so that it is given back.
        case unsent
        /// A request that belongs to the last use.
        case following
    }

    /// The result of a request.
    package enum Outcome: Hashable, Sendable {
        case refused
        /// The secret was used as part of the last use.
        case belonged
        /// The secret was used without a prompt.
        case used
        /// The secret was used after a prompt for it.
        case approved
    }

    package private(set) var world: World
    private(set) var loans: [Loan]
    /// The time, in milliseconds.
    package private(set) var now: Int64 = 0
    private(set) var locks = 0
    private let slot: SlotID
    private let policy: LentPolicy

    /// The milliseconds in which requests that belong to a use have to begin.
    static let together: Int64 = 60_000

    /// The passcode of the beginning.
    static let passcode = passcodes[0]
    /// The passcodes that the owner changes between.
    static let passcodes = (0...1).compactMap { Passcode(rawValue: $0) }
    /// The fingers of the owner. The first is enrolled at the beginning.
    static let fingers = (0...1).compactMap { Finger(rawValue: $0) }

    /// Creates a device whose owner has a passcode and one enrolled finger, with a secret that is lent to as many services.
    package init(_ policy: LentPolicy, _ terms: LeaseTerms, services: Int = 1) throws(StoringError) {
        var world = World(Device(DeviceSettings(sensor: .touchID, lockGrace: .zero, attemptEnd: .keepsDelaying)))
        world.apply(.passcodeSet(Self.passcode))
        world.apply(.enrolled(Self.fingers[0]))
        slot = try world.store(Item(policy.control))
        self.world = world
        self.policy = policy
        loans = Array(repeating: Loan(lease: Lease(terms)), count: services)
    }

    /// True if the policy of the secret ever asks.
    var asks: Bool { policy.control.isProtected }

    // MARK: - Uses

    /// Makes a request of a service, whose prompt this person answers.
    package mutating func request(_ request: Request, of service: Int, by person: Person) -> Outcome {
        if loans[service].isOver { return .refused }
        if request == .following, goesOn(service) { return .belonged }
        if let ticket = loans[service].lease.take(at: now, locks: locks), let held = loans[service].held {
            if reads(in: held) {
                note(ticket, of: service, request)
                return .used
            }
            // The fingers, the policy or the lock state have changed since the approval.
            endLease(of: service)
        } else {
            loans[service].held = nil
        }
        var context = Context()
        let call = Call(.readData, slot, by: person, interaction: asks ? .allowed : .fail)
        guard world.perform(call, in: &context).decision.isGranted else { return .refused }
        guard asks else {
            if request == .following, isOpen(loans[service].last) { return .belonged }
            note(nil, of: service, request)
            return .used
        }
        guard policy.reuses else {
            note(nil, of: service, request)
            return .approved
        }
        loans[service].held = context
        note(loans[service].lease.begin(at: now, locks: locks), of: service, request)
        return .approved
    }

    /// Returns true if a request belongs to the last use of a service, and the approval of that covers it.
    private mutating func goesOn(_ service: Int) -> Bool {
        let loan = loans[service]
        guard isOpen(loan.last), let ticket = loan.last?.ticket, let held = loan.held,
            loan.lease.covers(ticket, at: now, locks: locks)
        else { return false }
        return reads(in: held)
    }

    private func isOpen(_ use: Use?) -> Bool { use.map { now < $0.since + Self.together } ?? false }

    /// Reads by an approval of before, without a prompt.
    private mutating func reads(in held: Context) -> Bool {
        guard policy.reuses else { return false }
        var context = held
        let call = Call(.readData, slot, by: .absent, interaction: .fail)
        return world.perform(call, in: &context).decision.isGranted
    }

    private mutating func note(_ ticket: Lease.Ticket?, of service: Int, _ request: Request) {
        if request != .unsent {
            loans[service].last = Use(ticket: ticket, since: now)
        } else if let ticket {
            loans[service].lease.giveBack(ticket)
        }
    }

    private mutating func endLease(of service: Int) {
        loans[service].lease.end()
        loans[service].held = nil
    }

    // MARK: - Events

    /// Applies an event to the device. Returns true if it did anything.
    package mutating func apply(_ event: Event) -> Bool {
        let isRefused = world.apply(event).refusal != nil
        // A lock cuts what is under way, also while the vault is locked.
        if isRefused && event != .lock { return false }
        if event == .lock {
            locks += 1
            // The program goes on over another connection, which begins without an approval.
            for service in loans.indices {
                endLease(of: service)
                loans[service].last = nil
            }
        }
        return true
    }

    /// Ends the loan to a service. Returns true if it went on.
    package mutating func end(_ service: Int) -> Bool {
        if loans[service].isOver { return false }
        loans[service].isOver = true
        endLease(of: service)
        return true
    }

    /// Lets time pass.
    package mutating func wait(until time: Int64) { now = max(now, time) }
}
