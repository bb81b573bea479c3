/// One condition that a flag puts on an operation.
public enum Requirement: UInt8, CaseIterable, Sendable {
    /// Biometry or passcode, as the user likes.
    case presence = 0
    /// Any enrolled finger or face.
    case biometryAny = 1
    /// A finger or face while the enrollments are those the item was bound to.
    case biometryCurrentSet = 2
    /// The companion.
    case companion = 3
    /// The device passcode.
    case passcode = 4

    /// The flag that asks for it.
    public var flag: AccessControlFlags {
        switch self {
        case .presence: .userPresence
        case .biometryAny: .biometryAny
        case .biometryCurrentSet: .biometryCurrentSet
        case .companion: .companion
        case .passcode: .devicePasscode
        }
    }

    /// True if biometry can meet it.
    package var speaksOfBiometry: Bool {
        switch self {
        case .presence, .biometryAny, .biometryCurrentSet: true
        case .companion, .passcode: false
        }
    }

    /// The single factor that meets it; presence has a choice and so none.
    public var factor: Factor? {
        switch self {
        case .presence: nil
        case .biometryAny, .biometryCurrentSet: .biometry
        case .companion: .companion
        case .passcode: .passcode
        }
    }
}

/// A set of requirements, in asking order.
public typealias RequirementSet = BitSet<Requirement, UInt8>

/// What flags compile to, for one operation.
///
/// Apple's general form is a tree; its flags can only build trees of this depth, and a flat one can be compared, hashed
/// and searched without an allocation.
public enum Constraint: Hashable, Sendable {
    /// Nothing to prove.
    case always
    /// One requirement.
    case one(Requirement)
    /// Any single one of several requirements (k = 1).
    case any(of: RequirementSet)
    /// All of several requirements (k = n).
    case all(of: RequirementSet)

    /// All of `asked`, or any of them if that is enough.
    init(_ asked: RequirementSet, anyIsEnough: Bool) {
        var members = asked.makeIterator()
        switch (members.next(), members.next()) {
        case (nil, _): self = .always
        case (let only?, nil): self = .one(only)
        case (_?, _?): self = anyIsEnough ? .any(of: asked) : .all(of: asked)
        }
    }

    /// The requirements it speaks of.
    public var requirements: RequirementSet {
        switch self {
        case .always: []
        case .one(let requirement): [requirement]
        case .any(let several), .all(let several): several
        }
    }

    /// What a match has to be a match of.
    package enum BiometryTie: Sendable {
        /// The enrollment set that the item was bound to.
        case currentSet
        /// The sensor that the item was bound to.
        case anyOfSensor
        /// Whatever sensor there is, as for presence; or no biometry is asked for.
        case unbound
    }

    /// What its biometry is tied to. Two ties in one constraint are refused at creation.
    package var biometry: BiometryTie {
        let asked = requirements
        if asked.contains(.biometryCurrentSet) { return .currentSet }
        return asked.contains(.biometryAny) ? .anyOfSensor : .unbound
    }

    /// The minimal sets of factors that satisfy it, the one to try first in front; none for a constraint that no flags
    /// build, which so is never met.
    public func ways(_ fidelity: Fidelity) -> Ways {
        switch self {
        case .always: return Ways(FactorSet())
        case .one(.presence):
            switch fidelity.presence {
            case .biometryOrPasscode: return Ways([.biometry], [.passcode])
            case .biometryCompanionOrPasscode: return Ways([.biometry], [.companion], [.passcode])
            }
        case .all(let several) where !Self.isFromFlags(several): return Ways()
        case .any(let several) where !Self.isFromFlags(several): return Ways()
        case .one, .all:
            var way = FactorSet()
            for requirement in requirements {
                guard let factor = requirement.factor else { return Ways() }  // no one factor meets it: nothing does
                way.insert(factor)
            }
            return Ways(way)
        case .any(let several):
            return several.reduce(into: Ways()) { ways, next in next.factor.map { ways.append([$0]) } }
        }
    }

    /// The same on top of which the password of the application is needed, or not.
    func ways(_ fidelity: Fidelity, withApplicationPassword needsPassword: Bool) -> Ways {
        if !needsPassword { return ways(fidelity) }
        return ways(fidelity).reduce(into: Ways()) { $0.append($1.union([.applicationPassword])) }
    }

    /// Presence stands alone, and the two kinds of biometry exclude each other.
    private static func isFromFlags(_ several: RequirementSet) -> Bool {
        !several.isEmpty && several.count <= Ways.capacity && !several.contains(.presence)
    }
}

extension Requirement: NamedChoice, CustomStringConvertible {
    /// The name that reports have for it.
    public var name: String {
        switch self {
        case .presence: "presence"
        case .biometryAny: "biometryAny"
        case .biometryCurrentSet: "biometryCurrentSet"
        case .companion: "companion"
        case .passcode: "passcode"
        }
    }

    /// The name.
    public var description: String { name }
}
