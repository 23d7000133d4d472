// The thread of plans where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../races/race-plan.thread.ts');
