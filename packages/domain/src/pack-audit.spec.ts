import { describe, expect, test } from '@jest/globals';
import { auditShortfall, type CertificateFigures } from './pack-audit.js';

const NOW = Date.parse('2026-03-11T00:00:00Z');
const PASSED: CertificateFigures = {
  result: 'passed',
  quick: false,
  strength: 0.8,
  audited_at: '2026-03-01T00:00:00Z',
};

describe('a requirement of audits', () => {
  test('a version without a certificate does not fulfil any requirement', () => {
    expect(auditShortfall({}, undefined, NOW)).toBe('audit_missing');
  });

  test.each(['failed', 'incomplete'] as const)(
    'an audit that is %s does not fulfil any requirement',
    (result) => {
      expect(auditShortfall({}, { ...PASSED, result }, NOW)).toBe('audit_not_passed');
    },
  );

  test('a quick audit does not fulfil any requirement', () => {
    expect(auditShortfall({}, { ...PASSED, quick: true }, NOW)).toBe('audit_quick');
  });

  test('a certificate counts up to its greatest age, and not after it', () => {
    expect(auditShortfall({ max_age_days: 10 }, PASSED, NOW)).toBeUndefined();
    expect(auditShortfall({ max_age_days: 10 }, PASSED, NOW + 1)).toBe('audit_outdated');
  });

  test('a strength at the minimum fulfils it; one below it, or unknown, does not', () => {
    expect(auditShortfall({ min_strength: 0.8 }, PASSED, NOW)).toBeUndefined();
    expect(auditShortfall({ min_strength: 0.81 }, PASSED, NOW)).toBe('audit_strength_below_minimum');
    expect(auditShortfall({ min_strength: 0 }, { ...PASSED, strength: null }, NOW)).toBe(
      'audit_strength_below_minimum',
    );
  });
});
