"""Does an agent find enough evidence, cite it exactly, and stop in time? Measured end to end, without a model as judge.

    fixture (tasks, oracles, corpus) -> runner (adapter x agent x lifecycle) -> receipts -> scoring -> promotion -> report

spec/agentic/README.md is the contract. Nothing here needs a network, a key or a model.
"""
