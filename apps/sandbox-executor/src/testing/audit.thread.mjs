// The thread of audits where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../machine/audit.thread.ts');
