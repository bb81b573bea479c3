internal import PlainText

/// The words of a prompt in a window. ``Terminal`` removes control characters from all text of apps and authenticators.
struct PinentryWords {
    /// The most bytes that a description may have. A command takes one line of a thousand.
    private static let longest = 900

    /// The descriptions of the windows, one after the other. The last belongs to the request itself.
    let pages: [String]
    /// The commands that set the rest of the window, each with its argument.
    let settings: [(command: String, argument: String)]

    init(_ content: PromptContent) {
        let words = TerminalWords(content, .plain)
        var lines = words.lines.map { Terminal.line($0).trimmingSpaces }
        var settings: [(String, String)] = []
        let request = words.request.trimmingSpaces
        let (fallback, cancel) = (words.fallback, words.cancel)
        switch content.kind {
        case .biometry where !content.isSensorFake:
            lines.append(request)
            settings +=
                content.offersFallback ? [("SETOK", fallback), ("SETCANCEL", cancel)] : [("SETOK", cancel)]
        case .companion:
            lines.append("Confirm on your companion device, then choose OK here.")
            settings += [("SETOK", "OK"), ("SETCANCEL", cancel)]
            if content.offersFallback { settings.append(("SETNOTOK", fallback)) }
        case .permission:
            lines.append("Allow it?")
            settings += [("SETOK", "Allow"), ("SETCANCEL", cancel)]
        case .biometry, .passcode, .formerPasscode, .newPasscode, .applicationPassword, .newApplicationPassword,
            .recoveryKey, .passphrase, .newPassphrase, .newSecret:
            if content.offersFallback { lines.append("Leave it empty for: \(fallback)") }
            settings += [("SETPROMPT", request), ("SETOK", "OK"), ("SETCANCEL", cancel)]
        }
        pages = Self.pages(of: lines)
        self.settings = settings
    }

    /// Creates the words of a text that the user reads before a prompt.
    init(announcing lines: [String]) {
        pages = Self.pages(of: lines.map { Terminal.line($0) })
        settings = [("SETOK", "Continue"), ("SETCANCEL", "Cancel")]
    }

    init(asking lines: [String]) {
        pages = Self.pages(of: lines.map { Terminal.line($0) })
        settings = [("SETOK", "Yes"), ("SETCANCEL", "No")]
    }

    /// Returns the lines as descriptions, each of which fits into a command.
    static func pages(of lines: [String]) -> [String] {
        var pages: [String] = []
        for line in lines {
            var line = line
            // No line of a prompt is as long, but the user must see all of it if one is.
            while size(of: line) > longest {
                var head = ""
                while let character = line.first, size(of: head) + size(of: String(character)) <= longest {
                    head.append(line.removeFirst())
                }
                if head.isEmpty { head = String(line.removeFirst().unicodeScalars.prefix(1)) }
                pages.append(head)
            }
            if let last = pages.last, size(of: last) + size(of: line) + 3 <= longest {
                pages[pages.count - 1] = "\(last)\n\(line)"
            } else {
                pages.append(line)
            }
        }
        return pages
    }

    private static func size(of text: String) -> Int { PinentryLine.command("", text).utf8.count }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
