"""Writes what the task requires: if this does not pass, the pack is wrong."""
open("solution.py", "w").write("def add(a, b):\n    return a + b\n")
