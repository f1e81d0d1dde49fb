"""The ways of making scores comparable, one file each."""
