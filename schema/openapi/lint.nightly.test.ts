import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lintBySpectral } from '../../test/support/lintOpenApi.ts';

test('the whole contract passes the recommended rules of Spectral', async () => {
  const contract = readFileSync(path.join(import.meta.dirname, '../openapi.json'), 'utf8');
  expect(await lintBySpectral(JSON.parse(contract) as object)).toEqual([]);
}, 180_000);
