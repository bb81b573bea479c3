extension AccessControl {
    /// Returns true if everything that opens an item under this policy would have opened it under `other` too.
    ///
    /// A former value of a secret may be kept under a new policy only if this is true, so that it never opens more easily
    /// than before. The answer is false if it is not certain.
    ///
    /// - Parameters:
    ///   - other: The policy that the item had.
    ///   - binding: The enrolled set and the class key that the item is bound to under this policy.
    ///   - otherBinding: Those that it was bound to under `other`.
    ///   - fidelity: The choices of the device.
    package func isAtLeastAsStrict(
        as other: AccessControl, _ binding: Binding, _ otherBinding: Binding, _ fidelity: Fidelity
    ) -> Bool {
        guard kind != .key, other.kind != .key else { return false }
        guard protection.keyClass.rawValue >= other.protection.keyClass.rawValue,
            protection.isThisDeviceOnly || !other.protection.isThisDeviceOnly, hasFlags || !other.hasFlags
        else { return false }
        let others = other.ways(fidelity)
        return ways(fidelity).allSatisfy { way in
            others.contains { wanted in
                guard wanted.isSubset(of: way) else { return false }
                return !wanted.contains(.biometry) || matchesNoMore(than: other, binding, otherBinding)
            }
        }
    }

    /// Returns true if every match that counts under this policy counts under `other` too.
    private func matchesNoMore(than other: AccessControl, _ binding: Binding, _ otherBinding: Binding) -> Bool {
        let (state, otherState) = (binding.domainState, otherBinding.domainState)
        switch (guarding.biometry, other.guarding.biometry) {
        case (_, .unbound): return true
        case (.currentSet, .currentSet): return state == otherState
        case (.currentSet, .anyOfSensor), (.anyOfSensor, .anyOfSensor): return state.sensor == otherState.sensor
        case (.unbound, .currentSet), (.unbound, .anyOfSensor), (.anyOfSensor, .currentSet): return false
        }
    }
}
