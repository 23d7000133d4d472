// The archive thread without a build: it registers the TypeScript loader first.
import '@agentclash/testkit/typescript';

await import('../archives/archive.thread.ts');
