func canary(_ arguments: [String]) throws {}
