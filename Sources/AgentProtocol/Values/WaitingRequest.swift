internal import PlainText
package import Prompts

/// A request whose prompts wait for a terminal that `latchkey approve` offers.
package struct WaitingRequest: Hashable, Sendable {
    /// The number of the request among all that wait.
    package var number: Int
    /// The prompt, as the terminal shows it.
    package var content: PromptContent
    /// True if another terminal has the request.
    package var isShown: Bool

    package init(number: Int, content: PromptContent, isShown: Bool) {
        (self.number, self.content, self.isShown) = (number, content, isShown)
    }

    package init(reading head: inout WireObject) throws(WireError) {
        isShown = try head.consumeFlag("shown")
        (content, number) = try PromptContent.decoded(from: &head, app: "")
    }

    /// The object that represents the request on the wire: its prompt, with its own number.
    package var head: WireObject {
        var head = content.head(number)
        if isShown { head["shown"] = .bool(true) }
        return head
    }
}
