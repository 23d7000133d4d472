import { expect, test } from '@jest/globals';
import { judge } from '../testing/judge.js';

const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;

test.each([
  '<a/>',
  ' \n<?xml version="1.0" encoding="UTF-8"?>\n<!-- c --><a b="1" c=\'2\'>&lt;&#x41;<?pi x?></a><!-- d -->\n',
  '<a><![CDATA[<&]]]]></a>',
  '<é:ü xmlns:é="u"/>',
  '<undeclared:a/>',
  nested(256),
])('the text %j is well-formed', (actual) => {
  expect(judge('xml_valid', { actual, config: {} })).toMatchObject({ verdict: 'pass' });
});

test.each([
  'text',
  '<a>',
  '<a></b>',
  '<a/>text',
  '<a/><b/>',
  '<a b="1" b="2"/>',
  '<a b=1/>',
  '<a b/>',
  '<a b="<"/>',
  '<a>&nbsp;</a>',
  '<a>& b</a>',
  '<a>]]></a>',
  '<a>&#0;</a>',
  '<a>\u0001</a>',
  '<a><!-- a -- b --></a>',
  '<1a/>',
  '<a><?xml version="1.0"?></a>',
  '<!DOCTYPE a><a/>',
  '<a b="1"c="2"/>',
  '< a/>',
  '<a',
  nested(257),
])('the text %j is not well-formed', (actual) => {
  expect(judge('xml_valid', { actual, config: {} })).toMatchObject({ reason: 'unparsable_output' });
});

test('the root element may be required by name', () => {
  const config = { root_element: 'invoice' };
  expect(judge('xml_valid', { actual: '<invoice><order/></invoice>', config })).toMatchObject({
    verdict: 'pass',
  });
  expect(judge('xml_valid', { actual: '<order><invoice/></order>', config })).toMatchObject({
    reason: 'wrong_root',
  });
});
