export { ATTACK_KEYS, ATTACKS } from './abuse/attacks.js';
export { BOUNDS, type Measured, measured } from './abuse/measure.js';
export { Tenants } from './abuse/tenants.js';
export { chosenOf, parseFlags, positiveInteger } from './command-line.js';
export { HUMANEVAL_PACK, humanEvalDeployments, humanEvalPack, readHumanEval } from './humaneval/pack.js';
export { agentclash, Product, repository, StackFolder, stopStacksOnSignal } from './product.js';
export { TraceCollector } from './telemetry/trace-collector.js';
export { type Browser, openChromium } from './web/testing/chromium.js';
export { Visitor } from './web/testing/visitor.js';
