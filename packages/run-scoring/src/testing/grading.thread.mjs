// The grading thread where nothing is built: it learns to read TypeScript first.
import '@agentclash/testkit/typescript';

await import('../grading/grading.thread.ts');
