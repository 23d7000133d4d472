"""The grading harness: hidden tests in one process, the code under test in another."""
