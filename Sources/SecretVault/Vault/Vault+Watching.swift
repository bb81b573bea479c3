extension Vault {
    /// Has `watcher` told of every decision from now on. It is called while the vault is held, and must not use it.
    package func watch(by watcher: @escaping @Sendable (WatchedDecision) -> Void) throws(VaultError) {
        try run { $0.decider.watcher = watcher }
    }

    /// Has `observer` told where transactions are, on whichever thread they happen. For tests of what a crash leaves.
    package func observeTransactions(_ observer: @escaping @Sendable (TransactionMoment) -> Void) throws(VaultError) {
        try run { $0.store.observer = observer }
    }
}
