package import PlainText

/// What a sensor's command says, as it comes in: lines to pass on, then one final line, then nothing.
package struct SensorAnswer: Sendable {
    /// How many bytes, and how many lines, it may say in all.
    package static let mostBytes = 64 * 1024
    package static let mostLines = 256
    /// How many letters are passed on of what it wants said.
    package static let longestSaying = 200

    private var rest: [UInt8] = []
    private var byteCount = 0
    private var lineCount = 0
    private var final: [String: JSON]?

    /// Nothing heard yet.
    package init() {}

    /// Takes in what it has said now. Returns what it wants people to be told.
    package mutating func hear(_ bytes: some Collection<UInt8>) throws(SensorError) -> [String] {
        byteCount += bytes.count
        guard byteCount <= Self.mostBytes else { throw .flooded }
        var sayings: [String] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                rest.append(byte)
            } else {
                let line = rest
                rest = []
                lineCount += 1
                guard lineCount <= Self.mostLines else { throw .flooded }
                if let saying = try parse(line) { sayings.append(saying) }
            }
        }
        return sayings
    }

    /// Its final line, once it has said everything.
    package consuming func finished() throws(SensorError) -> [String: JSON] {
        guard rest.isEmpty else { throw .garbage("its last line has no end") }
        guard let final else { throw .ended("no final line") }
        return final
    }

    private mutating func parse(_ line: [UInt8]) throws(SensorError) -> String? {
        guard final == nil else { throw .garbage("something stands after its final line") }
        let value: JSON
        do { value = try JSON(line) } catch {
            throw .garbage("line \(lineCount) is no JSON: \(error.what), at byte \(error.position)")
        }
        guard case .object(let members) = value else { throw .garbage("line \(lineCount) is no JSON object") }
        guard let saying = members["say"] else {
            final = members
            return nil
        }
        guard case .string(let text) = saying, members.count == 1 else {
            throw .garbage("line \(lineCount) says something that is no text, or something else as well")
        }
        return Terminal.sentence(text, longest: Self.longestSaying)
    }
}
