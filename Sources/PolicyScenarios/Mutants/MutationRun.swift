package import AccessPolicy
internal import DeviceModel
package import ScenarioFormat
internal import SecretVault
internal import Synchronization

/// A test of a suite's strength: it changes each access policy and each file, and checks that some scenario fails.
///
/// Items with the same name and the same access policy count as one policy, in however many scenarios they are, and so
/// do files with the same name, class and exclusion. A mutant is noticed if one of these scenarios fails.
package struct MutationRun: Sendable {
    /// The access policy of an item, with the scenarios that it is in.
    package struct Policy: Sendable {
        /// The name of the item.
        package let item: String
        package let control: AccessControl
        let itemClass: ItemClass
        let isSynchronizable: Bool
        let devices: Set<MatrixDevice>
        let places: [(scenario: Int, subject: Int)]
        /// The position of its first declaration.
        package let position: Position
    }

    /// The fate of a mutant.
    package enum Fate: Sendable {
        /// The scenario with this index failed.
        case noticed(Int)
        /// No device that the scenarios can come to tells the mutant from the policy.
        case equivalent
        /// The devices cannot store an item with the mutant, so nothing was tried.
        case unfit
        /// No scenario failed.
        case unnoticed
    }

    /// A file, with the scenarios that it is in.
    package struct File: Sendable {
        package let name: String
        /// The class of the file and its exclusion from backups.
        package let choice: FileChoice
        let devices: Set<MatrixDevice>
        let places: [(scenario: Int, subject: Int)]
        /// True if one of the scenarios begins with the file.
        let isStored: Bool
        /// The position of its first declaration.
        package let position: Position
    }

    /// The subject of a mutant: the policy of an item, or the choices about a file.
    package enum Subject: Sendable {
        case item(Policy)
        case file(File)

        /// The name of the item or the file.
        package var name: String {
            switch self {
            case .item(let policy): policy.item
            case .file(let file): file.name
            }
        }

        /// The policy in words.
        package var words: String {
            switch self {
            case .item(let policy): "\(policy.control)"
            case .file(let file): "\(file.choice)"
            }
        }

        /// The position of the first declaration.
        package var position: Position {
            switch self {
            case .item(let policy): policy.position
            case .file(let file): file.position
            }
        }

        /// The number of scenarios that it is in.
        package var count: Int {
            switch self {
            case .item(let policy): policy.places.count
            case .file(let file): file.places.count
            }
        }
    }

    /// A change, with its words.
    package struct Change: Sendable {
        /// The effect of the change as a verb phrase.
        package let words: String
        /// The changed policy in words.
        package let policy: String
    }

    /// A mutant, with its fate.
    package struct Result: Sendable {
        /// The subject before the change.
        package let subject: Subject
        package let mutant: Change
        package let fate: Fate
    }

    /// The scenarios, unchanged.
    package let scenarios: [Scenario]
    package let policies: [Policy]
    package let files: [File]

    /// Collects the access policies and the files of these scenarios.
    package init(_ scenarios: [Scenario]) {
        self.scenarios = scenarios
        files = Self.files(in: scenarios)
        struct Key: Hashable {
            let item: String
            let control: AccessControl
            let itemClass: ItemClass
            let isSynchronizable: Bool
        }
        var places: [Key: [(scenario: Int, subject: Int)]] = [:]
        var order: [Key] = []
        for (number, scenario) in scenarios.enumerated() {
            for (place, item) in scenario.items.enumerated() {
                let key = Key(
                    item: item.name, control: item.control, itemClass: item.itemClass,
                    isSynchronizable: item.isSynchronizable)
                if places[key] == nil { order.append(key) }
                places[key, default: []].append((number, place))
            }
        }
        policies = order.compactMap { key in
            guard let places = places[key], let first = places.first else { return nil }
            let devices = places.flatMap { scenarios[$0.scenario].reachableDevices }
            return Policy(
                item: key.item, control: key.control, itemClass: key.itemClass,
                isSynchronizable: key.isSynchronizable, devices: Set(devices), places: places,
                position: scenarios[first.scenario].items[first.subject].position)
        }
    }

    private static func files(in scenarios: [Scenario]) -> [File] {
        struct Key: Hashable {
            let name: String
            let choice: FileChoice
        }
        var places: [Key: [(scenario: Int, subject: Int)]] = [:]
        var order: [Key] = []
        for (number, scenario) in scenarios.enumerated() {
            for (place, file) in scenario.files.enumerated() {
                let key = Key(name: file.name, choice: file.choice)
                if places[key] == nil { order.append(key) }
                places[key, default: []].append((number, place))
            }
        }
        return order.compactMap { key in
            guard let places = places[key], let first = places.first else { return nil }
            return File(
                name: key.name, choice: key.choice,
                devices: Set(places.flatMap { scenarios[$0.scenario].reachableDevices }), places: places,
                isStored: places.contains { scenarios[$0.scenario].files[$0.subject].isStored },
                position: scenarios[first.scenario].files[first.subject].position)
        }
    }

    /// Tries every mutant, several at a time.
    ///
    /// `report` receives the number of mutants that were tried and the number of all, one call at a time.
    package func run(threads: Int? = nil, _ report: (Int, Int) -> Void = { _, _ in }) -> [Result] {
        let tries: [Try] =
            policies.flatMap { policy in Mutant.all(of: policy.control).map { .item(policy, $0) } }
            + files.flatMap { file in FileMutant.all(of: file.choice).map { .file(file, $0) } }
        let done = Mutex(0)
        return withoutActuallyEscaping(report) { report in
            // The lock below makes the calls one at a time, so the closure need not be sendable.
            nonisolated(unsafe) let report = report
            return Suite.concurrently(tries.count, threads: threads) { place in
                let result = result(tries[place])
                done.withLock { done in
                    done += 1
                    report(done, tries.count)
                }
                return result
            }
        }
    }

    /// A mutant to try.
    private enum Try {
        case item(Policy, Mutant)
        case file(File, FileMutant)
    }

    private func result(_ one: Try) -> Result {
        switch one {
        case .item(let policy, let mutant):
            let fate = fate(policy.places, cannotTell: policy.cannotTell(mutant.control)) {
                $0.items[$1].control = mutant.control
            }
            return Result(
                subject: .item(policy), mutant: Change(words: mutant.words, policy: "\(mutant.control)"), fate: fate)
        case .file(let file, let mutant):
            let fate = fate(file.places, cannotTell: file.cannotTell(mutant.choice)) {
                $0.files[$1].choice = mutant.choice
            }
            return Result(
                subject: .file(file), mutant: Change(words: mutant.words, policy: "\(mutant.choice)"), fate: fate)
        }
    }

    /// Returns the fate of a mutant, which `change` makes of the subject at these places.
    ///
    /// The scenarios play first, so a mutant that one of them notices is never called equivalent.
    private func fate(
        _ places: [(scenario: Int, subject: Int)], cannotTell: @autoclosure () -> Bool,
        _ change: (inout Scenario, Int) -> Void
    ) -> Fate {
        var isUnfit = false
        for (number, subject) in places {
            var scenario = scenarios[number]
            change(&scenario, subject)
            let result = scenario.run()
            // A mutant that cannot be stored fails every scenario, even one that expects nothing. So it does not count
            // as noticed.
            if !result.began { isUnfit = true } else if !result.passed { return .noticed(number) }
        }
        if cannotTell() { return .equivalent }
        return isUnfit ? .unfit : .unnoticed
    }
}

