import Measuring

// Prints the figures of what has Apple's names, or those groups of them that are named.

try measure(
    Array(CommandLine.arguments.dropFirst()),
    of: [("reads", readsAgainstFloor), ("devices", devices), ("evaluations", evaluations)])
