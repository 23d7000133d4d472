/** Orders texts by code point; JavaScript's `<` orders by UTF-16 unit, which differs beyond U+FFFF. */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Surrogates encode code points above every other unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
