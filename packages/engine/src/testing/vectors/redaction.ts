import { createRedactor } from '@agentclash/redaction';
import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';

interface RedactionVector {
  id: string;
  secrets: Record<string, string>;
  chunks: string[];
  expect: { output: string };
}

export const driver: VectorDriver<RedactionVector> = {
  run({ secrets, chunks, expect: wanted }) {
    const redactor = createRedactor(Object.entries(secrets).map(([key, value]) => ({ key, value })));
    const pieces = (parts: Iterable<string>) => {
      const stream = redactor.stream();
      const output = Array.from(parts, (part) => stream.push(part));
      return [...output, stream.end()].join('');
    };
    const whole = chunks.join('');
    expect(pieces(chunks)).toBe(wanted.output);
    expect(pieces(whole.split(''))).toBe(wanted.output);
    expect(redactor.text(whole)).toBe(wanted.output);
    expect(redactor.text(wanted.output)).toBe(wanted.output);
    expect(Buffer.from(redactor.bytes(Buffer.from(whole))).toString()).toBe(wanted.output);
  },
};
