import AccessPolicy
import TestSupport
import Testing

/// Semantics 4.1 and 4.2: the flags that can be combined, and the constraints that they build.
@Suite struct AccessControlTests {
    @Test func flagsHaveApplesBits() throws {
        let table = try FixtureTable("flags").byFirst
        let flags = AccessControlFlags.named
        #expect(Set(table.keys) == Set(flags.map(\.name)))
        for (flag, name) in flags {
            #expect(table[name] == [String(flag.rawValue.trailingZeroBitCount)], "\(name)")
            #expect(flag.rawValue.nonzeroBitCount == 1)
        }
    }

    @Test func classesHaveApplesValues() throws {
        let rows = try FixtureTable("classes").rows
        #expect(rows.map { $0[0] } == Accessibility.allCases.map(\.rawValue))
        #expect(rows.map { $0[1] } == Accessibility.allCases.map(\.name))
        #expect(rows.map { $0[2] == "yes" } == Accessibility.allCases.map(\.isThisDeviceOnly))
    }

    @Test(arguments: Accessibility.allCases) func everyCombinationIsAcceptedOrRefusedAsApplesIs(
        _ protection: Accessibility
    )
        throws
    {
        let combinations = try FlagCombinations()
        #expect(combinations.refused.count + combinations.creatable.count == 513, "512 combinations and the plain item")
        for (flags, rule) in combinations.refused {
            let error = #expect(throws: InvalidFlagsError.self) {
                try AccessControl(protection: protection, flags: flags)
            }
            #expect(error?.rule.identifier == rule, "\(flags)")
            #expect(error?.flags == flags)
        }
        for entry in combinations.creatable { #expect(throws: Never.self) { try entry.control(protection) } }
    }

    @Test func unknownBitsAreIgnoredButForPresence() throws {
        let unknown = AccessControlFlags(rawValue: 1 << 7)
        let with = try AccessControl(protection: .whenUnlocked, flags: [.biometryAny, unknown])
        #expect(try with == AccessControl(protection: .whenUnlocked, flags: .biometryAny))
        let error = #expect(throws: InvalidFlagsError.self) {
            try AccessControl(protection: .whenUnlocked, flags: [.userPresence, unknown])
        }
        #expect(error?.rule == .flagsPresenceWithOther)
    }

    @Test func refusalNamesTheFlagsAndTheRule() {
        let error = #expect(throws: InvalidFlagsError.self) {
            try AccessControl(protection: .always, flags: [.biometryAny, .or, .and])
        }
        #expect(
            error?.description
                == "biometryAny + or + and is refused: \"or\" and \"and\" cannot be combined (flags.or-with-and)")
    }

    @Test func flagsBuildTheConstraintsOfTheTable() throws {
        let naive = try NaiveEvaluator()
        for entry in try FlagCombinations().creatable {
            let control = try entry.control(.whenUnlocked)
            let policy = try naive.policy(flags: entry.names, protectionClass: "ak")
            for operation in Operation.allCases {
                switch policy.guarded[operation.rawValue] {
                case .some(.some(true)):
                    #expect(control.constraint(for: operation)?.requirements == control.requirements)
                    #expect(control.constraint(for: operation) != .always)
                case .some(.some(false)): #expect(control.constraint(for: operation) == .always)
                case .some(.none), .none: #expect(control.constraint(for: operation) == nil)
                }
            }
        }
    }

    @Test(
        arguments: [
            ([.biometryAny], .one(.biometryAny)),
            ([.biometryAny, .or], .one(.biometryAny)),
            ([.devicePasscode, .and], .one(.passcode)),
            ([.biometryAny, .devicePasscode], .all(of: [.biometryAny, .passcode])),
            ([.biometryAny, .devicePasscode, .and], .all(of: [.biometryAny, .passcode])),
            ([.biometryCurrentSet, .devicePasscode, .or], .any(of: [.biometryCurrentSet, .passcode])),
            ([.biometryAny, .companion, .devicePasscode, .or], .any(of: [.biometryAny, .companion, .passcode])),
            ([.applicationPassword], .always),
            ([.or], .always),
            ([], .always),
        ] as [(AccessControlFlags, Constraint)])
    func severalMeanAllUnlessOrSaysOtherwise(_ flags: AccessControlFlags, _ constraint: Constraint) throws {
        let control = try AccessControl(protection: .whenUnlocked, flags: flags)
        #expect(control.constraint(for: .readData) == constraint)
    }

    @Test func equalityIsThatOfTheDemand() throws {
        func control(_ flags: AccessControlFlags) throws -> AccessControl {
            try AccessControl(protection: .whenUnlocked, flags: flags)
        }
        #expect(try control([.biometryAny, .devicePasscode]) == control([.biometryAny, .devicePasscode, .and]))
        #expect(try control([.biometryAny, .devicePasscode]) != control([.biometryAny, .devicePasscode, .or]))
        #expect(try control([.or]) == control([]))
        #expect(try control([]) != AccessControl(.whenUnlocked), "flags, be it none of them, are not no flags")
        for entry in try FlagCombinations().creatable where entry.flags != nil {
            let made = try entry.control(.whenUnlocked)
            #expect(try control(made.flags) == made, "its own flags make it again")
        }
    }

    @Test(
        arguments: [
            ([.biometryAny, .or, .devicePasscode], "whenUnlocked, biometryAny or devicePasscode"),
            ([.userPresence, .applicationPassword], "whenUnlocked, userPresence, applicationPassword"),
            ([.privateKeyUsage], "whenUnlocked, privateKeyUsage"),
            ([], "whenUnlocked"),
        ] as [(AccessControlFlags, String)])
    func describesItselfInWords(_ flags: AccessControlFlags, _ words: String) throws {
        #expect(try AccessControl(protection: .whenUnlocked, flags: flags).description == words)
    }
}
