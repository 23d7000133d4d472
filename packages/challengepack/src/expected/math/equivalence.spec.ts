import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type MathOptions, MathTarget } from './equivalence.js';
import { MathError } from './math-error.js';

const SYMBOLIC: MathOptions = {
  extract_answer: false,
  answer_delimiter: '####',
  comparison_mode: 'symbolic',
  numeric_fallback: false,
  tolerance: 1e-6,
};
const WITH_FALLBACK = { ...SYMBOLIC, numeric_fallback: true };
const NUMERIC: MathOptions = { ...SYMBOLIC, comparison_mode: 'numeric' };

describe('the same form', () => {
  test.each([
    ['1/2x', 'x/2'],
    ['2x(y+1)', '2*x*y + 2x'],
    ['-2^2', '-4'],
    ['(-2)^2', '4'],
    ['2^-1', '1/2'],
    ['2^3^2', '512'],
    ['--x', 'x'],
    ['- - -x', '-x'],
    ['x^0', '1'],
    ['0^0', '1'],
    ['50%', '0.5'],
    ['1,000', '1000'],
    ['0.1 + 0.2', '0.3'],
    ['(x^2-1)/(x-1)', 'x+1'],
    ['1/x + 1/y', '(x+y)/(x y)'],
    ['(a+b)^3', 'a^3 + 3a^2 b + 3a b^2 + b^3'],
    ['x/x', '1'],
    ['√2 √2', '2'],
    ['\\sqrt{2}\\cdot\\sqrt{2}', '2'],
    ['1/√2', '√2/2'],
    ['sqrt(1/2)', '1/sqrt(2)'],
    ['2^x*2^y', '2^(x+y)'],
    ['1\\,000', '1000'],
    ['2^(x+1)', '2*2^x'],
    ['2^x/2^y', '2^(x-y)'],
    ['x^(3/2)', 'x sqrt(x)'],
    ['(x+1)^(1/2)*(x+1)^(1/2)', 'x+1'],
    ['sqrt(x)^2', 'x'],
    ['√x^2', 'x'],
    ['\\frac{1}{2}x', 'x/2'],
    ['\\dfrac{a}{b} \\div \\tfrac{c}{d}', 'a d / (b c)'],
    ['\\boxed{\\left( x + 1 \\right)}', 'x+1'],
    ['$$x^{2}$$', 'x*x'],
    ['2\\,\\pi\\;r', '2πr'],
    ['pi(2)', '2pi'],
    ['x(2)', '2x'],
    ['a × b ÷ c', 'a*b/c'],
    ['x − y – z', 'x-y-z'],
    ['\\sqrt[3]{x}', 'x^(1/3)'],
    ['3x_1', 'x_1*3'],
    ['1e3', '1000'],
    ['2e', 'e*2'],
    ['(2^1000)/(2^999)', '2'],
  ])('the expression %s equals %s', (a, b) => {
    expect(meets(a, b)).toBe(true);
    expect(meets(b, a)).toBe(true);
  });

  test.each([
    ['x', 'X'],
    ['sqrt(4)', '2'],
    ['xy', 'x*y'],
    ['x^2', '2^x'],
    ['(x+1)^2', 'x^2+1'],
    ['2^x', '2^y'],
    ['sqrt(x*y)', 'sqrt(x)*y'],
  ])('the expression %s differs from %s', (a, b) => {
    expect(meets(a, b)).toBe(false);
  });

  test('any polynomial equals its expansion', () => {
    const root = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(fc.array(root, { minLength: 1, maxLength: 6 }), (roots) => {
        const factored = roots.map((value) => `(x - (${value}))`).join('');
        const expanded = expand(roots)
          .map((coefficient, power) => `(${coefficient})*x^${power}`)
          .join('+');
        expect(meets(factored, expanded)).toBe(true);
        expect(meets(factored, `${expanded}+1`)).toBe(false);
      }),
    );
  });
});

