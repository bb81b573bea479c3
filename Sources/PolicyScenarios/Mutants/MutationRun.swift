package import AccessPolicy
internal import DeviceModel
package import ScenarioFormat
internal import SecretVault
internal import Synchronization

/// A test of a suite's strength: it changes each access policy and checks that some scenario fails.
///
/// Items with the same name and the same access policy count as one policy, in however many scenarios they are. A
/// mutant is noticed if one of these scenarios fails.
package struct MutationRun: Sendable {
    /// The access policy of an item, with the scenarios that it is in.
    package struct Policy: Sendable {
        /// The name of the item.
        package let item: String
        /// The access policy.
        package let control: AccessControl
        let itemClass: ItemClass
        let isSynchronizable: Bool
        let devices: Set<MatrixDevice>
        let places: [(scenario: Int, item: Int)]
        /// The position of its first declaration.
        package let position: Position

        /// The number of scenarios that it is in.
        package var count: Int { places.count }
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

    /// A mutant of a policy, with its fate.
    package struct Result: Sendable {
        /// The policy.
        package let policy: Policy
        /// The changed policy.
        package let mutant: Mutant
        /// The fate of the mutant.
        package let fate: Fate
    }

    /// The scenarios, unchanged.
    package let scenarios: [Scenario]
    /// The access policies in them.
    package let policies: [Policy]

    /// Collects the access policies of these scenarios.
    package init(_ scenarios: [Scenario]) {
        self.scenarios = scenarios
        struct Key: Hashable {
            let item: String
            let control: AccessControl
            let itemClass: ItemClass
            let isSynchronizable: Bool
        }
        var places: [Key: [(scenario: Int, item: Int)]] = [:]
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
                position: scenarios[first.scenario].items[first.item].position)
        }
    }

    /// Tries every mutant, several at a time.
    ///
    /// `report` receives the number of mutants that were tried and the number of all, one call at a time.
    package func run(threads: Int? = nil, _ report: (Int, Int) -> Void = { _, _ in }) -> [Result] {
        let tries = policies.flatMap { policy in Mutant.all(of: policy.control).map { (policy, $0) } }
        let done = Mutex(0)
        return withoutActuallyEscaping(report) { report in
            // The lock below makes the calls one at a time, so the closure need not be sendable.
            nonisolated(unsafe) let report = report
            return Suite.concurrently(tries.count, threads: threads) { place in
                let (policy, mutant) = tries[place]
                let result = Result(policy: policy, mutant: mutant, fate: fate(of: mutant, policy))
                done.withLock { done in
                    done += 1
                    report(done, tries.count)
                }
                return result
            }
        }
    }

    /// Returns the fate of a mutant.
    ///
    /// The scenarios play first, so a mutant that one of them notices is never called equivalent.
    private func fate(of mutant: Mutant, _ policy: Policy) -> Fate {
        var isUnfit = false
        for (number, item) in policy.places {
            var scenario = scenarios[number]
            scenario.items[item].control = mutant.control
            let result = scenario.run()
            // A mutant that cannot be stored fails every scenario, even one that expects nothing. So it does not count
            // as noticed.
            if !result.began { isUnfit = true } else if !result.passed { return .noticed(number) }
        }
        if policy.cannotTell(mutant.control) { return .equivalent }
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
