/// The passcodes and recovery keys that were used in a simulated account, which knows them by numbers.
package struct AccountSecrets: Sendable {
    private var numbers: [String: UInt32] = [:]

    package init() {}

    /// Returns the number that stands for a secret. Equal secrets have equal numbers.
    package mutating func number(of secret: String) -> UInt32 {
        if let number = numbers[secret] { return number }
        let number = UInt32(numbers.count + 1)
        numbers[secret] = number
        return number
    }
}
