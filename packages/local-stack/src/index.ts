export { type RunningStack, type StackOptions, startLocalStack } from './stack.js';
export { StackError } from './stack-error.js';
export { findState, type StackState } from './state.js';
export { stackFile } from './user-file.js';
