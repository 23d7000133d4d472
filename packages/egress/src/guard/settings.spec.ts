import { describe, expect, test } from '@jest/globals';
import { DEFAULT_EGRESS_SETTINGS } from './policy.js';
import { parseEgressSettings } from './settings.js';

describe('operator settings', () => {
  test.each([[{}], [{ EGRESS_PRIVATE: '', EGRESS_DENY: ' ', EGRESS_PORTS: 'any', OPERATOR_UNLOCK: '' }]])(
    'absent operator settings have their defaults',
    (environment) => {
      expect(parseEgressSettings(environment)).toEqual(DEFAULT_EGRESS_SETTINGS);
    },
  );

  test('operator settings are lists separated by commas', () => {
    const environment = {
      EGRESS_PRIVATE: 'never',
      EGRESS_DENY: '10.0.0.0/8, evil.example,2001:db8::1',
      EGRESS_PORTS: '80,443',
      OPERATOR_UNLOCK: '127.0.0.0/8, ::1/128',
    };
    expect(parseEgressSettings(environment)).toEqual({
      privateUnlock: 'never',
      deny: ['10.0.0.0/8', 'evil.example', '2001:db8::1'],
      ports: [80, 443],
      operatorUnlock: ['127.0.0.0/8', '::1/128'],
    });
  });

  test.each([
    [{ EGRESS_PRIVATE: 'no' }, 'EGRESS_PRIVATE'],
    [{ EGRESS_DENY: '10.0.0.0/33,ok.example,a..b' }, '10.0.0.0/33, a..b'],
    [{ EGRESS_PORTS: '80,0,65536' }, '0, 65536'],
    [{ OPERATOR_UNLOCK: 'localhost' }, 'localhost'],
  ])('operator settings that cannot be read are an error that names them: %j', (environment, named) => {
    expect(() => parseEgressSettings(environment)).toThrow(named);
  });
});
