internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SecretTools

/// A choice between several names at the terminal: with fzf if it is installed, otherwise by numbers.
enum NameChoice {
    /// The largest number of names that a list by numbers shows.
    private static let longestList = 20
    /// The program for the choice. It gets names and nothing else, and only root can have put it there.
    private static let finder = "/usr/bin/fzf"
    /// The variables that the program gets. Its own could make it run commands.
    private static let variables = ["TERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR", "COLORTERM"]

    /// Returns the name that the user chooses instead of `word`.
    ///
    /// - Throws: `AgentError` if the user chooses none.
    static func ask(_ word: String, among names: [String]) throws(AgentError) -> String {
        let chosen = canFind ? find(word, among: names) : pick(word, among: names)
        guard let chosen, names.contains(chosen) else {
            throw AgentError(.dismissed, "no secret \(word), and you chose none of the \(names.count) names like it")
        }
        return chosen
    }

    /// True if the program is there, only root can change it, and the terminal can show it.
    private static var canFind: Bool {
        guard let terminal = getenv("TERM"), !["", "dumb"].contains(String(cString: terminal)) else { return false }
        var status = stat()
        guard stat(finder, &status) == 0, status.st_uid == 0, status.st_mode & 0o022 == 0, access(finder, X_OK) == 0
        else { return false }
        do { return try PathTrust.openParent(of: finder) == nil } catch { return false }
    }

    private static func find(_ word: String, among names: [String]) -> String? {
        guard let list = try? Pipe() else { return nil }
        guard let chosen = try? Pipe() else {
            list.close()
            return nil
        }
        defer { close(chosen.reading) }
        // All of it fits into the pipe, so this process never waits for the program to read.
        var text = ""
        for name in names where text.utf8.count + name.utf8.count < Int(PIPE_BUF) * 8 { text += name + "\n" }
        _ = Output.write(text, to: list.writing)
        close(list.writing)
        var child = Child()
        (child.input, child.output) = (.descriptor(list.reading), .descriptor(chosen.writing))
        let environment = variables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let words = ["fzf", "--no-multi", "--reverse", "--prompt=secret: ", "--query=\(word)"]
        let process = try? child.start(finder, words, environment: environment)
        close(list.reading)
        close(chosen.writing)
        guard let process else { return pick(word, among: names) }
        var answer = [UInt8](repeating: 0, count: Int(PIPE_BUF))
        var count = 0
        repeat { count = read(chosen.reading, &answer, answer.count) } while count < 0 && errno == EINTR
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        let line = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
        return line.hasSuffix("\n") ? String(line.dropLast()) : nil
    }

    /// Shows the names with numbers, and returns the one whose number the user types.
    private static func pick(_ word: String, among names: [String]) -> String? {
        let shown = names.prefix(longestList)
        var question = "No secret \(Terminal.line(word)). These names are like it:\n"
        for (place, name) in shown.enumerated() {
            let number = String(place + 1)
            question += String(repeating: " ", count: 4 - number.count) + "\(number)  \(Terminal.line(name))\n"
        }
        if shown.count < names.count { question += "      and \(names.count - shown.count) more\n" }
        guard let answer = DoctorQuestion.ask(question + "Number: "), let number = Int(answer),
            shown.indices ~= number - 1
        else { return nil }
        return shown[number - 1]
    }
}
