/** The labels that each series of a PromQL expression's result has, in whichever of its alternatives. */
export function resultLabelsOf(expression: string): string[] {
  // Of `a and b` the result has the labels of `a`.
  const alternatives = expression.split(/\s+or\s+/).map((part) => labelsOf(part.split(/\s+and\s+/)[0] ?? ''));
  const [first = [], ...others] = alternatives;
  return first.filter((label) => others.every((labels) => labels.includes(label)));
}

function labelsOf(expression: string): string[] {
  // What is absent is told by what it was asked for.
  if (expression.trim().startsWith('absent(')) {
    return [...expression.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
  }
  const labels = groupsOf(expression)[0] ?? [];
  return expression.includes('histogram_quantile') ? labels.filter((label) => label !== 'le') : labels;
}

/** Every histogram_quantile of an expression whose histogram was summed up without its buckets. */
export function bucketlessIn(expression: string): string[] {
  return expression
    .split(/(?=histogram_quantile\()/)
    .filter((part) => part.startsWith('histogram_quantile(') && !groupsOf(part)[0]?.includes('le'));
}

function groupsOf(expression: string): string[][] {
  return [...expression.matchAll(/by \(([^)]*)\)/g)].map(([, inner = '']) =>
    inner.split(',').map((label) => label.trim()),
  );
}
