import './session/early-check.js';
import './zod-without-eval.js';

// Loaded only now: among what is imported beside it, how files are cut would decide what comes first.
void import('./start.js');
