import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lintByRedocly, lintBySpectral } from '../../test/support/lintOpenApi.ts';
import { onlyInterface } from './onlyInterface.ts';

type Contract = Parameters<typeof onlyInterface>[0];

const whole = JSON.parse(readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8')) as Contract;

test('the whole contract passes the recommended rules of Redocly', async () => {
  expect(await lintByRedocly(whole)).toEqual([]);
});

test('the contract of one interface passes the recommended rules of Spectral', async () => {
  expect(await lintBySpectral(onlyInterface(whole, 'C'))).toEqual([]);
});

test.each(['A', 'B', 'C'] as const)(
  'the contract of interface %s contains exactly the components and tags that it refers to',
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

/** The contract of one path, with a changed operation. */
function planted(change: (operation: any) => void): object {
  const path = '/api/rest/translation/v1/languages';
  const { paths } = whole as any;
  const contract = structuredClone(onlyInterface({ ...whole, paths: { [path]: paths[path] } }, 'C')) as any;
  change(contract.paths[path].get);
  return contract;
}

test('each linter reports a missing operationId and a dangling reference', async () => {
  const unnamed = planted((operation) => {
    delete operation.operationId;
  });
  expect(await lintBySpectral(unnamed)).toEqual([expect.stringContaining('operation-operationId ')]);
  expect(await lintByRedocly(unnamed)).toEqual([expect.stringContaining('operation-operationId ')]);
  const dangling = planted((operation) => {
    operation.responses[200] = { $ref: '#/components/responses/Nothing' };
  });
  expect(await lintBySpectral(dangling)).toContainEqual(expect.stringContaining('invalid-ref '));
  expect(await lintByRedocly(dangling)).toContainEqual(expect.stringContaining('no-unresolved-refs '));
});
