"""Checks, one file for each kind of question that a case asks."""
