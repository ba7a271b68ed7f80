import { Ajv2020 } from 'ajv/dist/2020.js';
import { changeKinds, toChange } from '../Change.ts';
import { formatSarif } from './formatSarif.ts';
import type { Report } from './Report.ts';

const text = { type: 'string', minLength: 1 };
const message = { type: 'object', required: ['text'], properties: { text } };
const index = { type: 'integer', minimum: 0 };

/** What SARIF 2.1.0 demands of the parts of a log that the check writes (OASIS, 3.13 to 3.52). */
const log = {
  type: 'object',
  required: ['version', 'runs'],
  properties: {
    $schema: { type: 'string', pattern: '^https://.*sarif.*2\\.1\\.0.*\\.json$' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                properties: {
                  name: text,
                  informationUri: { type: 'string', pattern: '^https?://' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      properties: {
                        id: text,
                        shortDescription: message,
                        fullDescription: message,
                        help: message,
                      },
                    },
                  },
                },
              },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              properties: {
                ruleId: text,
                ruleIndex: index,
                message,
                level: { enum: ['none', 'note', 'warning', 'error'] },
                partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
                suppressions: {
                  type: 'array',
                  uniqueItems: true,
                  items: {
                    type: 'object',
                    required: ['kind'],
                    properties: { kind: { enum: ['inSource', 'external'] }, justification: text },
                  },
                },
                locations: {
                  type: 'array',
                  items: {
                    type: 'object',
                    properties: {
                      physicalLocation: {
                        type: 'object',
                        properties: {
                          artifactLocation: {
                            type: 'object',
                            // Relative to the root of the repository, as code scanning wants it.
                            properties: { uri: { type: 'string', pattern: '^[^/:\\\\ ][^:\\\\ ]*$' } },
                          },
                          region: {
                            type: 'object',
                            properties: { startLine: { type: 'integer', minimum: 1 } },
                          },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

test('a log with every kind of finding has the form of SARIF 2.1.0', () => {
  const kinds = Object.keys(changeKinds) as (keyof typeof changeKinds)[];
  const report: Report = {
    base: { ref: 'main', commit: '0123456789abcdef' },
    missing: ['schema/openapi.json'],
    looked: { subgraphs: 2, routes: 7, registeredOperations: 1, loggedOperations: 3 },
    changes: kinds.map((kind, index) => ({
      ...toChange(kind, `GET /a b 200 "${kind}"`, `A line\nand “another” of ${kind}.`),
      accepted: index % 3 === 0 ? 'Nobody reads it.' : null,
      place: { file: 'subgraphs/shop/schema of it.graphql', line: index + 1 },
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
