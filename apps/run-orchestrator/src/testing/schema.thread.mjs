// The schema thread where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../catalogue/schemas/schema.thread.ts');
