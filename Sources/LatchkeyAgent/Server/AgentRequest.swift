internal import AgentProtocol

/// A request that a client sends to the agent, which is not the one that the engine decides about.
typealias Request = AgentProtocol.Request
