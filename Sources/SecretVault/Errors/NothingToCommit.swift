/// Ends a transaction for which nothing was written, because nothing was to be.
protocol NothingToCommitError: Error {}
