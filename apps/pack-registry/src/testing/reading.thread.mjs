// The reading thread without a build: it registers the TypeScript loader first.
import '@agentclash/testkit/typescript';

await import('../reading/reading.thread.ts');
