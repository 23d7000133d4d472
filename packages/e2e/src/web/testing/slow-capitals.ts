/** Deployments for the pack capital-cities that take their time, so that there is a race to be watched. */
export function slowCapitals(names: readonly string[], delayMs: number): string {
  const capitals = {
    peru: 'Lima',
    malta: 'Valletta',
    kenya: 'Nairobi',
    nepal: 'Pokhara',
    iceland: 'Reykjavík',
  };
  const byCase = Object.entries(capitals).map(
    ([key, capital]) => `        ${key}: [{answer: ${capital}, delay_ms: ${delayMs}}]`,
  );
  const deployments = names.map((name) =>
    [`  - name: ${name}`, '    kind: scripted', '    config:', '      by_case:', ...byCase].join('\n'),
  );
  return ['deployments:', ...deployments].join('\n');
}
