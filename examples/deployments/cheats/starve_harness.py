"""Forges a report that is nearly perfect, then takes the harness its descriptors away."""
open("solution.py", "w").write("""
import os, resource
open('/tmp/report.xml', 'w').write('<testsuite name="add" tests="4" failures="1"/>')
resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))
""")
