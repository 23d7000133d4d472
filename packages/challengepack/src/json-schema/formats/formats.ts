import { PATTERN_SIZE_MAX } from '../limits.js';
import { compilePattern } from '../pattern.js';
import { patternSize } from '../pattern-size.js';
import { isDate, isDateTime, isDuration, isTime } from './date-time.js';
import { isEmail, isIdnEmail } from './email.js';
import { isHostname, isIdnHostname } from './hostname.js';
import { isIpv4, isIpv6 } from './ip-address.js';
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from './uri.js';

const POINTER = '(?:/(?:[^~/]|~[01])*)*';

/** The formats of the drafts (JSON Schema Validation section 7.3). A format that is not among them asserts nothing. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({
    date: isDate,
    'date-time': isDateTime,
    duration: isDuration,
    email: isEmail,
    hostname: isHostname,
    'idn-email': isIdnEmail,
    'idn-hostname': isIdnHostname,
    ipv4: isIpv4,
    ipv6: isIpv6,
    iri: isIri,
    'iri-reference': isIriReference,
    'json-pointer': matching(new RegExp(`^${POINTER}$`, 'u')),
    regex: (text: string) => patternSize(text) <= PATTERN_SIZE_MAX && compilePattern(text) !== null,
    'relative-json-pointer': matching(new RegExp(`^(?:0|[1-9][0-9]*)(?:#|${POINTER})$`, 'u')),
    time: isTime,
    uri: isUri,
    'uri-reference': isUriReference,
    'uri-template': isUriTemplate,
    uuid: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i),
  }),
);

function matching(form: RegExp): (text: string) => boolean {
  return (text) => form.test(text);
}
