"""The ways of fusing, one file each."""
