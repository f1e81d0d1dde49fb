"""Crosscheck."""
