import AccessPolicy
import TestSupport

/// Every combination of flags that Apple accepts, and the item without flags.
struct FlagCombinations {
    struct Entry {
        let flags: AccessControlFlags?
        let names: Set<String>?

        var usesBiometry: Bool { has("userPresence") || tiesBiometry }
        var tiesBiometry: Bool { has("biometryAny") || has("biometryCurrentSet") }
        var usesPasscode: Bool { has("devicePasscode") || has("userPresence") }
        var usesCompanion: Bool { has("companion") }
        var usesPassword: Bool { has("applicationPassword") }
        func has(_ name: String) -> Bool { names?.contains(name) ?? false }

        func control(_ accessibility: Accessibility) throws -> AccessControl {
            guard let flags else { return AccessControl(accessibility) }
            return try AccessControl(protection: accessibility, flags: flags)
        }
    }

    let creatable: [Entry]
    let refused: [(flags: AccessControlFlags, rule: String)]

    init() throws {
        let flags = try FixtureTable("flags").rows.map { (name: $0[0], bit: UInt($0[1]) ?? 64) }
        let refusals = try FixtureTable("flags-refused").rows
        var creatable = [Entry(flags: nil, names: nil)]
        var refused: [(flags: AccessControlFlags, rule: String)] = []
        for pattern in 0..<(1 << flags.count) {
            let chosen = flags.indices.filter { pattern >> $0 & 1 == 1 }
            let names = Set(chosen.map { flags[$0].name })
            let combination = AccessControlFlags(rawValue: chosen.reduce(0) { $0 | 1 << flags[$1].bit })
            let rule = refusals.first { row in
                let has = Set(row[0].components(" ").filter { $0 != "and" || row[0].hasPrefix("or ") })
                return names.isSuperset(of: has)
                    && (row[1] == "*" || !names.subtracting(has).isSubset(of: row[1].components(" ")))
            }
            if let rule {
                refused.append((combination, rule[2]))
            } else {
                creatable.append(Entry(flags: combination, names: names))
            }
        }
        self.creatable = creatable
        self.refused = refused
    }
}

/// The conditions and evidence that can affect a combination of flags.
///
/// A dimension that does not affect the combination has a single value. A few rows vary all dimensions.
enum Space {
    typealias Visit = (Facts, String) -> Void

