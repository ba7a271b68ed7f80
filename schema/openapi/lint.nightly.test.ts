import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lintByRedocly, lintBySpectral } from '../../test/support/lintOpenApi.ts';
import { onlyInterface } from './onlyInterface.ts';

const whole = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8'),
) as Parameters<typeof onlyInterface>[0];

test('the whole contract passes the recommended rules of Spectral', async () => {
  expect(await lintBySpectral(whole)).toEqual([]);
}, 180_000);

test.each(['A', 'B', 'C'] as const)(
  'the contract of interface %s passes the recommended rules of Redocly',
  async (name) => {
    expect(await lintByRedocly(onlyInterface(whole, name))).toEqual([]);
  },
  180_000,
);
