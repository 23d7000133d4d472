// The thread of the workspace search where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../workspaces/workspace-search.thread.ts');
