/** The ways in which a careless or hostile server may write down what it was sent, by name. */
export const FORMS = {
  raw: (secret) => secret,
  'percent-lower': (secret) => bytesOf(secret, (hex) => `%${hex}`),
  'percent-upper': (secret) => bytesOf(secret, (hex) => `%${hex.toUpperCase()}`),
  'percent-some': encodeURIComponent,
  'form-encoded': (secret) => new URLSearchParams({ s: secret }).toString().slice(2),
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  'json-slash': (secret) => JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
  'unicode-lower': (secret) => bytesOf(secret, (hex) => `\\u00${hex}`),
  'unicode-upper': (secret) => bytesOf(secret, (hex) => `\\u00${hex.toUpperCase()}`),
  'hex-lower': (secret) => bytesOf(secret, (hex) => hex),
  'hex-upper': (secret) => bytesOf(secret, (hex) => hex.toUpperCase()),
  'hex-spaced': (secret) => bytesOf(secret, (hex) => `${hex} `).trimEnd(),
  'hex-colons': (secret) => bytesOf(secret, (hex) => `:${hex.toUpperCase()}`).slice(1),
  'backslash-x': (secret) => bytesOf(secret, (hex) => `\\x${hex}`),
  'html-decimal': (secret) => bytesOf(secret, (hex) => `&#${Number.parseInt(hex, 16)};`),
  'html-hex': (secret) => bytesOf(secret, (hex) => `&#x${hex.toUpperCase()};`),
  'utf-16': (secret) => [...secret].map((character) => `${character}\0`).join(''),
  'base64-wrapped': (secret) => inBase64(secret, 0).replace(/.{1,8}(?=.)/g, '$&\r\n'),
  'base64-0': (secret) => inBase64(secret, 0),
  'base64-1': (secret) => inBase64(secret, 1),
  'base64-2': (secret) => inBase64(secret, 2),
  'base64url-0': (secret) => asUrl(inBase64(secret, 0)),
  'base64url-1': (secret) => asUrl(inBase64(secret, 1)),
  'base64url-2': (secret) => asUrl(inBase64(secret, 2)),
} as const satisfies Record<string, (secret: string) => string>;

/** Every text that would give the secret away. */
export function formsOf(secret: string): string[] {
  return [...new Set(Object.values(FORMS).map((form) => form(secret)))];
}

function bytesOf(secret: string, write: (hex: string) => string): string {
  return [...Buffer.from(secret)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');
}

/** Base64 of a longer text that holds the secret so many bytes after a boundary: what of it the secret alone fixes. */
function inBase64(secret: string, offset: number): string {
  const bytes = Buffer.byteLength(secret);
  const whole = Buffer.from(`${' '.repeat(offset)}${secret}`).toString('base64');
  return whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes) * 4) / 3));
}

function asUrl(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
