import { type AuditCertificate, auditInWords } from '@agentclash/api';
import { Badge, type Tone } from '../../design/badge.js';

const TONES: Record<AuditCertificate['result'], Tone> = {
  passed: 'good',
  failed: 'bad',
  incomplete: 'warn',
};

/** The certificate of a version in a word or, with its figures, in a line. */
export function AuditBadge({ certificate }: { certificate: AuditCertificate | null | undefined }) {
  if (!certificate) return <Badge>not audited</Badge>;
  return <Badge tone={TONES[certificate.result]}>{auditInWords(certificate)}</Badge>;
}
