/// One requirement that a flag puts on an operation.
public enum Requirement: UInt8, CaseIterable, Sendable {
    /// Biometry or the device passcode, as the user chooses.
    case presence = 0
    /// Any enrolled finger or face.
    case biometryAny = 1
    /// An enrolled finger or face, as long as the enrolled set is the one that the item is bound to.
    case biometryCurrentSet = 2
    /// A paired and unlocked companion nearby.
    case companion = 3
    /// The device passcode.
    case passcode = 4

    /// The flag that adds the requirement.
    public var flag: AccessControlFlags {
        switch self {
        case .presence: .userPresence
        case .biometryAny: .biometryAny
        case .biometryCurrentSet: .biometryCurrentSet
        case .companion: .companion
        case .passcode: .devicePasscode
        }
    }

    /// True if biometry can satisfy the requirement.
    package var speaksOfBiometry: Bool {
        switch self {
        case .presence, .biometryAny, .biometryCurrentSet: true
        case .companion, .passcode: false
        }
    }

    /// The single factor that satisfies the requirement; nil for presence, which several factors satisfy.
    public var factor: Factor? {
        switch self {
        case .presence: nil
        case .biometryAny, .biometryCurrentSet: .biometry
        case .companion: .companion
        case .passcode: .passcode
        }
    }
}

/// A set of requirements, in prompting order.
public typealias RequirementSet = BitSet<Requirement, UInt8>

/// The condition on one operation that a set of flags stands for.
///
/// Apple's general form is a tree. Its flags can only build trees of this depth, and the flat form is compared, hashed
/// and searched without allocation.
public enum Constraint: Hashable, Sendable {
    /// No authentication is needed.
    case always
    /// One requirement.
    case one(Requirement)
    /// Any one of several requirements (k = 1).
    case any(of: RequirementSet)
    /// All of several requirements (k = n).
    case all(of: RequirementSet)

    /// Creates the constraint of all requirements of `asked`, or of any one of them if `anyIsEnough`.
    init(_ asked: RequirementSet, anyIsEnough: Bool) {
        var members = asked.makeIterator()
        switch (members.next(), members.next()) {
        case (nil, _): self = .always
        case (let only?, nil): self = .one(only)
        case (_?, _?): self = anyIsEnough ? .any(of: asked) : .all(of: asked)
        }
    }

    /// All requirements of the constraint.
    public var requirements: RequirementSet {
        switch self {
        case .always: []
        case .one(let requirement): [requirement]
        case .any(let several), .all(let several): several
        }
    }

    /// The enrollments that a biometric match must be made against.
    package enum BiometryTie: Sendable {
        /// The enrolled set that the item is bound to.
        case currentSet
        /// Any enrolled set of the sensor that the item is bound to.
        case anyOfSensor
        /// Any enrolled set of the present sensor, as for presence. A constraint without biometry has this case too.
        case unbound
    }

    /// The enrollments that biometry is bound to. Flags with two kinds of biometry are refused at creation.
    package var biometry: BiometryTie {
        let asked = requirements
        if asked.contains(.biometryCurrentSet) { return .currentSet }
        return asked.contains(.biometryAny) ? .anyOfSensor : .unbound
    }

    /// Returns the minimal sets of factors that satisfy the constraint, in the order in which to prompt for them.
    ///
    /// A constraint that no flags can build has no ways, so nothing satisfies it.
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
                guard let factor = requirement.factor else { return Ways() }  // presence combines with nothing
                way.insert(factor)
            }
            return Ways(way)
        case .any(let several):
            return several.reduce(into: Ways()) { ways, next in next.factor.map { ways.append([$0]) } }
        }
    }

    /// Returns the ways, each with the application password added if it is needed.
    func ways(_ fidelity: Fidelity, withApplicationPassword needsPassword: Bool) -> Ways {
        if !needsPassword { return ways(fidelity) }
        return ways(fidelity).reduce(into: Ways()) { $0.append($1.union([.applicationPassword])) }
    }

    /// Returns true if flags can build the set. Presence combines with no other requirement, and the two kinds of
    /// biometry exclude each other.
    private static func isFromFlags(_ several: RequirementSet) -> Bool {
        !several.isEmpty && several.count <= Ways.capacity && !several.contains(.presence)
    }
}

extension Requirement: NamedChoice, CustomStringConvertible {
    /// The name of the requirement in reports.
    public var name: String {
        switch self {
        case .presence: "presence"
        case .biometryAny: "biometryAny"
        case .biometryCurrentSet: "biometryCurrentSet"
        case .companion: "companion"
        case .passcode: "passcode"
        }
    }

    /// The name of the requirement.
    public var description: String { name }
}
