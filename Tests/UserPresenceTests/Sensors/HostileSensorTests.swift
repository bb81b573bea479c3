import DeviceModel
import Foundation
import TestSupport
import Testing
import UserPresence

/// A broken or hostile sensor command: it never matches, it takes no longer than the time that was set, and nothing of
/// it
/// stays behind.
@Suite struct HostileSensorTests {
    /// A fault of a command, and the error for it.
    struct Misdeed: CustomTestStringConvertible, Sendable {
        var what: String
        var body: String
        var failure: SensorError

        var testDescription: String { what }
    }

    private static let match = #"echo '{"matched":"x"}'"#

    static let misdeeds: [Misdeed] = [
        .init(what: "sleeps for ever", body: "sleep 600", failure: .timedOut),
        .init(what: "sleeps for ever after a match", body: match + "; sleep 600", failure: .timedOut),
        .init(what: "prints half a line and sleeps", body: #"printf '{"matched":'; sleep 600"#, failure: .timedOut),
        .init(
            what: "prints half a line and exits", body: #"printf '{"matched":'"#,
            failure: .garbage("its last line has no end")),
        .init(
            what: "prints a whole match without a line's end", body: #"printf '{"matched":"x"}'"#,
            failure: .garbage("its last line has no end")),
        .init(what: "says nothing", body: "exit 0", failure: .ended("no final line")),
        .init(what: "only talks", body: #"echo '{"say":"x"}'"#, failure: .ended("no final line")),
        .init(what: "exits with 3", body: "exit 3", failure: .ended("status 3")),
        .init(what: "prints a match and exits with 1", body: match + "; exit 1", failure: .ended("status 1")),
        .init(what: "prints a match and kills itself", body: match + "; kill -KILL $$", failure: .ended("signal 9")),
        .init(what: "prints a match and crashes", body: match + "; kill -SEGV $$", failure: .ended("signal 11")),
        .init(
            what: "prints a match and another", body: match + "; " + match,
            failure: .garbage("something stands after its final line")),
        .init(
            what: "prints a match and garbage", body: match + "; echo x",
            failure: .garbage("something stands after its final line")),
        .init(
            what: "prints a match and half a line", body: match + "; printf x",
            failure: .garbage("its last line has no end")),
        .init(
            what: "prints a match with another name", body: #"echo '{"matched":"x","sure":true}'"#,
            failure: .garbage("its final line has other names than matched")),
        .init(
            what: "answers something else", body: #"echo '{"enrolled":"x"}'"#,
            failure: .garbage("its final line has other names than matched")),
        .init(
            what: "prints garbage", body: "echo garbage; sleep 600",
            failure: .garbage("line 1 is no JSON: expected a value, at byte 0")),
        .init(
            what: "prints invalid UTF-8", body: #"printf '{"matched":"\377"}\n'"#,
            failure: .garbage("line 1 is no JSON: a string that is not UTF-8, at byte 13")),
        .init(
            what: "prints a zero byte", body: #"printf '{"matched":"x\000"}\n'"#,
            failure: .garbage("line 1 is no JSON: a control character in a string, at byte 13")),
        .init(what: "prints 10 MB in one line", body: "head -c 10000000 /dev/zero", failure: .flooded),
        .init(what: "prints 10 MB of lines", body: #"yes '{"say":"x"}' | head -c 10000000"#, failure: .flooded),
        .init(what: "talks without end", body: #"yes '{"say":"x"}'"#, failure: .flooded),
        .init(
            what: "talks slowly without end", body: #"while :; do echo '{"say":"x"}'; sleep 0.1; done"#,
            failure: .timedOut),
        .init(what: "drips without end", body: "while :; do printf ' '; sleep 0.05; done", failure: .timedOut),
        .init(
            what: "leaves its output to a grandchild", body: match + "; sleep 600 & exit 0",
            failure: .ended("something that it started holds its output open")),
        .init(
            what: "leaves its output to a grandchild in another session", body: match + "; setsid sleep 5 & exit 0",
            failure: .ended("something that it started holds its output open")),
        .init(
            what: "leaves its output to a grandchild and fails", body: match + "; sleep 600 & exit 4",
            failure: .ended("status 4")),
        .init(what: "closes its output and stays", body: match + "; exec >&-; sleep 600", failure: .timedOut),
        .init(
            what: "ignores every signal", body: "trap '' TERM INT HUP QUIT PIPE; sleep 600; sleep 600",
            failure: .timedOut),
        .init(
            what: "goes over to our process group", body: "exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 600'",
            failure: .timedOut),
        .init(what: "stops itself", body: match + "; kill -STOP $$", failure: .timedOut),
    ]

    @Test(arguments: misdeeds)
    func itIsNoMatch(_ misdeed: Misdeed) throws {
        let script = try SensorScript(#"echo $$ >"$HERE/process""# + "\n" + misdeed.body)
        let sensor = script.sensor(patience: .milliseconds(1500))
        var found: SensorError?
        let time = ContinuousClock().measure {
            found = failure { () throws(SensorError) in try sensor.match(showing: nil, until: fingerPrompt()) }
        }
        #expect(found == misdeed.failure)
        #expect(time < .seconds(100))
        try Self.expectNothingLeft(of: script)
    }

    @Test func whatItLeavesRunningIsEnded() throws {
        let script = try SensorScript(#"echo $$ >"$HERE/process"; sleep 600 >&- & "# + Self.match)
        #expect(try script.sensor().match(showing: nil, until: fingerPrompt()) == .matched("x"))
        try Self.expectNothingLeft(of: script)
    }

    private static func expectNothingLeft(of script: SensorScript) throws {
        let process = try #require(script.written("process").flatMap { pid_t($0.dropLast()) })
        #expect(kill(process, 0) == -1 && errno == ESRCH, "the command is gone, and no zombie either")
        // A process that was killed may take a moment to end.
        #expect(Patience.wait { !Self.isAnybodyLeft(inGroup: process) }, "nothing of its group runs on")
    }

    /// Returns true if a process runs in this group. One that has ended and was not collected does not run.
    private static func isAnybodyLeft(inGroup group: pid_t) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard pid_t(process) != nil,
                let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let fields = line.split(separator: ")").last?.split(separator: " ")
            else { return false }
            return fields[2] == "\(group)" && fields[0] != "Z"
        }
    }

    @Test(arguments: ["exec <&-", ": reads nothing", "read -r line <&-", "head -c 3 >/dev/null"])
    func itNeedNotRead(_ body: String) throws {
        let sensor = try SensorScript(body + "\n" + Self.match).sensor()
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched("x"))
    }

    @Test func aCommandThatIsNotThere() throws {
        let script = try SensorScript(Self.match, mode: 0o644)
        let missing = ExternalSensor(command: [script.path + "-not"], kind: .touchID)
        let path = script.path
        #expect(
            failure(of: missing.enrollments)
                == .absent("\(path)-not cannot be examined: No such file or directory"))
        #expect(failure(of: script.sensor().enrollments) == .absent("\(path) cannot be started: Permission denied"))
        #expect(failure(of: ExternalSensor(command: [], kind: .touchID).enrollments) == .absent("its command is empty"))
        #expect(
            failure(of: ExternalSensor(command: ["sensor"], kind: .touchID).enrollments)
                == .untrusted("sensor is not an absolute path: begin it with a slash"))
        #expect(
            failure(of: ExternalSensor(command: [script.folder.url.path], kind: .touchID).enrollments)
                == .untrusted("\(script.folder.url.path) is the wrong kind of file"))
    }

