package import AccessPolicy

/// One choice of ``Fidelity`` as the keybag keeps it: a byte at its place.
package struct KeptChoice: Sendable {
    /// The number of the choice that a vault made where the format did not keep it yet: a constant of the format, and never
    /// the default of today.
    let absent: UInt8
    /// The numbers of all choices that there are.
    package let numbers: [UInt8]
    /// The number of the choice.
    package let number: @Sendable (Fidelity) -> UInt8
    /// Makes the choice with this number; false where there is none.
    package let choose: @Sendable (inout Fidelity, UInt8) -> Bool

    fileprivate init<Choice: RawRepresentable<UInt8> & CaseIterable & Sendable>(
        _ choice: any WritableKeyPath<Fidelity, Choice> & Sendable, absent: Choice
    ) {
        self.absent = absent.rawValue
        numbers = Choice.allCases.map(\.rawValue)
        number = { $0[keyPath: choice].rawValue }
        choose = { fidelity, number in
            guard let value = Choice(rawValue: number) else { return false }
            fidelity[keyPath: choice] = value
            return true
        }
    }

    /// Every choice, in the order in which the keybag keeps them. A new one goes to the end.
    package static let all: [KeptChoice] = [
        KeptChoice(\.addWithoutPasscode, absent: .notAvailable),
        KeptChoice(\.changedSet, absent: .notFoundWhileBiometryExists),
        KeptChoice(\.duplicate, absent: .authenticates),
        KeptChoice(\.attributes, absent: .authenticated),
        KeptChoice(\.contextLifetime, absent: .untilInvalidated),
        KeptChoice(\.lockoutHit, absent: .authenticationFailed),
        KeptChoice(\.sensorReset, absent: .replacesSensor),
        KeptChoice(\.presence, absent: .biometryOrPasscode),
        KeptChoice(\.addDuringLockout, absent: .allowed),
        KeptChoice(\.passcodeTimeout, absent: .current),
        KeptChoice(\.passcodeDelays, absent: .older),
        KeptChoice(\.boundSynchronizable, absent: .accepted),
        KeptChoice(\.successText, absent: .noError),
        KeptChoice(\.dataOfSeveral, absent: .given),
        KeptChoice(\.resultOfUpdate, absent: .refused),
        KeptChoice(\.demandByUpdate, absent: .changed),
        KeptChoice(\.limitOfDelete, absent: .refused),
        KeptChoice(\.matchOnAdd, absent: .storesNothing),
        KeptChoice(\.emptyPort, absent: .accepted),
    ]

    /// How many choices the first format kept.
    fileprivate static let first = 13
    /// How many the second kept. At least as many are always written, so that its vaults keep their bytes.
    fileprivate static let second = 16
}

extension Fidelity {
    /// Writes every choice up to the last that says something else than its absence does.
    func write(to bytes: inout [UInt8]) {
        var numbers = KeptChoice.all.map { $0.number(self) }
        while numbers.count > KeptChoice.second, numbers.last == KeptChoice.all[numbers.count - 1].absent {
            numbers.removeLast()
        }
        bytes.write(numbers)
    }

    init(from reader: inout ByteReader) throws {
        let numbers = try reader.bytes()
        guard numbers.count == KeptChoice.first || (KeptChoice.second...KeptChoice.all.count).contains(numbers.count)
        else { throw ByteReader.Malformed() }
        self.init()
        for (place, choice) in KeptChoice.all.enumerated() {
            let number = place < numbers.count ? numbers[place] : choice.absent
            guard choice.choose(&self, number) else { throw ByteReader.Malformed() }
        }
    }
}
