import Foundation
import TestSupport
import Testing

/// Every check of the engine keeps some shipped claim true, so an engine that lacks the check is found out.
///
/// One copy of the pure modules contains all faults. Each fault sleeps until a process wakes it; the product has no
/// such switch.
@Suite struct SeededFaultTests {
    /// Kept between runs where the checkout can be written.
    static let folder: URL = {
        let builds = Repository.root.appending(path: ".build")
        let isWritable = access(builds.path, W_OK) == 0
        return (isWritable ? builds : FileManager.default.temporaryDirectory).appending(path: "faulty-engine")
    }()

    /// The reason why the faulty engine cannot be built here, or nil if it can.
    static let obstacle: String? = {
        let folders = [
            Repository.root.appending(path: "Sources"), Repository.root.appending(path: "Tests/Support/FaultyEngine"),
        ]
        for folder in folders where !FileManager.default.fileExists(atPath: folder.path) {
            return "skipped: the sources are not in \(folder.path)"
        }
        guard (try? run(["/usr/bin/env", "swift", "--version"]))?.status == 0 else {
            return "skipped: there is no swift to build the engine with"
        }
        return nil
    }()

    @Test(.enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func everyFaultIsFoundByAShippedClaim() throws {
        try writePackage()
        let build = [
            "swift", "build", "-c", "release", "--package-path", Self.folder.path, "--disable-automatic-resolution",
        ]
        let built = try Self.run(["/usr/bin/env"] + build)
        try #require(built.status == 0, "\(built.output)")
        let engine = Self.folder.appending(path: ".build/release/faulty-engine").path
        let healthy = try Self.run([engine, "0"])
        #expect(healthy.status == 0 && healthy.output.isEmpty, "without a fault: \(healthy.output)")
        for (index, fault) in SeededFault.all.enumerated() {
            let found = try Self.run(["/usr/bin/env", "timeout", "60", engine, "\(index + 1)"])
            #expect(found.status == 0, "with the fault \(fault.name): \(found.output)")
            let claims = found.output.split(separator: "\n")
            #expect(!claims.isEmpty, "no shipped claim finds an engine without \(fault.name)")
            print("without \(fault.name): \(claims.count) claims, such as \(claims.first ?? "none")")
        }
    }

    @Test func everyFaultHasANameOfItsOwn() {
        #expect(Set(SeededFault.all.map(\.name)).count == SeededFault.all.count)
    }

    /// Writes the text unless the file has it already, so that a second build has little to do.
    private func writePackage() throws {
        let engine = Repository.root.appending(path: "Tests/Support/FaultyEngine")
        try write(engine.appending(path: "Package.swift"), to: "Package.swift")
        try write(engine.appending(path: "main.swift"), to: "Sources/faulty-engine/main.swift")
        try write(engine.appending(path: "SeededFault.swift"), to: "Sources/AccessPolicy/SeededFault.swift")
        var written: Set<String> = ["AccessPolicy/SeededFault.swift", "faulty-engine/main.swift"]
        var left = Set(SeededFault.all.indices)
        for module in ["AccessPolicy", "DeviceModel", "PolicyProver"] {
            let root = Repository.root.appending(path: "Sources/\(module)").resolvingSymlinksInPath()
            for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
            where path.hasSuffix(".swift") {
                var text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                for index in left where SeededFault.all[index].file == "\(module)/\(path)" {
                    left.remove(index)
                    text = Self.seed(index, in: text)
                }
                try write(text, to: "Sources/\(module)/\(path)")
                written.insert("\(module)/\(path)")
            }
        }
        #expect(left.isEmpty, "there is no such file: \(left.map { SeededFault.all[$0].file })")
        let sources = Self.folder.appending(path: "Sources").path
        for case let path as String in FileManager.default.enumerator(atPath: sources) ?? .init()
        where path.hasSuffix(".swift") && !written.contains(path) {
            try FileManager.default.removeItem(atPath: "\(sources)/\(path)")
        }
    }

    /// Returns `text` with the fault of this index in it.
    private static func seed(_ index: Int, in text: String) -> String {
        let fault = SeededFault.all[index]
        let places = text.ranges(of: fault.original)
        guard places.count == 1 else {
            Issue.record("\(fault.name): its code stands \(places.count) times in \(fault.file) instead of once")
            return text
        }
        let seeded = fault.seeded.replacing("FAULT", with: "isSeeded(\(index + 1))")
        return text.replacing(fault.original, with: seeded)
    }

    private func write(_ source: URL, to path: String) throws {
        try write(String(contentsOf: source, encoding: .utf8), to: path)
    }

    private func write(_ text: String, to path: String) throws {
        let file = Self.folder.appending(path: path)
        if (try? String(contentsOf: file, encoding: .utf8)) == text { return }
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private static func run(_ command: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, said)
    }
}