    @Test func aCommandWithoutAnInterpreter() throws {
        let script = try SensorScript(Self.match)
        try TestProgram.write("#!/nowhere/sh\n", to: script.path)
        #expect(
            failure(of: script.sensor().enrollments)
                == .absent("\(script.path) cannot be started: No such file or directory"))
        try TestProgram.write("echo\n", to: script.path)
        #expect(
            failure(of: script.sensor().enrollments) == .absent("\(script.path) cannot be started: Exec format error"))
    }

    @Test(arguments: [0o775, 0o757, 0o722])
    func aCommandThatOthersMayWrite(_ mode: Int) throws {
        let script = try SensorScript(#"touch "$HERE/started"; "# + Self.match, mode: mode)
        guard case .untrusted = failure(of: script.sensor().enrollments) else {
            Issue.record("it was trusted")
            return
        }
        #expect(script.written("started") == nil)
    }

    @Test(arguments: [0o772, 0o707])
    func aFolderThatOthersMayWrite(_ mode: Int) throws {
        let script = try SensorScript(#"touch "$HERE/started"; "# + Self.match)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: script.folder.url.path)
        guard case .untrusted = failure(of: script.sensor().enrollments) else {
            Issue.record("it was trusted")
            return
        }
        #expect(script.written("started") == nil)
    }

    @Test func aCommandIsLookedAtEachTime() throws {
        let script = try SensorScript(Self.match)
        let sensor = script.sensor()
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched("x"))
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: script.path)
        guard case .untrusted = failure(of: sensor.enrollments) else {
            Issue.record("it was trusted")
            return
        }
        try FileManager.default.removeItem(atPath: script.path)
        try FileManager.default.createSymbolicLink(atPath: script.path, withDestinationPath: "/bin/true")
        #expect(
            failure(of: sensor.enrollments)
                == .untrusted("\(script.path) is a symbolic link: name the path that it leads to"))
    }

    /// Commands of every kind, one after the other and several at once, leave no descriptor and no child behind. This
    /// runs in a separate process.
    @Test func nothingLeaks() async {
        await #expect(processExitsWith: .success) {
            func openDescriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            let scripts = try [
                #"echo '{"matched":"x"}'"#, "exit 1", "exec sleep 600", "sleep 600 & exit 0", "yes", "printf x",
                "exec >&-",
            ].map { try SensorScript($0) }
            let sensors =
                scripts.map { $0.sensor(patience: .milliseconds(100)) }
                + [ExternalSensor(command: ["/nowhere"], kind: .touchID)]
            func ask() {
                for sensor in sensors {
                    let prompt = fingerPrompt()
                    if (try? sensor.match(showing: nil, until: prompt)) == nil { prompt.end(.timedOut) }
                }
            }
            ask()
            let before = try openDescriptors()
            await withTaskGroup { group in
                for _ in 0..<8 { group.addTask { ask() } }
            }
            #expect(try openDescriptors() == before)
            #expect(waitpid(-1, nil, WNOHANG) == -1 && errno == ECHILD)
        }
    }

    /// In a process that ignores the ends of its children, the status of a command is unknown, so it has not succeeded.
    @Test func anEndThatNobodyLearnsIsNone() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let script = try SensorScript(Self.match)
            let found = failure { () throws(SensorError) in
                try script.sensor().match(showing: nil, until: fingerPrompt())
            }
            if found != .ended("another part of this process collected its end") { exit(1) }
        }
    }

    /// A process without free descriptors, or with its first three closed, gets an answer or an error, and no damage.
    @Test func descriptorsMayBeScarce() async {
        await #expect(processExitsWith: .success) {
            let script = try SensorScript(Self.match)
            var spare: [Int32] = []
            while true {
                let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
                if next < 0 { break }
                spare.append(next)
            }
            let none = failure { () throws(SensorError) in
                try script.sensor().match(showing: nil, until: fingerPrompt())
            }
            #expect(none == .absent("no descriptors are left: close some files"))
            for descriptor in spare { close(descriptor) }
            for descriptor in 0..<2 as Range<Int32> { close(descriptor) }
            let found = try script.sensor().match(showing: nil, until: fingerPrompt())
            if found != .matched("x") { exit(1) }
        }
    }
}
