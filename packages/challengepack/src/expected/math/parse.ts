import { compareDecimals, type Decimal, readDecimal } from '../../values/decimal.js';
import { type Expression, type Factor, PI, type Term } from './expression.js';
import { MathError } from './math-error.js';
import { type Token, tokenize } from './tokens.js';

const NESTING_MAX = 200;
const DIGITS_MAX = 1000;
const EXPONENT_MAX = 1000;

/** Starts a factor that may follow another without a sign. Numbers may not: `3 4` is no product. */
const JUXTAPOSED: ReadonlySet<Token['kind']> = new Set([
  'name',
  '(',
  'fraction',
  'root',
  'tex root',
  'boxed',
  'root sign',
]);
/** Tokens that may follow a mixed number that is written with a slash: anything else could belong to the divisor. */
const AFTER_MIXED: ReadonlySet<Token['kind']> = new Set([')', '+', '-', '*']);
const ONE: Expression = { kind: 'number', value: decimal('1') };
const HALF: Expression = { kind: 'number', value: decimal('0.5') };

/** Parses plain or TeX mathematics. Throws a `MathError`: `unparsable`, or `resource_limit` past its guards. */
export function parseMath(text: string): Expression {
  const parser = new Parser(tokenize(text));
  return parser.whole();
}

class Parser {
  readonly #tokens: Token[];
  /** The tokens of which a part has been read, as they were before; a failed alternative restores them. */
  readonly #shortened: { readonly at: number; readonly token: Token }[] = [];
  #at = 0;
  #depth = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#sum();
    if (this.#at < this.#tokens.length) throw new MathError('unparsable');
    return expression;
  }

