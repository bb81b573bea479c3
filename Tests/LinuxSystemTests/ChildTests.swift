import Glibc
import LinuxSystem
import TestSupport
import Testing

/// The descriptors, groups and signals that a started program inherits.
@Suite struct ChildTests {
    /// Runs `script` as `child`, and returns its output and its exit status.
    private func run(
        _ script: String, as child: Child = Child(), environment: [String] = ["PATH=/usr/bin:/bin"]
    ) throws -> (text: String, status: Int32) {
        let pipe = try Pipe()
        var child = child
        child.output = .descriptor(pipe.writing)
        let process: Int32
        do {
            defer { close(pipe.writing) }
            process = try child.start("/bin/sh", ["sh", "-c", script], environment: environment)
        }
        defer { close(pipe.reading) }
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(pipe.reading, &bytes, bytes.count)
            if count <= 0 { break }
            text += bytes[..<count]
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return (String(decoding: text, as: UTF8.self), status)
    }

    @Test func itHasItsWordsAndItsEnvironmentAndNoOther() throws {
        #expect(try run("echo $0 $HOME; env", environment: ["HOME=/there"]).text.hasPrefix("sh /there\n"))
        let variables = try run("/usr/bin/env", environment: ["A=b=c"]).text.split(separator: "\n")
        #expect(variables.contains("A=b=c") && !variables.contains { $0.hasPrefix("HOME=") })
        #expect(try run("exit 7").status == 7 << 8)
    }

    @Test func whatCannotBeStartedSaysWhy() throws {
        let error = try #require(throws: SystemError.self) {
            try Child().start("/nowhere/at/all", ["all"], environment: [String]())
        }
        #expect(error == SystemError(ENOENT) && "\(error)" == "No such file or directory")
        // The system says so if one of the folders cannot be searched.
        let isSearchable = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
            .allSatisfy { access(String($0), X_OK) == 0 || errno == ENOENT }
        #expect(throws: SystemError(isSearchable ? ENOENT : EACCES)) {
            try Child().start("no-program-has-this-name", isSearched: true, ["x"], environment: [String]())
        }
        #expect(throws: SystemError(EACCES)) { try Child().start("/", ["x"], environment: [String]()) }
    }

    @Test func aNameIsLookedForWhereItIsSearched() throws {
        let process = try Child().start("true", isSearched: true, ["true"], environment: [String]())
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        #expect(status == 0)
    }

    @Test func streamsGoWhereTheyAreSent() throws {
        var child = Child()
        child.input = .nothing
        child.errors = .withOutput
        #expect(try run("cat; echo out; echo err >&2", as: child).text == "out\nerr\n")
        child.errors = .nothing
        #expect(try run("echo out; echo err >&2", as: child).text == "out\n")
        let pipe = try Pipe()
        defer { close(pipe.reading) }
        #expect(write(pipe.writing, "in\n", 3) == 3)
        close(pipe.writing)
        child.input = .descriptor(pipe.reading)
        #expect(try run("cat", as: child).text == "in\n")
    }

    /// Lists the descriptors that a child has besides the first three, as `sh` sees them. The list begins with the
    /// descriptor that `sh` lists the folder with, under any free number; it is gone when the loop runs.
    private static let listing =
        "for file in /proc/$$/fd/*; do n=${file##*/}; [ $n -gt 2 ] && [ -L $file ] && echo $n; done; true"

    @Test func onlyTheDescriptorsThatAreMeantReachIt() throws {
        let kept = try Pipe()
        defer { kept.close() }
        // Without the close-on-exec flag, every child inherits an open file.
        let careless = open("/dev/null", O_RDONLY)
        defer { close(careless) }
        func has(_ child: Child) throws -> Set<Int32> {
            Set(try run(Self.listing, as: child).text.split(separator: "\n").compactMap { Int32($0) })
        }
        var child = Child()
        let usual = try has(child)
        #expect(usual.contains(careless) && !usual.contains(kept.reading) && !usual.contains(kept.writing))
        child.kept = [kept.writing]
        let meant = try has(child)
        #expect(meant.contains(kept.writing) && !meant.contains(kept.reading))
        child.kept = []
        child.closesOthers = true
        #expect(try !has(child).contains(careless))
        child.kept = [kept.writing]
        let only = try has(child)
        #expect(only.contains(kept.writing) && !only.contains(kept.reading) && !only.contains(careless))
    }

    @Test func companyIsAsAskedFor() throws {
        // The fields for the group and the session follow the name in parentheses.
        let script = "read -r line </proc/$$/stat; set -- ${line##*)}; echo $3 $4 $$"
        func numbers(_ company: Child.Company) throws -> [Int32] {
            var child = Child()
            child.company = company
            return try run(script, as: child).text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        }
        let ours = try numbers(.ours)
        #expect(ours.prefix(2) == [getpgrp(), getsid(0)])
        let ownGroup = try numbers(.ownGroup)
        #expect(ownGroup[0] == ownGroup[2] && ownGroup[1] == getsid(0))
        let ownSession = try numbers(.ownSession)
        #expect(ownSession[0] == ownSession[2] && ownSession[1] == ownSession[2])
    }

    /// Returns the signals that a program ignores and blocks, as masks. (A shell blocks signals while it waits.)
    private func signals(_ child: Child) throws -> (held: UInt64, ignored: UInt64) {
        let text = try run("exec grep -E '^Sig(Blk|Ign)' /proc/self/status", as: child).text
        let masks = text.split(separator: "\n").compactMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
        try #require(masks.count == 2)
        // The C library has two signals of its own above these, and handles them itself.
        let known: UInt64 = 1 << 31 - 1
        return (masks[0] & known, masks[1] & known)
    }

    @Test func signalsAreAsAtBirthUnlessTheyAreHeldBack() throws {
        let former = SignalSet([SIGUSR2]).hold()
        defer { former.holdOnly() }
        let atBirth = try signals(Child())
        #expect(atBirth.held == 0)
        // A shell that runs the tests in the background makes them ignore the keys of its terminal.
        let keys: UInt64 = 1 << (SIGINT - 1) | 1 << (SIGQUIT - 1)
        #expect(atBirth.ignored & ~keys == 0)
        var child = Child()
        child.held = SignalSet([SIGUSR1])
        #expect(try signals(child).held == 1 << UInt64(SIGUSR1 - 1))
    }
}
