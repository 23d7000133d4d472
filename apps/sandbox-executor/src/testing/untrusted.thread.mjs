// The argument thread where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../machine/untrusted.thread.ts');
