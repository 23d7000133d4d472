export { defaultDataFolder } from '@agentclash/embedded';
export { type DetachedOptions, type DetachedStack, startDetached } from './detached.js';
export { findRunningStack, stopLocalStack } from './running.js';
export { type RunningStack, type StackOptions, startLocalStack } from './stack.js';
export { StackError } from './stack-error.js';
export { findState, type StackState } from './state.js';
export { stackFile } from './user-file.js';