extension MutationRun.Policy {
    /// Returns true if no person gets another answer under `other`, in any condition of the devices that the scenarios
    /// can come to.
    fileprivate func cannotTell(_ other: AccessControl) -> Bool {
        devices.allSatisfy { table(of: control, on: $0) == table(of: other, on: $0) }
    }

    private func table(of control: AccessControl, on device: MatrixDevice) -> Matrix {
        let isKey = itemClass.isEnclaveKey(under: control)
        return Matrix(of: MatrixPolicy(control, isKey: isKey, isSynchronizable: isSynchronizable), on: device)
    }
}

extension MutationRun.File {
    /// Returns true if no step gets another answer with `other`, in any condition of the devices that the scenarios can
    /// come to. A backup tells whether a file is excluded, unless no scenario begins with the file.
    fileprivate func cannotTell(_ other: FileChoice) -> Bool {
        if other.isExcludedFromBackup != choice.isExcludedFromBackup { return !isStored }
        return devices.allSatisfy { device in
            let matrix = FileMatrix(on: device)
            return matrix.answers(of: choice.protection) == matrix.answers(of: other.protection)
        }
    }
}

extension FileSetup {
    fileprivate var choice: FileChoice {
        get { FileChoice(protection, isExcludedFromBackup: isExcludedFromBackup) }
        set { (protection, isExcludedFromBackup) = (newValue.protection, newValue.isExcludedFromBackup) }
    }
}
