import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MathTarget } from './equivalence.js';
import { MathError } from './math-error.js';

const OPTIONS = {
  extract_answer: false,
  answer_delimiter: '####',
  comparison_mode: 'symbolic',
  numeric_fallback: true,
  tolerance: 1e-6,
} as const;

/** Null when one of them cannot be read. */
function same(a: string, b: string): boolean | null {
  try {
    return MathTarget.read(b, OPTIONS).isMetBy(a);
  } catch (error) {
    if (error instanceof MathError) return null;
    throw error;
  }
}

describe('solutions that are the same, though written otherwise', () => {
  test.each([
    // delimiters
    ['\\(2\\)', '2'],
    ['\\[2\\]', '2'],
    ['$$\\frac{1}{2}$$', '0.5'],
    ['\\boxed{(1,2)}', '(1,2)'],
    ['$\\boxed{\\frac13}$', '1/3'],
    ['2.', '2'],
    ['$12$.', '12'],
    // TeX arguments without braces
    ['\\frac13', '1/3'],
    ['\\frac1{3}', '1/3'],
    ['\\frac{1}3', '1/3'],
    ['\\frac 1 3', '1/3'],
    ['\\frac xy', '\\frac{x}{y}'],
    ['\\dfrac12x', 'x/2'],
    ['\\cfrac{1}{2}', '1/2'],
    ['\\cfrac{1}{1+\\cfrac{1}{2}}', '2/3'],
    ['\\sqrt3', '\\sqrt{3}'],
    ['2\\sqrt3', '√12'],
    ['\\sqrt x', 'x^(1/2)'],
    ['\\frac{\\sqrt2}2', '1/\\sqrt{2}'],
    ['\\left(\\frac12\\right)', '0.5'],
    // mixed numbers
    ['1\\frac{1}{2}', '3/2'],
    ['1\\frac12', '1.5'],
    ['-2\\tfrac{3}{4}', '-11/4'],
    ['1 1/2', '3/2'],
    ['$3\\,\\frac{1}{7}$', '22/7'],
    ['2\\frac{x}{3}', '2x/3'],
    ['x^2\\frac{1}{3}', 'x^2/3'],
    // per cent
    ['50\\%', '50%'],
    ['50\\%', '1/2'],
    ['$12.5\\%$', '1/8'],
    // groups of digits
    ['1,234', '1234'],
    ['12,345,678', '12345678'],
    ['1,234.5', '1234.5'],
    ['-1,234', '-1234'],
    ['10,\\!000', '10000'],
    ['1{,}234', '1234'],
    ['1\\,234', '1,234'],
    ['\\frac{1,000}{2}', '500'],
    // units and currency
    ['12 \\text{ cm}', '12'],
    ['12\\text{ cm}', '12 cm'],
    ['12\\,\\mathrm{cm}', '12 centimeters'],
    ['12 cm^2', '12 \\text{ cm}^{2}'],
    ['12 \\text{ square centimeters}', '12\\text{ cm}²'],
    ['18 dollars', '$18'],
    ['\\$18', '18'],
    ['$18.00', '18'],
    ['$1,234', '1234 dollars'],
    ['-$5', '$-5'],
    ['18€', '18 \\text{ euros}'],
    ['USD 18', '$18'],
    ['60 miles per hour', '60\\text{ miles}/\\text{hour}'],
    ['5\\text{ m}', '5 \\text{ meters}'],
    ['5\\text{ m/s}', '5 meters per second'],
    ['90^\\circ', '90 degrees'],
    ['90^{\\circ}', '90'],
    ['90°', '90^\\circ'],
    ['2\\pi \\text{ cm}', '2π'],
    ['3 hours.', '3'],
    // names
    ['x = 5', '5'],
    ['5', 'x=5'],
    ['x=\\frac12', 'x = 0.5'],
    ['(x, y) = (1, 2)', '(1,2)'],
    ['x = 1, 2', '1, 2'],
    // lists
    ['(1, 2)', '(1,2)'],
    ['(1,2)', '\\left( 1, 2 \\right)'],
    ['(\\frac12, 3)', '(0.5,3)'],
    ['(1,234)', '(1, 234)'],
    ['(1{,}234, 5)', '(1234,5)'],
    ['1, 2', '1,2'],
    ['1,2,3', '1, 2, 3'],
    ['$1$, $2$', '1,2'],
    ['\\{1,2\\}', '\\{2, 1\\}'],
    ['\\{1,1,2\\}', '\\left\\{1,2\\right\\}'],
    ['2,1', '\\{1,2\\}'],
    ['\\emptyset', '\\{\\}'],
    ['((1,2),(3,4))', '((1, 2), (3, 4))'],
    // intervals
    ['[0, 1)', '[0,1)'],
    ['(-\\infty, 3]', '(-∞,3]'],
    ['(-\\infty,1)\\cup(2,\\infty)', '(2,\\infty) \\cup (-\\infty,1)'],
  ])('the solution %s equals %s', (a, b) => {
    expect(same(a, b)).toBe(true);
    expect(same(b, a)).toBe(true);
  });
});

