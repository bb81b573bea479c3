package import AccessPolicy
internal import DeviceModel
package import ScenarioFormat
internal import SecretVault
internal import Synchronization

/// Tries whether a suite notices it when a policy is another than it is.
///
/// An item of one name and one demand is one policy, in however many scenarios it is; a mutant of it is noticed when one of them
/// fails.
package struct MutationRun: Sendable {
    /// An item's demand, with the scenarios that it is in.
    package struct Policy: Sendable {
        package let item: String
        package let control: AccessControl
        let itemClass: ItemClass
        let isSynchronizable: Bool
        let devices: Set<MatrixDevice>
        let places: [(scenario: Int, item: Int)]
        /// Where it is declared first.
        package let position: Position

        /// In how many scenarios it is.
        package var count: Int { places.count }
    }

    /// What became of a mutant.
    package enum Fate: Sendable {
        /// A scenario failed: this one.
        case noticed(Int)
        /// No device that the scenarios can come to tells it from the policy.
        case equivalent
        /// An item that has it cannot be stored on these devices, so that nothing was tried.
        case unfit
        /// Nothing failed.
        case unnoticed
    }

    /// One mutant of one policy, and what became of it.
    package struct Result: Sendable {
        package let policy: Policy
        package let mutant: Mutant
        package let fate: Fate
    }

    /// The scenarios, as they are.
    package let scenarios: [Scenario]
    /// The policies in them.
    package let policies: [Policy]

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

    /// Tries every mutant, several at a time. `report` is told how many were tried.
    package func run(threads: Int? = nil, _ report: (Int, Int) -> Void = { _, _ in }) -> [Result] {
        let tries = policies.flatMap { policy in Mutant.all(of: policy.control).map { (policy, $0) } }
        let done = Mutex(0)
        return withoutActuallyEscaping(report) { report in
            // It is called by one thread at a time.
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

    /// The scenarios are played first: what one of them tells apart is never called equivalent.
    private func fate(of mutant: Mutant, _ policy: Policy) -> Fate {
        var isUnfit = false
        for (number, item) in policy.places {
            var scenario = scenarios[number]
            scenario.items[item].control = mutant.control
            let result = scenario.run()
            // That it cannot begin would show in any scenario, also in one that expects nothing.
            if !result.began { isUnfit = true } else if !result.passed { return .noticed(number) }
        }
        if policy.cannotTell(mutant.control) { return .equivalent }
        return isUnfit ? .unfit : .unnoticed
    }
}

extension MutationRun.Policy {
    /// Whether nobody, in no condition of the devices that its scenarios can come to, gets something else under the other demand.
    fileprivate func cannotTell(_ other: AccessControl) -> Bool {
        devices.allSatisfy { table(of: control, on: $0) == table(of: other, on: $0) }
    }

    private func table(of control: AccessControl, on device: MatrixDevice) -> Matrix {
        let isKey = itemClass.isEnclaveKey(under: control)
        return Matrix(of: MatrixPolicy(control, isKey: isKey, isSynchronizable: isSynchronizable), on: device)
    }
}
