import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { onlyInterface } from './onlyInterface.ts';

type Contract = Parameters<typeof onlyInterface>[0];

const whole = JSON.parse(readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8')) as Contract;
/** Findings of Spectral's recommended rules, errors, warnings and hints alike. */
async function spectral(contract: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']], rules: {} });
  const findings = await linter.run(contract as Record<string, unknown>);
  return findings.map(({ code, path: place, message }) => `${code} ${place.join('/')}: ${message}`);
}

/** Findings of Redocly's recommended rules, errors and warnings alike. */
async function redocly(contract: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(contract);
  const findings = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return findings.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

test.each([
  ['of all interfaces', whole],
  ['of one of them', onlyInterface(whole, 'C')],
])(
  'the contract %s passes the recommended rules of both linters',
  async (_, contract) => {
    expect({ spectral: await spectral(contract), redocly: await redocly(contract) }).toEqual({
      spectral: [],
      redocly: [],
    });
  },
  180_000,
);

// What the linters say of the whole holds for a part of it, unless something else was left out or kept.
test.each(['A', 'B', 'C'] as const)(
  'the contract of %s has all that it mentions, and nothing else',
  (name) => {
    const part = onlyInterface(whole, name) as any;
    const mentioned = [...JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)].map(
      ([, group, entry]) => `${group}/${entry}`,
    );
    const { securitySchemes: _schemes, ...groups } = part.components;
    const kept = Object.entries<object>(groups).flatMap(([group, entries]) =>
      Object.keys(entries).map((entry) => `${group}/${entry}`),
    );
    expect(kept.sort()).toEqual([...new Set(mentioned)].sort());
    const operations = Object.values<object>(part.paths).flatMap((item) => Object.values<any>(item));
    expect(new Set(part.tags.map((tag: any) => tag.name))).toEqual(
      new Set(operations.flatMap(({ tags }) => tags)),
    );
  },
);

/** The smallest contract, with a change made to one of its operations. */
function planted(change: (operation: any) => void): object {
  const contract = structuredClone(onlyInterface(whole, 'C')) as any;
  change(contract.paths['/api/rest/translation/v1/languages'].get);
  return contract;
}

test('each linter reports what is wrong', async () => {
  const unnamed = planted((operation) => {
    delete operation.operationId;
  });
  expect(await spectral(unnamed)).toEqual([expect.stringContaining('operation-operationId ')]);
  expect(await redocly(unnamed)).toEqual([expect.stringContaining('operation-operationId ')]);
  const dangling = planted((operation) => {
    operation.responses[200] = { $ref: '#/components/responses/Nothing' };
  });
  expect(await spectral(dangling)).toContainEqual(expect.stringContaining('invalid-ref '));
  expect(await redocly(dangling)).toContainEqual(expect.stringContaining('no-unresolved-refs '));
}, 180_000);