  #sum(): Expression {
    const terms: Term[] = [{ isSubtracted: false, value: this.#product() }];
    for (;;) {
      if (this.#took('+')) terms.push({ isSubtracted: false, value: this.#product() });
      else if (this.#took('-')) terms.push({ isSubtracted: true, value: this.#product() });
      else return single(terms) ?? { kind: 'sum', terms };
    }
  }

  #product(): Expression {
    const factors: Factor[] = [{ isDivisor: false, value: this.#signed() }];
    for (;;) {
      if (this.#took('*')) factors.push({ isDivisor: false, value: this.#signed() });
      else if (this.#took('/')) factors.push({ isDivisor: true, value: this.#signed() });
      else if (this.#peekIsJuxtaposed()) factors.push({ isDivisor: false, value: this.#power() });
      else return single(factors) ?? { kind: 'product', factors };
    }
  }

  #signed({ inExponent = false } = {}): Expression {
    const isNegative = this.#signs();
    const value = this.#power({ inExponent });
    return isNegative ? { kind: 'sum', terms: [{ isSubtracted: true, value }] } : value;
  }

  /** Takes a run of signs; true when they make a minus. */
  #signs(): boolean {
    let isNegative = false;
    for (;;) {
      if (this.#took('-')) isNegative = !isNegative;
      else if (!this.#took('+')) return isNegative;
    }
  }

  #power({ inExponent = false } = {}): Expression {
    const base = this.#primary({ inExponent });
    if (!this.#took('^')) return base;
    return { kind: 'power', base, exponent: this.#nested(() => this.#signed({ inExponent: true })) };
  }

  #primary({ inExponent = false } = {}): Expression {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token?.kind) {
      case 'number':
        return (inExponent ? null : this.#mixed(token.text)) ?? this.#number(token.text);
      case 'name':
        return this.#symbol(token.text);
      case '(':
        return this.#groupRest(')');
      case 'boxed':
        return this.#group();
      case 'fraction':
        return quotient(this.#argument(), this.#argument());
      case 'root':
        return root(this.#group(), HALF);
      case 'tex root':
        return this.#texRoot();
      case 'root sign':
        return root(
          this.#nested(() => this.#primary()),
          HALF,
        );
      default:
        throw new MathError('unparsable');
    }
  }

  #number(text: string): Expression {
    const value = decimal(text);
    if (!this.#took('%')) return { kind: 'number', value };
    return quotient({ kind: 'number', value }, { kind: 'number', value: decimal('100') });
  }

  #symbol(name: string): Expression {
    const isFunction = this.#tokens[this.#at]?.kind === '(' && [...name].length > 1 && name !== PI;
    if (isFunction) throw new MathError('unparsable');
    return { kind: 'symbol', name };
  }

  #texRoot(): Expression {
    const index = this.#took('[') ? quotient(ONE, this.#groupRest(']')) : HALF;
    return root(this.#argument(), index);
  }

  /** The argument of a TeX word: a group, or the one digit or letter that follows, as in `\\frac13`. */
  #argument(): Expression {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'number' && token?.kind !== 'name') return this.#group();
    const [first = '', ...rest] = token.text === PI ? [PI] : token.text;
    if (token.kind === 'number' && /\D/.test(token.text)) throw new MathError('unparsable');
    if (rest.length === 0) this.#at += 1;
    else this.#shorten(token, rest.join(''));
    return token.kind === 'name'
      ? { kind: 'symbol', name: first }
      : { kind: 'number', value: decimal(first) };
  }

  /** `1\\frac{1}{2}` and `1 1/2`: an integer and a proper fraction of integers. Null when it is none. */
  #mixed(whole: string): Expression | null {
    if (!/^\d+$/.test(whole)) return null;
    const [at, shortened] = [this.#at, this.#shortened.length];
    const fraction = this.#took('fraction') ? this.#texFraction() : this.#plainFraction();
    const next = this.#tokens[this.#at]?.kind;
    if (fraction !== null && next !== '^') {
      const terms = [{ kind: 'number' as const, value: decimal(whole) }, fraction];
      return { kind: 'sum', terms: terms.map((value) => ({ isSubtracted: false, value })) };
    }
    this.#at = at;
    for (const { at, token } of this.#shortened.splice(shortened).reverse()) this.#tokens[at] = token;
    return null;
  }

  #shorten(token: Token & { readonly text: string }, text: string): void {
    this.#shortened.push({ at: this.#at, token });
    this.#tokens[this.#at] = { kind: token.kind, text };
  }

  #texFraction(): Expression | null {
    return properFraction(this.#argument(), this.#argument());
  }

  #plainFraction(): Expression | null {
    const [top, slash, bottom, after] = this.#tokens.slice(this.#at, this.#at + 4);
    if (top?.kind !== 'number' || slash?.kind !== '/' || bottom?.kind !== 'number') return null;
    if (after !== undefined && !AFTER_MIXED.has(after.kind)) return null;
    this.#at += 3;
    const [dividend, divisor] = [top, bottom].map(({ text }) => ({
      kind: 'number' as const,
      value: decimal(text),
    }));
    return dividend && divisor ? properFraction(dividend, divisor) : null;
  }

  #group(): Expression {
    this.#take('(');
    return this.#groupRest(')');
  }

  #groupRest(close: ')' | ']'): Expression {
    const inner = this.#nested(() => this.#sum());
    this.#take(close);
    return inner;
  }

  #nested(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > NESTING_MAX) throw new MathError('resource_limit');
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #peekIsJuxtaposed(): boolean {
    const token = this.#tokens[this.#at];
    return token !== undefined && JUXTAPOSED.has(token.kind);
  }

  #took(kind: Token['kind']): boolean {
    if (this.#tokens[this.#at]?.kind !== kind) return false;
    this.#at += 1;
    return true;
  }

  #take(kind: Token['kind']): void {
    if (!this.#took(kind)) throw new MathError('unparsable');
  }
}

function single(items: readonly (Term | Factor)[]): Expression | undefined {
  return items.length === 1 ? items[0]?.value : undefined;
}

function quotient(dividend: Expression, divisor: Expression): Expression {
  const factors = [
    { isDivisor: false, value: dividend },
    { isDivisor: true, value: divisor },
  ];
  return { kind: 'product', factors };
}

/** Null unless both are integers and the dividend is the smaller. */
function properFraction(dividend: Expression, divisor: Expression): Expression | null {
  if (dividend.kind !== 'number' || divisor.kind !== 'number') return null;
  const isInteger = dividend.value.exponent >= 0 && divisor.value.exponent >= 0;
  return isInteger && compareDecimals(dividend.value, divisor.value) < 0 ? quotient(dividend, divisor) : null;
}

function root(base: Expression, exponent: Expression): Expression {
  return { kind: 'power', base, exponent };
}

function decimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/);
  const isTooLong =
    mantissa.replace('.', '').length > DIGITS_MAX || Math.abs(Number(exponent)) > EXPONENT_MAX;
  if (isTooLong) throw new MathError('resource_limit');
  const value = readDecimal(text);
  if (value === null) throw new MathError('unparsable');
  return value;
}
