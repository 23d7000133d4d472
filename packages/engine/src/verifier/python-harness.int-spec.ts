import { harnessSuite } from '../testing/harness-suite.js';
import { PYTHON_CHEATS } from '../testing/python-cheats.js';
import { PYTHON_CROSSING } from '../testing/python-crossing.js';
import { PYTHON_OBJECTS } from '../testing/python-objects.js';
import { PYTHON_VALUES } from '../testing/python-values.js';
import { PYTHON_VARIANTS } from '../testing/python-variants.js';

/** Those against what calls do otherwise; all of them, and pytest, are graded at night. */
const OF_CALLS = [
  'an exit in the call',
  'an error that the tests may expect, while it is imported',
  'a value that equals everything',
  'a killed judge',
  'a process that outlives it',
  'forged replies',
];

harnessSuite('unittest', Object.keys(PYTHON_CHEATS));
harnessSuite('unittest of objects', Object.keys(PYTHON_OBJECTS.cheats));
harnessSuite('unittest of values', Object.keys(PYTHON_VALUES.cheats));
harnessSuite('unittest of crossing', Object.keys(PYTHON_CROSSING.cheats));
harnessSuite('unittest of variants', Object.keys(PYTHON_VARIANTS.cheats));
harnessSuite('calls', OF_CALLS);
