package import PlainText

/// The output of a sensor's command as it arrives: lines to pass on, then one final line, then nothing.
package struct SensorAnswer: Sendable {
    /// The longest output in bytes.
    package static let mostBytes = 64 * 1024
    /// The largest number of lines in an output.
    package static let mostLines = 256
    /// The number of characters that are passed on of a line for the user.
    package static let longestSaying = 200

    private var rest: [UInt8] = []
    private var byteCount = 0
    private var lineCount = 0
    private var final: [String: JSON]?

    /// Creates an answer of which nothing has arrived yet.
    package init() {}

    /// Adds `bytes` to the output. Returns the lines for the user that they complete.
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

    /// Returns the final line. Throws if the output is not complete.
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
            throw .garbage("line \(lineCount) has a \"say\" that is no text, or other names besides it")
        }
        return Terminal.sentence(text, longest: Self.longestSaying)
    }
}
