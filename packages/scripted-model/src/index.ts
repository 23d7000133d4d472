export type {
  Behaviour,
  Script,
  ScriptedCall,
  ScriptedReply,
  ScriptedRequest,
} from './behaviour.js';
export { type ScriptedModel, scriptedModel } from './server.js';
