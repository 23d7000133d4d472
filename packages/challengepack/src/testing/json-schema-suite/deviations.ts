import type { SuiteVerdict } from './verdicts.js';

const REMOTE = 'The schema refers to another document, and references stay within the schema.';
const DRAFT_NOT_INSIDE = 'The schema refers to its draft, which is a document of its own.';
const OWN_META_SCHEMA = 'The schema names a meta-schema of its own; draft-07 and 2020-12 are read.';
const FORMATS_ASSERTED = 'Formats are asserted, which 2020-12 leaves to the validator.';
const RE2 =
  'Patterns are RE2, for linear time: their white space is ASCII, and some of ECMA-262 has no counterpart.';
const CONTENT_NOT_READ = 'The content of a text is not decoded; draft-07 leaves it to the validator.';

/** Tests of the suite whose outcome is another one on purpose, and why. */
export interface Deviation {
  readonly file: string;
  readonly outcome: SuiteVerdict['outcome'];
  readonly reason: string;
  /** How many tests of each group. */
  readonly groups: Readonly<Record<string, number>>;
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    file: 'draft2020-12/defs.json',
    outcome: 'schema_refused',
    reason: DRAFT_NOT_INSIDE,
    groups: {
      'validate definition against metaschema': 2,
    },
  },
  {
    file: 'draft2020-12/dynamicRef.json',
    outcome: 'schema_refused',
    reason: REMOTE,
    groups: {
      'strict-tree schema, guards against misspelled properties': 2,
      'tests for implementation dynamic anchor and reference link': 3,
      '$ref and $dynamicAnchor are independent of order - $defs first': 3,
      '$ref and $dynamicAnchor are independent of order - $ref first': 3,
      '$ref to $dynamicRef finds detached $dynamicAnchor': 2,
    },
  },
  {
    file: 'draft2020-12/format.json',
    outcome: 'false_fail',
    reason: FORMATS_ASSERTED,
    groups: {
      'email format': 1,
      'idn-email format': 1,
      'regex format': 1,
      'ipv4 format': 1,
      'ipv6 format': 1,
      'idn-hostname format': 1,
      'hostname format': 1,
      'date format': 1,
      'date-time format': 1,
      'time format': 1,
      'json-pointer format': 1,
      'relative-json-pointer format': 1,
      'iri format': 1,
      'iri-reference format': 1,
      'uri format': 1,
      'uri-reference format': 1,
      'uri-template format': 1,
      'uuid format': 1,
      'duration format': 1,
    },
  },
  {
    file: 'draft2020-12/ref.json',
    outcome: 'schema_refused',
    reason: DRAFT_NOT_INSIDE,
    groups: {
      'remote ref, containing refs itself': 2,
    },
  },
  {
    file: 'draft2020-12/refRemote.json',
    outcome: 'schema_refused',
    reason: REMOTE,
    groups: {
      'remote ref': 2,
      'fragment within remote ref': 2,
      'anchor within remote ref': 2,
      'ref within remote ref': 2,
      'base URI change': 2,
      'base URI change - change folder': 2,
      'base URI change - change folder in subschema': 2,
      'root ref in remote ref': 3,
      'remote ref with ref to defs': 2,
      'Location-independent identifier in remote ref': 2,
      'retrieved nested refs resolve relative to their URI not $id': 2,
      'remote HTTP ref with different $id': 2,
      'remote HTTP ref with different URN $id': 2,
      'remote HTTP ref with nested absolute ref': 2,
      '$ref to $ref finds detached $anchor': 2,
    },
  },
  {
    file: 'draft2020-12/vocabulary.json',
    outcome: 'schema_refused',
    reason: OWN_META_SCHEMA,
    groups: {
      'schema that uses custom metaschema with with no validation vocabulary': 3,
      'ignore unrecognized optional vocabulary': 2,
    },
  },
  {
    file: 'draft2020-12/optional/cross-draft.json',
    outcome: 'schema_refused',
    reason: REMOTE,
    groups: {
      'refs to historic drafts are processed as historic drafts': 1,
    },
  },
  {
    file: 'draft2020-12/optional/ecmascript-regex.json',
    outcome: 'false_fail',
    reason: RE2,
    groups: {
      'ECMA 262 \\s matches whitespace': 5,
    },
  },
  {
    file: 'draft2020-12/optional/ecmascript-regex.json',
    outcome: 'false_pass',
    reason: RE2,
    groups: {
      'ECMA 262 \\S matches everything but whitespace': 5,
    },
  },
  {
    file: 'draft2020-12/optional/format-assertion.json',
    outcome: 'schema_refused',
    reason: OWN_META_SCHEMA,
    groups: {
      'schema that uses custom metaschema with format-assertion: false': 2,
      'schema that uses custom metaschema with format-assertion: true': 2,
    },
  },
  {
    file: 'draft2020-12/optional/format/ecmascript-regex.json',
    outcome: 'false_pass',
    reason: RE2,
    groups: {
      '\\a is not an ECMA 262 control escape': 1,
      'Python-specific regular expression syntax is not valid ECMA 262': 1,
      'global inline flag groups are not valid ECMA 262': 2,
    },
  },
  {
    file: 'draft2020-12/optional/format/ecmascript-regex.json',
    outcome: 'false_fail',
    reason: RE2,
    groups: {
      'ECMA 262 named groups and backreferences are valid': 1,
      'ECMA 262 lookbehind is valid, including variable width': 1,
      'ECMA 262 character classes and escapes': 2,
    },
  },
  {
    file: 'draft7/definitions.json',
    outcome: 'schema_refused',
    reason: DRAFT_NOT_INSIDE,
    groups: {
      'validate definition against metaschema': 2,
    },
  },
  {
    file: 'draft7/ref.json',
    outcome: 'schema_refused',
    reason: DRAFT_NOT_INSIDE,
    groups: {
      'remote ref, containing refs itself': 2,
    },
  },
  {
    file: 'draft7/refRemote.json',
    outcome: 'schema_refused',
    reason: REMOTE,
    groups: {
      'remote ref': 2,
      'fragment within remote ref': 2,
      'ref within remote ref': 2,
      'base URI change': 2,
      'base URI change - change folder': 2,
      'base URI change - change folder in subschema': 2,
      'root ref in remote ref': 3,
      'remote ref with ref to definitions': 2,
      'Location-independent identifier in remote ref': 2,
      'retrieved nested refs resolve relative to their URI not $id': 2,
      '$ref to $ref finds location-independent $id': 2,
    },
  },
  {
    file: 'draft7/optional/content.json',
    outcome: 'false_pass',
    reason: CONTENT_NOT_READ,
    groups: {
      'validation of string-encoded content based on media type': 1,
      'validation of binary string-encoding': 1,
      'validation of binary-encoded media type documents': 2,
    },
  },
  {
    file: 'draft7/optional/cross-draft.json',
    outcome: 'schema_refused',
    reason: REMOTE,
    groups: {
      'refs to future drafts are processed as future drafts': 2,
    },
  },
  {
    file: 'draft7/optional/ecmascript-regex.json',
    outcome: 'false_fail',
    reason: RE2,
    groups: {
      'ECMA 262 \\s matches whitespace': 5,
    },
  },
  {
    file: 'draft7/optional/ecmascript-regex.json',
    outcome: 'false_pass',
    reason: RE2,
    groups: {
      'ECMA 262 \\S matches everything but whitespace': 5,
    },
  },
  {
    file: 'draft7/optional/format/ecmascript-regex.json',
    outcome: 'false_pass',
    reason: RE2,
    groups: {
      '\\a is not an ECMA 262 control escape': 1,
      'Python-specific regular expression syntax is not valid ECMA 262': 1,
      'global inline flag groups are not valid ECMA 262': 2,
    },
  },
  {
    file: 'draft7/optional/format/ecmascript-regex.json',
    outcome: 'false_fail',
    reason: RE2,
    groups: {
      'ECMA 262 named groups and backreferences are valid': 1,
      'ECMA 262 lookbehind is valid, including variable width': 1,
      'ECMA 262 character classes and escapes': 2,
    },
  },
];
