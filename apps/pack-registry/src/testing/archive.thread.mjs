// The archive thread where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../archives/archive.thread.ts');
