import { harnessSuite } from '../testing/harness-suite.js';
import { PYTHON_CHEATS } from '../testing/python-cheats.js';

harnessSuite('pytest', Object.keys(PYTHON_CHEATS));
harnessSuite('calls', Object.keys(PYTHON_CHEATS));
