import type { AuditCertificate } from '@agentclash/contracts';

/** A certificate in one line, such as `audit passed: 92 % of mutants noticed, no cheat gained`. */
export function auditInWords(certificate: AuditCertificate | null | undefined): string {
  if (certificate === null || certificate === undefined) return 'not audited';
  const { result, quick, strength, cheats_gained: gained, cheats_tried: tried } = certificate;
  const figures = [
    ...(strength === null ? [] : [`${Math.floor(100 * strength)} % of mutants noticed`]),
    ...(tried === 0 ? [] : [gainedInWords(gained, tried)]),
    ...gradersInWords(certificate),
  ];
  const head = `${quick ? 'quick audit' : 'audit'} ${result}`;
  return figures.length === 0 ? head : `${head}: ${figures.join(', ')}`;
}

function gainedInWords(gained: number, tried: number): string {
  return gained === 0 ? 'no cheat gained' : `${gained} of ${tried} cheats gained`;
}

/** Nothing where cheats were tried on all of them. */
function gradersInWords({ graders = 0, graders_tried: tried = graders }: AuditCertificate): string[] {
  return tried < graders ? [`cheats tried on ${tried} of ${graders} distinct graders`] : [];
}
