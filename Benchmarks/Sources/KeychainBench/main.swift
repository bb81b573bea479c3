import Measuring

// Prints the figures of the keychain, or those groups of them that are named.

try measure(
    Array(CommandLine.arguments.dropFirst()),
    of: [("reads", readsAgainstFloor), ("protected", protectedReads), ("creation", creation), ("pam", pamTransactions)])
