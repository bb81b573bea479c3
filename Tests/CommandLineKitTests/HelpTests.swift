import CommandLineKit
import LatchkeyTools
import MadeUpProgram
import TestSupport
import Testing

/// Tests of the help.
@Suite(.waitsForProcesses) struct HelpTests {
    private static let all = MadeUp.paths(of: Tools.program)

    /// Returns the text on one line, with one space between words.
    private func flowing(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

    @Test(arguments: all + MadeUp.paths) func itTellsAllThatIsDeclared(_ path: [Declaration]) {
        let command = path[path.count - 1]
        let text = HelpText(path).text
        let flowing = flowing(text)
        #expect(text.hasPrefix("usage: " + path.map(\.name).joined(separator: " ")))
        for option in command.options.flatMap(\.options) {
            #expect(text.contains("\n  " + option.names.joined(separator: ", ")), "\(option.names)")
            #expect(flowing.contains(self.flowing(option.says)))
            if let value = option.value { #expect(text.contains("\(option.names.last ?? "") \(value)")) }
        }
        for operand in command.operands { #expect(text.contains(operand.name)) }
        for one in command.commands { #expect(text.contains("\n  \(one.name) ") && flowing.contains(one.summary)) }
        for (line, says) in command.examples { #expect(text.contains("\n  \(line)\n") && flowing.contains(says)) }
        #expect(text.hasSuffix("\n\nExit statuses: \(path[0].name) help exit-status\n"))
    }

    @Test(arguments: all + MadeUp.paths) func noLineIsTooLong(_ path: [Declaration]) {
        let lines = HelpText(path).text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 100 && !$0.hasSuffix(" ") })
        #expect(!HelpText(path).text.contains("\n\n\n") && HelpText(path).text.hasSuffix("\n"))
    }

    @Test(arguments: DaySample.of(all, oneIn: 8)) func allWaysToAskForItAreOne(_ path: [Declaration]) throws {
        let names = path.dropFirst().map(\.name)
        for line in [names + ["--help"], names + ["-h"], ["help"] + names] {
            let run = try Command.run(line)
            #expect(run.status == 0 && run.errors.isEmpty, "\(line)")
            #expect(run.output == HelpText(path).text, "\(line)")
        }
    }

    @Test func helpOfWhatIsNotThereNamesTheNearest() throws {
        let run = try Command.run("help", "matrx")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors == "latchkey: unknown command \"matrx\": did you mean matrix? See latchkey help --help\n")
        #expect(try Command.run("help", "matrix", "x").errors.contains("unknown command \"x\": there are none here"))
    }

    @Test func aCommandWithoutAnyTextIsDescribedByItsSummary() {
        let command = Declaration(name: "x", summary: "do it", operands: [], run: { _ in "" })
        #expect(HelpText([MadeUp.program, command]).text.hasPrefix("usage: latchkey x\n\nDo it.\n"))
    }

    @Test(arguments: all) func examplesComeBeforeTheReference(_ path: [Declaration]) throws {
        let text = HelpText(path).text
        guard let examples = text.firstRange(of: "\nexamples:\n") else {
            #expect(path[path.count - 1].examples.isEmpty)
            return
        }
        let reference =
            ["options"] + path[path.count - 1].options.map(\.heading) + path[path.count - 1].commands.map(\.group)
        for heading in reference where !heading.isEmpty {
            #expect(!text[..<examples.lowerBound].contains("\n\(heading):\n"), "\(heading)")
        }
    }

    @Test func aUsageLineSaysWhatCanBeTyped() {
        func usage(_ command: Declaration) -> String {
            String(HelpText([MadeUp.program, command]).text.prefix { $0 != "\n" })
        }
        #expect(usage(MadeUp.get) == "usage: latchkey get NAME [OPTION…]")
        #expect(usage(MadeUp.run) == "usage: latchkey run [--env NAME]… [--] COMMAND…")
        #expect(
            usage(MadeUp.lend)
                == "usage: latchkey lend [OPTION…] NAME [--] COMMAND…")
        #expect(usage(MadeUp.put) == "usage: latchkey put NAME [FOLDER] [FILE…]")
        #expect(usage(MadeUp.biometry) == "usage: latchkey biometry COMMAND [OPTION…]")
    }

    private struct Wide: OptionList {
        let first = First()
        let three = Option("--a-name-that-is-very-long-indeed", value: "VALUE", says: "three")
    }

    private struct First: OptionList {
        let heading = "first"
        let one = Option("--one", says: String(repeating: "word ", count: 40))
        let two = Option("--two", value: "N", says: "two")
    }

    @Test func groupsComeInTheirOrderAndLongTextIsWrapped() {
        let command = Declaration(
            name: "x", summary: "do", text: "a\nb\n\n  kept   as it is\n\nc",
            options: Wide(),
            examples: [
                ("x --one", "do one"), ("x", String(repeating: "word ", count: 20)),
            ], run: { _ in "" })
        #expect(
            HelpText([command]).text == """
                usage: x [--one] [--two N] [--a-name-that-is-very-long-indeed VALUE]

                a b

                examples:
                  x --one
                      do one
                  x
                      \(String(repeating: "word ", count: 18))word
                      word

                  kept   as it is

                c

                first:
                  --one    \(String(repeating: "word ", count: 17))word
                           \(String(repeating: "word ", count: 17))word
                           word word word word
                  --two N  two

                options:
                  --a-name-that-is-very-long-indeed VALUE
                           three

                Exit statuses: x help exit-status

                """)
    }
}
