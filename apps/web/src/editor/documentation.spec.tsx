import { expect, test } from '@jest/globals';
import { documentationElement } from './documentation.js';

test('documentation is paragraphs, lists and code, and signs of HTML in it stay text', () => {
  const element = documentationElement(
    'The *mode* as \\`allow\\_shell\\` is <b>read</b>.\n\nAllowed Values:\n\n* `native`: In a sandbox.\n* `multi_turn`\n\n----\n\n```yaml\nname: x\n```',
  );
  expect([...element.children].map(({ localName }) => localName)).toEqual(['p', 'p', 'ul', 'pre']);
  expect(element.querySelector('b')).toBeNull();
  expect(element.querySelector('p')?.textContent).toBe('The *mode* as allow_shell is <b>read</b>.');
  expect([...element.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual([
    'native: In a sandbox.',
    'multi_turn',
  ]);
  expect([...element.querySelectorAll('code')].map(({ textContent }) => textContent)).toContain(
    'allow_shell',
  );
  expect(element.querySelector('pre')?.textContent).toBe('name: x\n');
});
