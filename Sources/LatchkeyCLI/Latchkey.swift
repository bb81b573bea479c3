/// The `latchkey` command.
@main
enum Latchkey {
    static let version = "0.1.0"

    static let help = """
        latchkey \(version): may this secret be released, now, to whoever is holding the device?

        usage: latchkey COMMAND [OPTION…]

        commands:
          demo     show what a new finger does to a secret, on a vault in a temporary folder
          test     play scenarios, which are unit tests for access policies
          explain  say step by step why a scenario comes out as it does
          matrix   show who can do what with an item, in every condition of its device
          new      write a scenario to begin with
          rules    list the rules by which requests are granted and denied

        options:
          --help, -h   this text; after a command, what that command takes
          --version    the version

        Exit status: 0 done, 1 could not be done, 2 the command line was not understood.

        """

    static func main() {
        Output.reserveDescriptors()
        var arguments = Arguments(CommandLine.arguments.dropFirst())
        do {
            Output.write(try run(&arguments))
        } catch {
            let command = arguments.command.map { " \($0)" } ?? ""
            Output.fail("\(error); see latchkey\(command) --help", status: 2)
        }
    }

    private static func run(_ arguments: inout Arguments) throws(UsageError) -> String {
        switch try arguments.takeCommand(
            among: ["demo", "test", "explain", "matrix", "new", "rules", "help"],
            options: ["--help", "-h", "--version"])
        {
        case "demo": return try DemoCommand.run(&arguments)
        case "matrix": return try MatrixCommand.run(&arguments)
        case "rules": return try RulesCommand.run(&arguments)
        case "explain": return try ExplainCommand.run(&arguments)
        case "new": return try NewCommand.run(&arguments)
        case "test": return try TestCommand.run(&arguments)
        case "--version":
            try arguments.end()
            return "latchkey \(version)\n"
        default:
            try arguments.end()
            return help
        }
    }
}
