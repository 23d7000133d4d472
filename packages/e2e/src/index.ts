export { humanEvalDeployments } from './humaneval/deployments.js';
export { HUMANEVAL_PACK, humanEvalPack } from './humaneval/pack.js';
export { type HumanEvalTask, readHumanEval } from './humaneval/tasks.js';
export { npmInstall } from './npm-install.js';
export { agentclash, type Ended, Place, Product, type RunOptions, repository } from './product.js';
export { TraceCollector } from './telemetry/trace-collector.js';
export { type Browser, openChromium } from './web/testing/chromium.js';
export { Visitor } from './web/testing/visitor.js';
