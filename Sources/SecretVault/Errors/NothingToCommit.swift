/// An error that rolls a transaction back although nothing failed: nothing had to be written.
protocol NothingToCommitError: Error {}
