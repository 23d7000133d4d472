import { PYTHON_CHEATS } from '../testing/python-cheats.js';
import { pythonHarnessSuite } from '../testing/python-harness-suite.js';

pythonHarnessSuite('pytest', Object.keys(PYTHON_CHEATS));
pythonHarnessSuite('calls', Object.keys(PYTHON_CHEATS));
