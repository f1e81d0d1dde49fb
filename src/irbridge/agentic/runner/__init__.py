"""Runs the matrix adapters x lifecycles x trials x tasks, and writes down what happened as receipts.

schedule -> preparing (once an adapter) -> cohorts (cold, warm) -> trial (one task) -> receipts
"""
