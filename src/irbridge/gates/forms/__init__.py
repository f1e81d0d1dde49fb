"""The forms of gate expressions, one file each."""
