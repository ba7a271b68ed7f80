import { Ajv2020 } from 'ajv/dist/2020.js';
import { changeKinds, toChange } from '../Change.ts';
import { formatSarif } from './formatSarif.ts';
import { helpUriOf } from './helpUriOf.ts';
import type { Report } from './Report.ts';

const text = { type: 'string', minLength: 1 };
const listOf = (items: object, uniqueItems = false) => ({ type: 'array', items, uniqueItems });
const object = (required: string[], properties: object) => ({ type: 'object', required, properties });
const message = object(['text'], { text });

// The requirements of SARIF 2.1.0 (OASIS, 3.13 to 3.52) for the parts of a log that the check writes.
const driver = object(['name'], {
  name: text,
  informationUri: { type: 'string', pattern: '^https?://' },
  rules: listOf(
    object(['id', 'helpUri'], {
      id: text,
      shortDescription: message,
      fullDescription: message,
      help: message,
      helpUri: { type: 'string', pattern: '^(https|file)://.*/[a-z-]+\\.md$' },
    }),
    true,
  ),
});
const physicalLocation = object([], {
  // Relative to the root of the repository, as code scanning wants it.
  artifactLocation: object([], { uri: { type: 'string', pattern: '^[^/:\\\\ ][^:\\\\ ]*$' } }),
  region: object([], { startLine: { type: 'integer', minimum: 1 } }),
});
const result = object(['message'], {
  ruleId: text,
  ruleIndex: { type: 'integer', minimum: 0 },
  message,
  level: { enum: ['none', 'note', 'warning', 'error'] },
  partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
  suppressions: listOf(
    object(['kind'], { kind: { enum: ['inSource', 'external'] }, justification: text }),
    true,
  ),
  locations: listOf(object([], { physicalLocation })),
});
const log = object(['version', 'runs'], {
  $schema: { type: 'string', pattern: '^https://.*sarif.*2\\.1\\.0.*\\.json$' },
  version: { const: '2.1.0' },
  runs: listOf(object(['tool'], { tool: object(['driver'], { driver }), results: listOf(result) })),
});

test('a SARIF log with every kind of finding conforms to SARIF 2.1.0', () => {
  const kinds = Object.keys(changeKinds) as (keyof typeof changeKinds)[];
  const report: Report = {
    base: { ref: 'main', commit: '0123456789abcdef' },
    missing: ['schema/openapi.json'],
    isBaseEmpty: false,
    compared: ['2 subgraphs', '7 routes'],
    acceptedChangesFile: 'accepted.yaml',
    changes: kinds.map((kind, index) => ({
      ...toChange(kind, `GET /a b 200 "${kind}"`, `A line\nand “another” of ${kind}.`),
      accepted: index % 3 === 0 ? 'Nobody reads it.' : null,
      cause: null,
      place: { file: 'subgraphs/shop/schema of it.graphql', line: index + 1 },
      help: helpUriOf(kind, index % 2 === 0 ? 'https://docs.example.com/rules' : undefined),
    })),
    unusedAcceptances: [{ id: 'field-removed:A.d', reason: 'old' }],
    staleFiles: ['schema/api.graphql'],
  };
  const validate = new Ajv2020({ allErrors: true }).compile(log);
  const made = JSON.parse(formatSarif(report));
  expect([validate(made), validate.errors]).toEqual([true, null]);
  expect(made.runs[0].results).toHaveLength(kinds.length);
  expect(validate({ ...made, runs: [{}] })).toBe(false);
  made.runs[0].results[0].level = 'fatal';
  expect(validate(made)).toBe(false);
});
