import Measuring

// Prints the figures of the keychain, or only the named groups.

try measure(
    Array(CommandLine.arguments.dropFirst()),
    of: [
        ("reads", readsAgainstFloor), ("protected", protectedReads), ("creation", creation), ("pam", pamTransactions),
        ("files", protectedFiles),
    ])
