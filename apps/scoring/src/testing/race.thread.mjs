// The thread of races where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../races/race.thread.ts');
