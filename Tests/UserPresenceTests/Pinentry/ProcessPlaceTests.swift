import Foundation
import TestSupport
import Testing
import UserPresence

/// The display and the terminal of another process.
@Suite(.waitsForProcesses) struct ProcessPlaceTests {
    /// Runs `body` with the number of a process that has this environment, and that waits until `body` is done. The process
    /// runs `script` first, which can start a child: the number is the one that it prints.
    private func process(
        _ environment: [String: String], _ script: String = "echo $$; read line", _ body: (Int32) throws -> Void
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.environment = environment
        let (input, output) = (Foundation.Pipe(), Foundation.Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1),
            !byte.isEmpty
        { line += byte }
        let number = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        try body(try #require(Int32(number)))
    }

    private func displays(_ place: PinentryPlace) -> [String] {
        place.environment.filter { $0.hasPrefix("DISPLAY=") || $0.hasPrefix("WAYLAND_DISPLAY=") }
    }

    @Test func thePlaceIsThatOfTheProcess() throws {
        try process(["DISPLAY": ":7", "LANG": "C.UTF-8", "LD_PRELOAD": "", "GTK_MODULES": "evil"]) { number in
            let place = PinentryPlace(of: number)
            #expect(place.hasX && !place.hasWayland && place.locale == "C.UTF-8" && place.isSomewhere)
            #expect(displays(place) == ["DISPLAY=:7"] && !place.environment.contains { $0.hasPrefix("GTK") })
        }
    }

    @Test func aVariableOfAWrongFormCountsForNothing() throws {
        try process(["DISPLAY": ":0 --evil", "WAYLAND_DISPLAY": "../x"]) { number in
            try process(["DISPLAY": ":9"]) { other in
                #expect(displays(PinentryPlace(of: number, orOf: [other])) == ["DISPLAY=:9"])
            }
        }
    }

    @Test func aProcessWithoutADisplayHasThatOfItsNearestAncestor() throws {
        try process(
            ["DISPLAY": ":7"],
            "DISPLAY=:8 sh -c 'env -u DISPLAY sh -c \"echo \\$\\$; read line\"; true'; true"
        ) { number in
            #expect(displays(PinentryPlace(of: number)) == ["DISPLAY=:8"])
        }
    }

    @Test func displaysOfTwoProcessesAreNeverMixed() throws {
        try process(["WAYLAND_DISPLAY": "wayland-3"]) { number in
            try process(["DISPLAY": ":9"]) { other in
                #expect(displays(PinentryPlace(of: number, orOf: [other])) == ["WAYLAND_DISPLAY=wayland-3"])
            }
        }
    }

    @Test func aProcessThatIsGoneHasNoPlace() {
        for number: Int32 in [0, -1, .max] {
            let place = PinentryPlace(of: number)
            #expect(!place.isSomewhere && displays(place).isEmpty)
        }
    }
}
