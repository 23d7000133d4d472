export type { Behaviour, Script, ScriptedRequest } from './behaviour.js';
export { scriptedModel } from './server.js';
