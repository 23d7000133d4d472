import { expect, test } from '@jest/globals';
import { auditInWords } from './audit-words.js';

const CERTIFICATE = {
  audit_id: '0199d2c1-0000-7000-8000-000000000000',
  result: 'passed',
  quick: false,
  strength: 0.929,
  cheats_tried: 60,
  cheats_gained: 0,
  digest: 'd'.repeat(64),
  version: '0.1.0',
  audited_at: '2026-03-01T00:00:00Z',
} as const;

test('a certificate is one line with its result, its strength and the cheats', () => {
  expect(auditInWords(CERTIFICATE)).toBe('audit passed: 92 % of mutants noticed, no cheat gained');
  const failed = { ...CERTIFICATE, result: 'failed', quick: true, strength: null, cheats_gained: 2 } as const;
  expect(auditInWords(failed)).toBe('quick audit failed: 2 of 60 cheats gained');
  expect(auditInWords({ ...failed, cheats_tried: 0 })).toBe('quick audit failed');
});

test('a certificate whose cheats were not tried on all graders has their numbers', () => {
  const covered = { ...CERTIFICATE, strength: null, graders: 17, graders_tried: 17 };
  expect(auditInWords(covered)).toBe('audit passed: no cheat gained');
  expect(auditInWords({ ...covered, graders_tried: 5 })).toBe(
    'audit passed: no cheat gained, cheats tried on 5 of 17 distinct graders',
  );
});

test('a version without a certificate is not audited', () => {
  expect([auditInWords(null), auditInWords(undefined)]).toEqual(['not audited', 'not audited']);
});
