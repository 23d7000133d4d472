/** Countries beyond those of the example: with five cases no difference can be distinguished from chance. */
const MORE = {
  chile: ['Chile', 'Santiago'],
  ghana: ['Ghana', 'Accra'],
  japan: ['Japan', 'Tokyo'],
  norway: ['Norway', 'Oslo'],
  oman: ['Oman', 'Muscat'],
  qatar: ['Qatar', 'Doha'],
  tonga: ['Tonga', 'Nukuʻalofa'],
} as const;
const KNOWN = { peru: 'Lima', malta: 'Valletta', kenya: 'Nairobi', nepal: 'Kathmandu', iceland: 'Reykjavík' };

/** The example capital-cities with twelve cases. */
export function twelveCapitals(example: string): string {
  const cases = Object.entries(MORE).map(([case_key, [country, value]]) => {
    const expectations = [{ key: 'capital', kind: 'text', value }];
    return `      - ${JSON.stringify({ challenge_key: 'capital', case_key, payload: { country }, expectations })}`;
  });
  return [example.trimEnd(), ...cases, ''].join('\n');
}

/** A deployment that solves all twelve, in the words of `phrase`. */
export function capitalsAgent(name: string, phrase: (capital: string) => string = (capital) => capital) {
  const more = Object.entries(MORE).map(([key, [, capital]]) => [key, capital] as const);
  const by_case: Record<string, [{ answer: string }]> = {};
  for (const [key, capital] of [...Object.entries(KNOWN), ...more])
    by_case[key] = [{ answer: phrase(capital) }];
  return { name, kind: 'scripted', config: { by_case } };
}

/** The capital, and more than is required. */
export function atLength(capital: string): string {
  return `Great question! It is ${capital}, a lovely place to visit, as is well known.`;
}
