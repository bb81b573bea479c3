import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing
import UserPresence

/// A well-behaved sensor command: its start, its requests, its answers.
@Suite struct ExternalSensorTests {
    @Test func eachRequestIsOneLineAndItsEnd() throws {
        // It reads to the end of its input, so without an end it would wait for ever.
        let script = try SensorScript(
            """
            cat >>"$HERE/asked"
            case $(tail -n 1 "$HERE/asked") in
            *list*) echo '{"sensor":"s","kind":"touchID","enrolled":[{"id":"i","name":"n"}]}' ;;
            *match*) echo '{"matched":"i"}' ;;
            *enrol*) echo '{"enrolled":"j"}' ;;
            *remove*) printf '%s\\n' '{"removed":"a\\\\b"}' ;;
            esac
            """)
        let sensor = script.sensor()
        #expect(try sensor.enrollments() == Enrollments(sensor: "s", [Template(id: "i", name: "n")]))
        #expect(try sensor.match(showing: "what only a fake one is told", until: fingerPrompt()) == .matched("i"))
        try sensor.enroll("my \"right\" finger\n", until: fingerPrompt())
        try sensor.remove("a\\b")
        #expect(
            script.written("asked") == """
                {"latchkey":1,"do":"list"}
                {"latchkey":1,"do":"match"}
                {"latchkey":1,"do":"enrol","name":"my \\"right\\" finger\\u000a"}
                {"latchkey":1,"do":"remove","id":"a\\\\b"}

                """)
        #expect(!sensor.isFake)
    }

    @Test func itGetsNothingOfOurs() throws {
        // A child would inherit this descriptor if it were not closed.
        let here = open("/dev/null", O_RDONLY)
        let inherited = fcntl(here, F_DUPFD, 100)
        defer {
            close(here)
            close(inherited)
        }
        let script = try SensorScript(
            """
            env | grep -v -e ^PWD= -e ^_= | sort >"$HERE/environment"
            (cd /proc/$$/fd && echo *) >"$HERE/descriptors"
            readlink /proc/$$/fd/2 >"$HERE/errors"
            # A shell holds signals back while it starts something, so it has to read this by itself.
            while read -r line; do
                case $line in Sig[BI][lg][kn]*) echo "$line" ;; esac
            done </proc/$$/status >"$HERE/signals"
            cut -d ' ' -f 5 /proc/$$/stat >"$HERE/group"
            echo $$ >"$HERE/process"
            echo '{"matched":null}'
            """)
        // Ignoring this signal changes nothing for other tests.
        signal(SIGWINCH, SIG_IGN)
        defer { signal(SIGWINCH, SIG_DFL) }
        var blocked = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
        #expect(
            try script.sensor(environment: ["READER": "left"]).match(showing: nil, until: fingerPrompt()) == .noMatch)
        #expect(
            script.written("environment")
                == "HERE=\(script.folder.url.path)\nLANG=C.UTF-8\nPATH=/usr/bin:/bin\nREADER=left\n")
        let descriptors = try #require(script.written("descriptors")).split(whereSeparator: \.isWhitespace)
        #expect(descriptors.contains("1"))
        #expect(!descriptors.contains("\(inherited)"))
        #expect(script.written("errors") == "/dev/null\n")
        #expect(script.written("signals")?.contains("SigBlk:\t0000000000000000") == true)
        // The C library reserves the signals 32 and 33, and ignores them in every child that it starts.
        let ignored = try #require(script.written("signals")?.split(whereSeparator: \.isWhitespace).last)
        #expect(try #require(UInt64(ignored, radix: 16)) & ~0x1_8000_0000 == 0)
        #expect(script.written("group") == script.written("process"))
    }

    @Test func argumentsAreHandedOn() throws {
        let script = try SensorScript(#"printf '{"matched":"%s"}\n' "$1 $2""#)
        let sensor = ExternalSensor(command: [script.path, "a b", "c"], kind: .faceID)
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched("a b c"))
    }

    @Test func whatItSaysIsPassedOn() throws {
        let script = try SensorScript(
            #"""
            echo '{"say":"Touch"}'
            echo '{"say":"\u001b[2JAgain"}'
            echo '{"enrolled":"x"}'
            """#)
        let said = Mutex<[String]>([])
        try script.sensor { saying in said.withLock { $0.append(saying) } }.enroll("n", until: fingerPrompt())
        #expect(said.withLock { $0 } == ["Touch", "?[2JAgain"])
    }

    @Test func itIsHeardBeforeItHasEnded() throws {
        let script = try SensorScript(
            #"""
            echo '{"say":"Touch"}'
            while [ ! -e "$HERE/touched" ]; do sleep 0.02; done
            echo '{"matched":"x"}'
            """#)
        let touched = script.folder.path("touched")
        let sensor = script.sensor { _ in _ = FileManager.default.createFile(atPath: touched, contents: nil) }
        #expect(try sensor.match(showing: nil, until: fingerPrompt()) == .matched("x"))
    }

    @Test(
        arguments: [
            ("full", .full), ("already", .alreadyEnrolled), ("unknown", .notEnrolled), ("busy", .refused("no")),
            ("absent", .absent("no")),
        ] as [(String, SensorError)])
    func itMayFail(_ reason: String, _ expected: SensorError) throws {
        let sensor = try SensorScript(#"echo '{"failed":"no","reason":"\#(reason)"}'"#).sensor()
        #expect(throws: expected) { try sensor.enroll("n", until: fingerPrompt()) }
        #expect(throws: expected) { try sensor.remove("n") }
        #expect(throws: expected) { try sensor.enrollments() }
        #expect(throws: expected) { try sensor.match(showing: nil, until: fingerPrompt()) }
    }

    @Test func oneOfAnotherKindIsAnother() throws {
        let script = try SensorScript(#"echo '{"sensor":"s","kind":"faceID","enrolled":[]}'"#)
        #expect(try script.sensor(.faceID).enrollments().templates.isEmpty)
        guard case .exchanged = failure(of: script.sensor(.touchID).enrollments) else {
            Issue.record("another kind was taken")
            return
        }
    }

    @Test func aDeviceWithoutASensorStartsNothing() throws {
        let script = try SensorScript(#"touch "$HERE/started"; echo '{"matched":"x"}'"#)
        #expect(throws: SensorError.absent("this device has no sensor")) {
            try script.sensor(.none).match(showing: nil, until: fingerPrompt())
        }
        #expect(script.written("started") == nil)
    }

    @Test func whatNoRequestCanHoldIsNotAsked() throws {
        let script = try SensorScript(#"touch "$HERE/started"; echo '{"enrolled":"x"}'"#)
        for name in ["", String(repeating: "ä", count: 65)] {
            #expect(throws: SensorError.refused("a name has 1 to 128 bytes")) {
                try script.sensor().enroll(name, until: fingerPrompt())
            }
            #expect(throws: SensorError.notEnrolled) { try script.sensor().remove(name) }
        }
        #expect(script.written("started") == nil)
        try script.sensor().enroll(String(repeating: "\u{1}", count: 128), until: fingerPrompt())
    }

    @Test func aPromptThatIsOverStartsNothing() throws {
        let script = try SensorScript(#"touch "$HERE/started"; echo '{"matched":"x"}'"#)
        let over = fingerPrompt()
        over.end(.systemCanceled)
        #expect(throws: SensorError.interrupted) { try script.sensor().match(showing: nil, until: over) }
        #expect(script.written("started") == nil)
    }

    @Test(arguments: [
        "echo '{\"say\":\"x\"}'; exec sleep 60", "echo '{\"say\":\"x\"}'; exec >&-; sleep 60",
        "echo '{\"say\":\"x\"}'; echo '{\"matched\":\"x\"}'; sleep 60",
    ])
    func thePromptEndsIt(_ body: String) throws {
        let prompt = fingerPrompt()
        let sensor = try SensorScript(body).sensor(patience: .seconds(50)) { _ in
            Thread.detachNewThread {
                usleep(50_000)
                prompt.end(.canceled)
            }
        }
        let time = ContinuousClock().measure {
            #expect(throws: SensorError.interrupted) { try sensor.match(showing: nil, until: prompt) }
        }
        #expect(time < .seconds(40))
    }
}
