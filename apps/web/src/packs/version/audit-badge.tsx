import { type AuditCertificate, auditInWords } from '@agentclash/api';
import { Badge, type Tone } from '../../design/badge.js';

const TONES: Record<AuditCertificate['result'], Tone> = {
  passed: 'good',
  failed: 'bad',
  incomplete: 'warn',
};

/** The certificate of a version in a word or, with its figures, in a line. A quick audit that passed proves too little for green. */
export function AuditBadge({ certificate }: { certificate: AuditCertificate | null | undefined }) {
  if (!certificate) return <Badge>not audited</Badge>;
  const { result, quick } = certificate;
  const tone = quick && result === 'passed' ? 'neutral' : TONES[result];
  return <Badge tone={tone}>{auditInWords(certificate)}</Badge>;
}
