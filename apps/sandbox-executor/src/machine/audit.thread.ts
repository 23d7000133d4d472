// The program of a thread for audits: that of other untrusted work, with all that a task needs loaded before the first, whose
// time it is not.
import '@agentclash/grading';
import '@agentclash/pack-audit/planner';
import './untrusted.thread.js';
