internal import SystemServices

/// Prompts: an object that a call returns, and that does the work once the caller starts it.
extension SecretHandler {
    /// Adds a prompt for a caller, and returns its path.
    func addPrompt(_ client: Client, _ prompt: PromptObject) throws(CallError) -> String {
        guard client.prompts.count < BusLimits.prompts else { throw .limit("Complete or dismiss a prompt first.") }
        let name = newName("p")
        client.prompts[name] = prompt
        // A prompt can hold a secret, and its caller may never start it.
        prompt.expiry = link.after(milliseconds: settings.millisecondsToStart) {
            [weak self, weak prompt, weak client] in
            guard let self, let prompt, let client else { return }
            complete(name, prompt, .fault(.dismissed), client)
        }
        return ObjectPath.prompt(name).text
    }

    func servePrompt(
        _ method: String, _ call: BusCall, _ name: String, _ prompt: PromptObject, _ client: Client
    ) throws(CallError) {
        switch method {
        case "Prompt":
            guard prompt.work == nil else { throw .failed("The prompt is shown already.") }
            let work = Work(prompt.kind) { [self] result in complete(name, prompt, result, client) }
            prompt.work = work
            cancelExpiry(prompt)
            // The signal must not come before this answer.
            link.reply(to: call)
            client.asks.add(work)
        case "Dismiss":
            link.reply(to: call)
            if let work = prompt.work {
                client.asks.end(work, .fault(.dismissed))
            } else {
                complete(name, prompt, .fault(.dismissed), client)
            }
        default: throw .unknown(.method(method))
        }
    }

    /// Completes a prompt, with a result or as dismissed.
    func complete(_ name: String, _ prompt: PromptObject, _ result: WorkResult, _ client: Client) {
        client.prompts[name] = nil
        cancelExpiry(prompt)
        let value = prompt.result(result)
        // Only the caller has to know what the user has answered.
        link.emit(
            ObjectPath.prompt(name).text, SecretInterfaces.prompt.name, "Completed", to: client.caller.connection
        ) { writer in
            try writer.append(.flag(value == nil))
            try writer.append(variant: value ?? prompt.dismissed)
        }
    }

    private func cancelExpiry(_ prompt: PromptObject) {
        if let expiry = prompt.expiry { link.cancel(timer: expiry) }
        prompt.expiry = nil
    }
}
