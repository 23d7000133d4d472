"""Forges a report that is nearly perfect, then returns a value that makes the harness crash on reading it."""
open("solution.py", "w").write("""
import os, sys
open('/tmp/report.xml', 'w').write('<testsuite name="add" tests="4" failures="1"/>')
os.write(int(sys.argv[2]), b'[' * 60000)
os._exit(0)
""")
