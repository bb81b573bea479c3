import Measuring

// Prints the figures of the modules with Apple's names, or only the named groups.

try measure(
    Array(CommandLine.arguments.dropFirst()),
    of: [
        ("reads", readsAgainstFloor), ("devices", devices), ("evaluations", evaluations), ("accounts", accountSteps),
        ("account-devices", devicesOfAccounts),
    ])
