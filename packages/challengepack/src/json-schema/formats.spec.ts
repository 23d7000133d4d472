import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FORMATS } from './formats.js';

const RIGHT: Record<string, string[]> = {
  date: ['2024-02-29', '0000-01-01'],
  'date-time': ['2025-01-01T00:00:00Z', '1990-12-31t15:59:60.123-08:00'],
  duration: ['P1Y2M3D', 'PT1H', 'P4W', 'P1DT12H'],
  email: ['a.b+c@x.example', '"a b"@x.example', 'a@[127.0.0.1]', 'a@[IPv6:::1]'],
  hostname: ['x.example', 'xn--exmple-cua.org', '1host', 'a'.repeat(63)],
  'idn-email': ['jürgen@exämple.org'],
  'idn-hostname': ['exämple.org', '실례.테스트'],
  ipv4: ['255.0.10.1'],
  ipv6: ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:192.168.0.1'],
  iri: ['https://exämple.org/ü?ö#ä'],
  'iri-reference': ['ü/ö', '#ä'],
  'json-pointer': ['', '/a~1b/~0', '/'],
  regex: ['^a+$'],
  'relative-json-pointer': ['0', '1/a', '2#'],
  time: ['23:59:60Z', '00:59:60+01:00'],
  uri: ['urn:isbn:0-395-36341-1', 'http://[::1]:80/?a=b#c', 'mailto:a@b'],
  'uri-reference': ['', '//x.example/y', 'a/b:c', '?q'],
  'uri-template': ['http://x.example/{a,b:3}/{?c*}', "a'b"],
  uuid: ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'],
};
const WRONG: Record<string, string[]> = {
  date: ['2023-02-29', '2024-13-01', '2024-1-1'],
  'date-time': ['2025-01-01 00:00:00Z', '2025-01-01T24:00:00Z', '2025-01-01T00:00:00'],
  duration: ['P', 'PT', 'P1D2Y', 'P1YT', 'P2W1D'],
  email: ['no-at-sign', 'a..b@x', '.a@x', 'a@-x', 'a@[300.0.0.1]', 'a b@x'],
  hostname: ['', '-a', 'a-', 'a..b', 'a_b', 'xn--X', 'ab--cd', 'a'.repeat(64), 'x.'],
  'idn-email': ['jürgen', 'ü@'],
  'idn-hostname': ['〮실례.테스트', 'a.', 'aא', '・', '-ä'],
  ipv4: ['1.2.3', '01.2.3.4', '256.1.1.1', '1.2.3.4\n'],
  ipv6: ['1::2::3', '12345::', '::1%eth0', '1:2:3:4:5:6:7', ':1'],
  iri: ['//x', 'http://x y/', 'http://2001:0db8::1'],
  'iri-reference': ['\\a', 'a b'],
  'json-pointer': ['a', '/~2', '/~'],
  regex: ['(?=a)', '['],
  'relative-json-pointer': ['-1', '01', '0##', ''],
  time: ['24:00:00Z', '22:59:60Z', '00:00:00', '1:00:00Z'],
  uri: ['x', 'http://x/%zz', 'http://[::1', 'http://x:y/', '1a:b', 'http://a@b@c/'],
  'uri-reference': ['\\a', 'a b', '<x>', 'http://[x]'],
  'uri-template': ['{', '{a', 'a}', '{a:0}'],
  uuid: ['2eb8aa08aa9811eab4aa73b441d16380', '{2eb8aa08-aa98-11ea-b4aa-73b441d16380}'],
};

test('every format of the drafts is supported, with texts that match it and texts that do not', () => {
  expect(Object.keys(RIGHT).sort()).toEqual([...FORMATS.keys()].sort());
  expect(Object.keys(WRONG).sort()).toEqual([...FORMATS.keys()].sort());
});

test.each([...FORMATS.keys()])('the format %s accepts and refuses the texts of its table', (name) => {
  const conforms = FORMATS.get(name) ?? (() => null);
  expect(RIGHT[name]?.filter((text) => !conforms(text))).toEqual([]);
  expect(WRONG[name]?.filter((text) => conforms(text))).toEqual([]);
});

test.each([...FORMATS.keys()])('the format %s decides on every text, and throws at none', (name) => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...(RIGHT[name] ?? [])));
  const conforms = FORMATS.get(name);
  fc.assert(fc.property(text, fc.string(), (a, b) => typeof conforms?.(a + b) === 'boolean'));
});

test.each([...FORMATS.keys()])('the format %s checks long texts in linear time', (name) => {
  const conforms = FORMATS.get(name);
  for (const unit of ['a', 'a.', '-', '[', '%41', '{a', '1:', '"', '/~', 'é', '@', '\\']) {
    const startedAt = performance.now();
    conforms?.(unit.repeat(20_000));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});
