import { PYTHON_CHEATS } from '../testing/python-cheats.js';
import { pythonHarnessSuite } from '../testing/python-harness-suite.js';

/** Those against what calls do otherwise; all of them, and pytest, are graded at night. */
const OF_CALLS = [
  'an exit in the call',
  'an error that the tests may expect, while it is imported',
  'a value that equals everything',
  'a killed judge',
  'a process that outlives it',
  'forged replies',
];

pythonHarnessSuite('unittest', Object.keys(PYTHON_CHEATS));
pythonHarnessSuite('calls', OF_CALLS);
