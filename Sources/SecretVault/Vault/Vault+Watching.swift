extension Vault {
    /// Calls `watcher` with every decision from now on. The vault calls it during an operation, so it must not use the
    /// vault.
    package func watch(by watcher: @escaping @Sendable (WatchedDecision) -> Void) throws(VaultError) {
        try run { $0.decider.watcher = watcher }
    }

    /// Calls `watcher` with every decision about a file from now on, in the same way.
    package func watchFiles(by watcher: @escaping @Sendable (WatchedFileDecision) -> Void) throws(VaultError) {
        try run { $0.decider.fileWatcher = watcher }
    }

    /// Calls `observer` at certain moments of each transaction, on the thread of that transaction. Tests use this to
    /// end a process there.
    package func observeTransactions(_ observer: @escaping @Sendable (TransactionMoment) -> Void) throws(VaultError) {
        try run { $0.store.observer = observer }
    }
}