describe('the same number', () => {
  test.each([
    ['sqrt(4)', '2'],
    ['\\sqrt[3]{8}', '2'],
    ['√8', '2√2'],
    ['0.3333333', '1/3'],
    ['2pi', '6.2831853'],
  ])('the number %s equals %s for doubles', (a, b) => {
    expect(meets(a, b, WITH_FALLBACK)).toBe(true);
    expect(meets(a, b, NUMERIC)).toBe(true);
  });

  test.each([
    ['0.33333', '1/3'],
    ['x/3', '0.333333333x'],
    ['sqrt(-1)', 'sqrt(-2)'],
    ['10^400', '10^401'],
  ])('the number %s does not equal %s', (a, b) => {
    expect(meets(a, b, WITH_FALLBACK)).toBe(false);
  });

  test('numeric mode has no symbols but pi', () => {
    expect(problemOf('x', NUMERIC)).toBe('unparsable');
    expect(problemOf('1/(2-2)', NUMERIC)).toBe('division_by_zero');
  });
});

test('the compared text is the text after the last delimiter', () => {
  const options = { ...SYMBOLIC, extract_answer: true };
  expect(meets('2+2 #### 5 #### 4', '4', options)).toBe(true);
  expect(meets('4', 'so #### 4', options)).toBe(true);
});

describe('errors', () => {
  test.each([
    '',
    ' ',
    '3 4',
    'x 4',
    '(1',
    '1)',
    '1+',
    '*2',
    '2**3',
    'sin(x)',
    'foo(2)',
    '\\sin x',
    '\\frac1',
    '\\frac123',
    '\\frac1.5',
    '\\sqrt',
    '\\sqrt35',
    'sqrt 35',
    '1.2.3',
    '$',
    '5 + $3',
    '2=x',
    'x=1=2',
    '(1,)',
    ',1',
    '1,,2',
    '2(1,2)',
    '(1,2)+(3,4)',
    'x + \\infty',
    '\\text{ cm}',
    '1;2',
    '\\boxed',
    'sqrt',
    '[1]',
    '%',
    '🦊',
  ])('the expression %j cannot be parsed', (text) => {
    expect(problemOf(text)).toBe('unparsable');
  });

  test.each(['1/0', '1/(x-x)', '0^-1', '(x-x)^(-1/2)', 'x/(1-1)'])(
    'the expression %s divides by zero',
    (text) => {
      expect(problemOf(text)).toBe('division_by_zero');
    },
  );

  test.each([
    ['(', 201, '1'],
    ['2^', 300, '2'],
    ['9', 1001, ''],
    ['(x+y+z+u+v+w)^9*', 3, '1'],
    ['√', 300, '2'],
  ])('the expression %j repeated %i times exceeds a limit of the parser', (piece, count, end) => {
    const closing = piece === '(' ? ')'.repeat(count) : '';
    expect(problemOf(piece.repeat(count) + end + closing)).toBe('resource_limit');
  });

  test.each([
    '1e1001',
    '2^1001',
    '2^-1001',
    '(x+1)^65',
    '1e20000000',
    '((9^1000)^1000)^1000',
    '(a+b+c+d)^64',
  ])('the expression %s exceeds a limit of the parser', (text) => {
    expect(problemOf(text)).toBe('resource_limit');
  });

  test.each([
    '(x+1)^64',
    'x^1000',
    `${'9'.repeat(1000)}`,
    `${'('.repeat(200)}1${')'.repeat(200)}`,
    `${'-'.repeat(5000)}x`,
  ])('the expression %s stays within the limits of the parser', (text) => {
    expect(problemOf(text)).toBeNull();
  });

  test('every text ends with a result or a MathError', () => {
    const piece = fc.constantFrom(
      'x',
      '2',
      '(',
      ')',
      '^',
      '/',
      '+',
      '-',
      '√',
      '\\frac',
      '{',
      '}',
      'pi',
      '%',
      '[',
      ']',
      '.5',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        problemOf(pieces.join(''));
      }),
    );
  });
});

function meets(solution: string, target: string, options = SYMBOLIC): boolean {
  return MathTarget.read(target, options).isMetBy(solution);
}

function problemOf(text: string, options = SYMBOLIC): string | null {
  try {
    MathTarget.read(text, options);
    return null;
  } catch (error) {
    if (error instanceof MathError) return error.code;
    throw error;
  }
}

/** The coefficients of ∏(x − root), lowest power first. */
function expand(roots: readonly number[]): number[] {
  let product = [1];
  for (const root of roots) {
    const shifted = [0, ...product];
    product = shifted.map((coefficient, power) => coefficient - root * (product[power] ?? 0));
  }
  return product;
}
