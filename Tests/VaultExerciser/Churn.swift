func churn(_ arguments: [String]) throws {}
