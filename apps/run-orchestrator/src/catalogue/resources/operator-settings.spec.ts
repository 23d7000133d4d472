import { DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { describe, expect, test } from '@jest/globals';
import { BASE_URL_PROBLEMS, type BaseUrlProblem, baseUrlProblem } from './operator-settings.js';

const closed = DEFAULT_EGRESS_SETTINGS;
const unlocked = { ...closed, operatorUnlock: ['127.0.0.0/8', '::1/128', '10.1.0.0/16'] };

describe('a base_url', () => {
  test.each<[string, BaseUrlProblem | undefined]>([
    ['https://models.example.com/v1', undefined],
    ['https://models.example.com:8443', undefined],
    ['https://93.184.216.34/v1', undefined],
    ['', 'malformed'],
    ['models.example.com/v1', 'malformed'],
    ['https://', 'malformed'],
    ['https:models.example.com', 'malformed'],
    ['https://models.example.com\\v1', 'malformed'],
    [' https://models.example.com', 'malformed'],
    ['ftp://models.example.com', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['http://models.example.com/v1', 'scheme'],
    ['http://93.184.216.34/v1', 'scheme'],
    ['https://user@models.example.com', 'userinfo'],
    ['https://:key@models.example.com', 'userinfo'],
    ['https://@models.example.com', 'userinfo'],
    ['https://models.example.com/v1?key=1', 'query'],
    ['https://models.example.com/v1?', 'query'],
    ['https://models.example.com/v1#part', 'fragment'],
    ['https://models.example.com/v1#', 'fragment'],
    ['https://127.0.0.1/v1', 'address'],
    ['http://localhost:11434/v1', 'address'],
    ['https://2130706433/v1', 'address'],
    ['https://169.254.169.254/', 'address'],
    ['https://metadata.google.internal/', 'address'],
  ])('the base_url %s, where nothing is unlocked, is checked: %s', async (url, problem) => {
    expect(await baseUrlProblem(url, closed)).toBe(problem);
  });

  test.each<[string, BaseUrlProblem | undefined]>([
    ['http://127.0.0.1:11434/v1', undefined],
    ['http://localhost:11434/v1', undefined],
    ['http://[::1]:11434/v1', undefined],
    ['https://10.1.2.3/v1', undefined],
    ['http://10.2.0.1/v1', 'address'],
    ['http://93.184.216.34/v1', 'scheme'],
    ['http://169.254.169.254/', 'address'],
    // A name may resolve to an unlocked address; each call checks it.
    ['http://ollama.models.svc:11434/v1', undefined],
  ])('the base_url %s, where the operator unlocked addresses, is checked: %s', async (url, problem) => {
    expect(await baseUrlProblem(url, unlocked)).toBe(problem);
  });

  test('every problem of a base_url has a message that states how to fix it', () => {
    for (const sentence of Object.values(BASE_URL_PROBLEMS)) expect(sentence).toMatch(/^(must|names) /);
  });
});
