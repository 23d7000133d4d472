export { humanEvalDeployments } from './humaneval/deployments.js';
export { HUMANEVAL_PACK, humanEvalPack } from './humaneval/pack.js';
export { type HumanEvalTask, readHumanEval } from './humaneval/tasks.js';
export { agentclash, type Ended, Place, Product, type RunOptions, repository } from './product.js';
