const FORGIVEN = 1e-9;

/** Why an agent cannot pass and ranks low, by the figures of its ranking entry, which an older ranking lacks. */
export function missingShareInWords(
  entry: Readonly<Record<string, unknown>>,
  { hasPackErrors = false }: { hasPackErrors?: boolean } = {},
): string | undefined {
  const { missing_share, max_missing_share } = entry;
  if (typeof missing_share !== 'number' || typeof max_missing_share !== 'number') return undefined;
  if (missing_share <= max_missing_share + FORGIVEN) return undefined;
  const [missing, allowed] = [percent(missing_share), percent(max_missing_share)];
  if (hasPackErrors)
    return `${missing} of its attempts have no usable score, ${allowed} may be without: pack errors count among them; it cannot pass until they are fixed`;
  return `${missing} of its attempts are missing, ${allowed} may be: it cannot pass, and ranks below agents with enough attempts`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
