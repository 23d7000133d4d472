export {
  cacheFolder,
  defaultDataFolder,
  findNatsServer,
  postgresBinaries,
  sharedCacheFolder,
  unsupportedNotice,
} from '@agentclash/embedded';
export { addBusApiUser, listBusApiUsers, removeBusApiUser } from './bus-api-users.js';
export { processesHere } from './config.js';
export { loadCredentials } from './credentials.js';
export { prepareDatabase, SCHEMAS, type ServiceWithState } from './database.js';
export { race } from './demo/race.js';
export { Terminal } from './demo/terminal.js';
export { startDetached } from './detached.js';
export { openLayout, stackLogIn } from './layout.js';
export { readLoopbackChoice } from './loopback-endpoints.js';
export { adoptRunningStack, findRunningStack, stopLocalStack } from './running.js';
export { type RunningServers, startServers } from './servers.js';
export { type RunningStack, startLocalStack } from './stack.js';
export { StackError } from './stack-error.js';
export { findState, type StackState } from './state.js';
