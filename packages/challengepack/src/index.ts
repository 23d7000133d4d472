export * from './evaluation-spec/collectors.js';
export * from './evaluation-spec/providers.js';
export * from './evaluation-spec/references.js';
export * from './evaluation-spec/types.js';
export * from './evaluation-spec/validator-configs.js';
