export { type AuditOptions, type AuditProgress, auditPack } from './audit-pack.js';
export { auditSizes } from './checks/context.js';
export type { AuditedCase, AuditedPack } from './pack/audited-pack.js';
export type { PackView } from './pack/pack-view.js';
export type { DrawnCase, drawCases } from './pack/sample.js';
export type { MutantsTask, Planning, PlanTask } from './planning/tasks.js';
export type * from './report/report.js';
export { localTrialPorts } from './trials/local-ports.js';
export type { TrialPorts } from './trials/ports.js';
