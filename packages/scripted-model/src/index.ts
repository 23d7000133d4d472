export type { Behaviour, Script, ScriptedRequest } from './behaviour.js';
export { type ScriptedModel, scriptedModel } from './server.js';