    /// Visits the cases of authentication: sufficient or not, with or without a possible prompt, allowed or not.
    static func proving(_ entry: FlagCombinations.Entry, _ visit: Visit) {
        let call = entry.has("privateKeyUsage") ? "sign" : "readData"
        var facts = Facts()
        facts.isKey = entry.has("privateKeyUsage")
        let proofs = proofs(for: entry)
        for (lock, passcode) in passcodes(for: entry) {
            facts.lock = lock
            facts.passcode = passcode
            for biometry in entry.usesBiometry ? Facts.Biometry.allCases : [.ready] {
                facts.biometry = biometry
                for required in entry.usesBiometry ? [false, true] : [false] {
                    facts.passcodeRequired = required
                    for companion in entry.usesCompanion ? Facts.Companion.allCases : [.ready] {
                        facts.companion = companion
                        for set in entry.tiesBiometry ? Facts.Set.allCases : [.same] {
                            facts.set = set
                            for interaction in Facts.Interaction.allCases {
                                facts.interaction = interaction
                                for proof in proofs {
                                    facts.fingerProof = proof[0]
                                    facts.companionProof = proof[1]
                                    facts.passcodeProof = proof[2]
                                    facts.passwordProof = proof[3]
                                    visit(facts, call)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Visits every call in every class and state of the device, by every kind of caller.
    static func calling(_ entry: FlagCombinations.Entry, _ calls: [String], _ visit: Visit) {
        for call in calls {
            for lock in Facts.Lock.allCases {
                for removed in [false, true] {
                    for interaction in Facts.Interaction.allCases {
                        for isProved in [false, true] {
                            var facts = Facts(lock: lock, passcodeWasRemoved: removed, interaction: interaction)
                            facts.isKey = entry.has("privateKeyUsage")
                            let proof = isProved ? Facts.Proof.counts : .none
                            facts.fingerProof = proof
                            facts.companionProof = proof
                            facts.passcodeProof = proof
                            facts.passwordProof = proof
                            visit(facts, call)
                            facts.isKey.toggle()
                            visit(facts, call)
                            facts.synchronizable = true
                            visit(facts, call)
                            for groups in Facts.Groups.allCases {
                                facts.groups = groups
                                facts.namesGroup.toggle()
                                visit(facts, call)
                            }
                            facts.invalidated = true
                            visit(facts, call)
                        }
                    }
                }
            }
        }
    }

    /// Visits the cases of storing, which shows no prompt but needs factors that exist.
    static func storing(_ entry: FlagCombinations.Entry, _ visit: Visit) {
        for lock in Facts.Lock.allCases {
            for biometry in Facts.Biometry.allCases {
                for companion in Facts.Companion.allCases {
                    for interaction in Facts.Interaction.allCases {
                        for password in 0..<4 {
                            for lockoutRefuses in [false, true] {
                                var facts = Facts(lock: lock, biometry: biometry, companion: companion)
                                facts.interaction = interaction
                                facts.isKey = entry.has("privateKeyUsage")
                                facts.passwordAtHand = password & 1 != 0
                                facts.passwordProof = password & 2 != 0 ? .counts : .none
                                facts.lockoutKeepsFromStoring = lockoutRefuses
                                visit(facts, "add")
                            }
                        }
                    }
                }
            }
        }
    }

    /// Visits the cases of a reusable unlock and of the choices in `Fidelity`.
    static func choosing(_ entry: FlagCombinations.Entry, _ calls: [String], _ visit: Visit) {
        for call in calls {
            for biometry in Facts.Biometry.allCases {
                for set in Facts.Set.allCases {
                    for lock in [Facts.Lock.unlocked, .grace, .noPasscode] {
                        var facts = Facts(lock: lock, biometry: biometry, set: set)
                        facts.isKey = entry.has("privateKeyUsage")
                        for unlock in Facts.Unlock.allCases {
                            facts.unlock = unlock
                            visit(facts, call)
                        }
                        facts.unlock = .none
                        for choice in 0..<16 {
                            facts.attributesOpen = choice & 1 != 0
                            facts.duplicatesAtOnce = choice & 2 != 0
                            facts.changedSetIsTold = choice & 4 != 0
                            facts.isMac = choice & 8 != 0
                            for companion in [Facts.Companion.ready, .away] {
                                facts.companion = companion
                                facts.companionProof = companion == .ready && choice & 2 != 0 ? .counts : .none
                                visit(facts, call)
                            }
                        }
                    }
                }
            }
        }
    }

    private static func passcodes(for entry: FlagCombinations.Entry) -> [(Facts.Lock, Facts.Passcode)] {
        var cases: [(Facts.Lock, Facts.Passcode)] = [(.unlocked, .ready), (.grace, .ready), (.noPasscode, .ready)]
        if entry.usesPasscode || entry.usesBiometry { cases += [(.unlocked, .delayed), (.unlocked, .disabled)] }
        return cases
    }

    /// Visits every set of valid authentications, and every reason why one is invalid, alone and with all the others.
    private static func proofs(for entry: FlagCombinations.Entry) -> [[Facts.Proof]] {
        var rows = (0..<16).map { pattern in (0..<4).map { pattern >> $0 & 1 == 1 ? Facts.Proof.counts : .none } }
        let void: [[Facts.Proof]] = [[.otherSet, .otherSensor, .otherSession], [.otherSession], [.otherSession]]
        let voidPassword: [Facts.Proof] =
            entry.usesPassword ? [.otherSession, .otherItem, .refused, .refusedByOther] : []
        for (place, kinds) in (void + [voidPassword]).enumerated() {
            for kind in kinds {
                for others in [Facts.Proof.none, .counts] {
                    var row = [Facts.Proof](repeating: others, count: 4)
                    row[place] = kind
                    rows.append(row)
                }
            }
        }
        return rows
    }
}