describe('solutions that are not the same', () => {
  test.each([
    ['12', '(1,2)'],
    ['1,2', '12'],
    ['12', '1,2'],
    ['10', '1,0'],
    ['1,234', '12,34'],
    ['12,34', '12.34'],
    ['1234', '12,34'],
    ['1,23', '123'],
    ['0,123', '123'],
    ['1234', '(1,234)'],
    ['1,234', '(1,234)'],
    ['1,2,345', '12345'],
    ['12,345,67', '1234567'],
    ['1, 234', '1234'],
    ['(1,2)', '(2,1)'],
    ['(1,2)', '[1,2]'],
    ['(1,2]', '[1,2)'],
    ['(1,2)', '1,2'],
    ['(1,2)', '\\{1,2\\}'],
    ['(1,2)', '(1,2,3)'],
    ['1,2', '2,1'],
    ['\\{1\\}', '1'],
    ['\\{1,2\\}', '\\{1,2,3\\}'],
    ['(-\\infty,3)', '(\\infty,3)'],
    ['(1,2)\\cup(3,4)', '(1,2)'],
    ['12 \\text{ cm}', '12 \\text{ m}'],
    ['12 cm', '12 cm^2'],
    ['12 \\text{ cm}', '13'],
    ['18 dollars', '18 cents'],
    ['$18', '€18'],
    ['$18', '19'],
    ['18 m', '18'],
    ['18 apples', '18'],
    ['3 alpha', '3'],
    ['5\\text{ m/s}', '5\\text{ m}'],
    ['50\\%', '50'],
    ['1\\frac{1}{2}', '1/2'],
    ['1\\frac12', '11/2'],
    ['1 1/2', '11/2'],
    ['\\frac12', '12'],
    ['\\frac{12}{3}', '\\frac123'],
    ['2\\frac{3}{2}', '7/2'],
    ['x^2\\frac{1}{3}', 'x^(7/3)'],
    ['\\sqrt3', '3'],
    ['\\sqrt[3]2', '\\sqrt2'],
    ['x = 5', 'y = 5'],
    ['x = 5', '6'],
    ['(x,y) = (1,2)', '(x,y) = (2,1)'],
    ['3\\ 4', '34'],
    ['3~4', '34'],
    ['x', 'x_1'],
  ])('the solution %s does not equal %s', (a, b) => {
    expect(same(a, b)).not.toBe(true);
    expect(same(b, a)).not.toBe(true);
  });
});

describe('lists and numbers of every size', () => {
  const integers = fc.array(fc.integer({ min: -9_999, max: 9_999 }), { minLength: 2, maxLength: 5 });
  const brackets = fc.constantFrom(['(', ')'], ['[', ']'], ['(', ']'], ['\\{', '\\}'], ['', '']);
  const comma = fc.constantFrom(',', ', ', ' , ');

  test('different tuples are never equal, and equal ones always are', () => {
    fc.assert(
      fc.property(integers, integers, comma, (a, b, between) => {
        const [left, right] = [`(${a.join(between)})`, `(${b.join(',')})`];
        expect(same(left, right)).toBe(a.join() === b.join());
        expect(same(left, `(${a.join(',')})`)).toBe(true);
      }),
    );
  });

  test('a list in brackets never equals a number, whatever its joined digits are', () => {
    fc.assert(
      fc.property(
        integers,
        brackets.filter(([open]) => open !== ''),
        (items, [open, close]) => {
          const list = `${open}${items.join(',')}${close}`;
          expect(same(items.join(''), list)).not.toBe(true);
          expect(same(String(items[0]), list)).not.toBe(true);
        },
      ),
    );
  });

  test('a change of brackets changes the solution, except for a set and a bare list', () => {
    fc.assert(
      fc.property(integers, brackets, brackets, (items, [open, close], [otherOpen, otherClose]) => {
        const listed = items.join(', ');
        const isSame = open === otherOpen && close === otherClose;
        const isSetAndBare = new Set([open, otherOpen, '\\{', '']).size === 2;
        expect(same(`${open}${listed}${close}`, `${otherOpen}${listed}${otherClose}`)).toBe(
          isSame || isSetAndBare,
        );
      }),
    );
  });

  test('a number with grouped digits equals itself without, and no commas elsewhere do', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), (number) => {
        expect(same(number.toLocaleString('en-US'), String(number))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,6}$/), fc.stringMatching(/^\d{1,6}$/), (head, tail) => {
        const isGrouped = /^[1-9]\d{0,2}$/.test(head) && tail.length === 3;
        expect(same(`${head},${tail}`, `${head}${tail}`)).toBe(isGrouped);
      }),
    );
  });

  test('a sum of fractions is the same in every notation', () => {
    const small = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(small, small, small, (whole, top, bottom) => {
        const value = `${whole * bottom + top}/${bottom}`;
        const mixed = `${whole}\\frac${top}${bottom}`;
        expect(same(mixed, value)).toBe(top < bottom || whole * bottom + top === whole * top);
        expect(same(`\\frac${top}${bottom}`, `\\dfrac{${top}}{${bottom}}`)).toBe(true);
        expect(same(`\\frac${top}${bottom}`, `${top}${bottom}`)).toBe(false);
      }),
    );
  });

  test('every text is read or refused, and equals itself when read', () => {
    const piece = fc.constantFrom(
      ...['1', '23', '456', ',', ', ', '(', ')', '[', ']', '{', '}', '\\{', '\\}', '$', '\\$', '\\(', '\\)'],
      ...[
        '\\text{ cm}',
        ' cm',
        '^2',
        '\\frac',
        '\\sqrt',
        '=',
        'x',
        '\\cup',
        '\\infty',
        '%',
        '\\%',
        '.',
        ' ',
        '/',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expect(same(pieces.join(''), pieces.join(''))).not.toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('texts of the greatest length are compared in a short time', () => {
    for (const unit of [
      '1,',
      '(',
      '1,111',
      '\\text{',
      ' ',
      'cm ',
      '\\frac1',
      '1 1/2+',
      '$',
      '\\{1,',
      '(1,2)\\cup',
      '=x',
    ]) {
      const startedAt = performance.now();
      same(unit.repeat(10_000 / unit.length), '1');
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});
