func share(_ arguments: [String]) throws {}
