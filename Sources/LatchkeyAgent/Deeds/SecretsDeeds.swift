internal import AgentProtocol
internal import PlainText
internal import SodiumKit

extension ReadCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.read(name, asked)
    }
}

extension ReadPartCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.readPart(selection, of: name, asked)
    }
}

extension HistoryCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.history(of: name, asked)
    }
}

extension EditPartCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.edit(name, change, secret.take(), asked)
        return Answer()
    }
}

extension AddCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        let policy = policy ?? visit.agent.settings.policy
        if fields.isEmpty {
            try visit.add(name, policy, comment, replaces: replaces, secret.take(), asked)
        } else {
            try visit.add(name, policy, comment, replaces: replaces, fields, secret.take(), asked)
        }
        return Answer(Head(["policy": .object(policy.head.fields)]))
    }
}

extension ExchangeCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        let policy = policy ?? visit.agent.settings.policy
        try visit.exchange(former, for: name, policy, comment, secret.take(), asked)
        return Answer(Head(["policy": .object(policy.head.fields)]))
    }
}

extension ChangeCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.change(name, changes, secret.take(), asked)
        return Answer()
    }
}

extension RemoveCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.remove(name, isFinal: isFinal, asked)
    }
}

extension PutBackCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.putBack(name)
        return Answer()
    }
}

extension DeletedCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.deleted()
    }
}

extension MoveCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.move(name, to: other, isFolder: isFolder, copies: copies, asked)
    }
}

extension RemoveFolderCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.removeFolder(name, count: count, isFinal: isFinal, asked)
    }
}

extension ListCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.list(isBrief: isBrief)
    }
}

extension ShowCall: Deed {
    func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> Answer<Reply> {
        try visit.show(name)
    }
}
