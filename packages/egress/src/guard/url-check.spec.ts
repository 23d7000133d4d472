import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_EGRESS_SETTINGS, type EgressPolicy } from './policy.js';
import { checkUrl } from './url-check.js';

const PUBLIC: EgressPolicy = { kind: 'pack', allowlist: [] };
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '[fd00:ec2::254]',
  '[fd00:ec2::23]',
  '[fd20:ce::254]',
  '[fe80::a9fe:a9fe]',
];

async function reasonOf(url: string, policy = PUBLIC, addresses: string[] = []): Promise<string | undefined> {
  const verdict = await checkUrl(url, { policy, resolve: async () => addresses });
  return verdict.allowed ? undefined : verdict.reason;
}

describe('a URL', () => {
  test.each(METADATA)(
    'a URL of the metadata service %s is refused to everyone, whatever is unlocked',
    async (host) => {
      const everything = [
        '0.0.0.0/0',
        '::/0',
        '169.254.0.0/16',
        '192.0.0.0/24',
        'fc00::/7',
        'fe80::/10',
        '100.64.0.0/10',
      ];
      const settings = { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: everything };
      for (const policy of [{ kind: 'pack', allowlist: everything }, { kind: 'operator' }] as const) {
        const verdict = await checkUrl(`http://${host}/`, { policy, settings });
        expect(verdict).toEqual({ allowed: false, reason: 'metadata' });
      }
    },
  );

  test.each([
    'metadata',
    'METADATA.google.internal.',
    'metadata.goog',
    'instance-data',
    'instance-data.ec2.internal',
  ])('a URL with the metadata name %s is refused before any lookup', async (name) => {
    expect(await reasonOf(`http://${name}/`, PUBLIC, ['93.184.216.34'])).toBe('metadata');
  });

  test.each([
    ['a URL of exactly 8 KiB passes', `http://a.example/${'a'.repeat(8192 - 17)}`, undefined],
    ['one byte more does not', `http://a.example/${'a'.repeat(8192 - 16)}`, 'invalid_url'],
    ['a percent-encoded address', 'http://%31%32%37.0.0.1/', 'loopback'],
    ['a soft hyphen in a name', 'http://local\u00adhost/', 'loopback'],
    ['a full-width at sign', 'http://a.example\uff2010.0.0.1/', 'invalid_url'],
    ['a port without host', 'http://:/', 'host'],
    ['only a query', 'http://?a@b', 'host'],
    ['an at sign in the path', 'http://a.example/@10.0.0.1', undefined],
    ['an empty userinfo', 'http://@a.example/', 'userinfo'],
    ['port 0', 'http://a.example:0/', 'port'],
    ['a name of 254 characters', `http://${'abcdefg.'.repeat(32).slice(0, 254)}/`, 'host'],
    ['only a dot', 'http://./', 'host'],
    ['two final dots', 'http://a.example../', 'host'],
    ['a name below localhost', 'http://a.LOCALHOST/', 'loopback'],
    ['a zone id', 'http://[fe80::1%25eth0]/', 'invalid_url'],
    ['a line break', 'http://a.example/\n', 'invalid_url'],
    ['a DEL', 'http://a.example/\u007f', 'invalid_url'],
    ['slashes too many', 'http:///a.example/', 'host'],
    ['a name without a scheme but with a port', 'a.example:80/', 'scheme'],
    ['a WebSocket', 'wss://a.example/', 'scheme'],
  ])('a URL is checked by its parsed scheme, host, port and length: %s', async (_what, url, reason) => {
    expect(await reasonOf(url, PUBLIC, ['93.184.216.34'])).toBe(reason);
  });

  test('a checked URL has no final dot in its name, and no fragment', async () => {
    const names: string[] = [];
    const verdict = await checkUrl('http://A.example./x#y', {
      policy: PUBLIC,
      resolve: async (name) => {
        names.push(name);
        return ['93.184.216.34'];
      },
    });
    expect(verdict).toMatchObject({ allowed: true, host: 'a.example' });
    expect(verdict.allowed && verdict.url.href).toBe('http://a.example./x');
    expect(names).toEqual(['a.example']);
  });

  test('a URL for packs has a port that the operator lists; providers may use any', async () => {
    const settings = { ...DEFAULT_EGRESS_SETTINGS, ports: [443] };
    const judge = (policy: EgressPolicy) => checkUrl('http://8.8.8.8:8080/', { policy, settings });
    expect(await judge(PUBLIC)).toEqual({ allowed: false, reason: 'port' });
    expect(await judge({ kind: 'operator' })).toMatchObject({ allowed: true });
  });

  test('a URL of plain http is admitted to unlocked addresses only, where the policy demands https', async () => {
    const settings = { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] };
    const policy = { kind: 'operator', plainHttp: 'unlocked' } as const;
    const judge = (url: string) => checkUrl(url, { policy, settings });
    expect(await judge('http://127.0.0.1:11434/')).toMatchObject({ allowed: true });
    expect(await judge('http://8.8.8.8/')).toEqual({ allowed: false, reason: 'scheme' });
    expect(await judge('https://8.8.8.8/')).toMatchObject({ allowed: true });
  });
});

describe('a lookup', () => {
  test.each([
    ['without an address', []],
    ['with 17 addresses', Array.from({ length: 17 }, (_, index) => `93.184.216.${index}`)],
    ['with a record that is no address', ['93.184.216.34', 'a.example']],
    ['with a zone in an address', ['fe80::1%eth0']],
  ])('a lookup %s fails', async (_what, addresses) => {
    expect(await reasonOf('http://a.example/', PUBLIC, addresses)).toBe('dns_failed');
  });

  test('a lookup that rejects fails without its text', async () => {
    const verdict = await checkUrl('http://a.example/', {
      policy: PUBLIC,
      resolve: () => Promise.reject(new Error('SERVFAIL 10.0.0.53')),
    });
    expect(verdict).toEqual({ allowed: false, reason: 'dns_failed' });
  });

  test('an address, localhost and a refused URL cause no lookup', async () => {
    const resolve = () => Promise.reject(new Error('looked up'));
    for (const url of ['http://8.8.8.8/', 'http://localhost/', 'http://u@a.example/', 'ftp://a.example/']) {
      const verdict = await checkUrl(url, { policy: PUBLIC, resolve });
      expect(verdict).not.toMatchObject({ reason: 'dns_failed' });
    }
  });
});

test('no spelling of an IPv4 address changes the verdict', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2 ** 32 - 1), async (value) => {
      const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff);
      const plain = await reasonOf(`http://${bytes.join('.')}/`);
      const spellings = [
        String(value),
        `0x${value.toString(16)}`,
        bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
        bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
        `${bytes[0]}.${value & 0xffffff}`,
        `[::ffff:${bytes.join('.')}]`,
      ];
      for (const spelling of spellings) expect(await reasonOf(`http://${spelling}/`)).toBe(plain);
    }),
  );
});

test('every address must pass: one refused address refuses the name', async () => {
  const good = fc.constantFrom<string>('93.184.216.34', '2606:4700:4700::1111', '8.8.8.8');
  const bad = fc.constantFrom('10.0.0.1', '::1', '127.0.0.1', '64:ff9b::a00:1', '0.0.0.0', 'fe80::1');
  await fc.assert(
    fc.asyncProperty(
      fc.array(good, { maxLength: 7 }),
      bad,
      fc.nat(7),
      async (addresses, spoiler, position) => {
        expect(
          await reasonOf('http://a.example/', PUBLIC, addresses.toSpliced(position, 0, spoiler)),
        ).toBeDefined();
      },
    ),
  );
});
