import { type Decimal, readDecimal } from '../decimal.js';
import type { Expression, Factor, Term } from './expression.js';
import { PI } from './expression.js';
import { MathFault } from './fault.js';
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
  'boxed',
  'root sign',
]);
const ONE: Expression = { kind: 'number', value: decimal('1') };
const HALF: Expression = { kind: 'number', value: decimal('0.5') };

/** Parses plain or TeX mathematics. Throws a `MathFault`: `unparsable`, or `resource_limit` past its guards. */
export function parseMath(text: string): Expression {
  const parser = new Parser(tokenize(text));
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#sum();
    if (this.#at < this.#tokens.length) throw new MathFault('unparsable');
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

  #signed(): Expression {
    const isNegative = this.#signs();
    const value = this.#power();
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

  #power(): Expression {
    const base = this.#primary();
    if (!this.#took('^')) return base;
    return { kind: 'power', base, exponent: this.#nested(() => this.#signed()) };
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    switch (token?.kind) {
      case 'number':
        return this.#number(token.text);
      case 'name':
        return this.#symbol(token.text);
      case '(':
        return this.#groupRest(')');
      case 'boxed':
        return this.#group();
      case 'fraction':
        return quotient(this.#group(), this.#group());
      case 'root':
        return this.#root();
      case 'root sign':
        return root(
          this.#nested(() => this.#primary()),
          HALF,
        );
      default:
        throw new MathFault('unparsable');
    }
  }

  #number(text: string): Expression {
    const value = decimal(text);
    if (!this.#took('%')) return { kind: 'number', value };
    return quotient({ kind: 'number', value }, { kind: 'number', value: decimal('100') });
  }

  #symbol(name: string): Expression {
    const isFunction = this.#tokens[this.#at]?.kind === '(' && [...name].length > 1 && name !== PI;
    if (isFunction) throw new MathFault('unparsable');
    return { kind: 'symbol', name };
  }

  #root(): Expression {
    const index = this.#took('[') ? quotient(ONE, this.#groupRest(']')) : HALF;
    return root(this.#group(), index);
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
    if (this.#depth > NESTING_MAX) throw new MathFault('resource_limit');
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
    if (!this.#took(kind)) throw new MathFault('unparsable');
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

function root(base: Expression, exponent: Expression): Expression {
  return { kind: 'power', base, exponent };
}

function decimal(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/);
  const isTooLong =
    mantissa.replace('.', '').length > DIGITS_MAX || Math.abs(Number(exponent)) > EXPONENT_MAX;
  if (isTooLong) throw new MathFault('resource_limit');
  const value = readDecimal(text);
  if (value === null) throw new MathFault('unparsable');
  return value;
}
