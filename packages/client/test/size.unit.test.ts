import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const most = 15 * 1024;

async function bundled(source: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: path.join(import.meta.dirname, '../src'), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

test('all exports of the client are smaller than 15 KB compressed', async () => {
  const size = await bundled(`export * from './client.ts';`);
  expect(size).toBeGreaterThan(2000);
  expect(size).toBeLessThan(most);
});

test('a bundle contains only the documents that it uses', async () => {
  const client = await bundled(`export { createClient } from './client.ts';`);
  const one = await bundled(
    `export { createClient } from './client.ts'; export { me } from './graphql/documents.generated.ts';`,
  );
  const all = await bundled(`export * from './graphql/documents.generated.ts';`);
  expect(one - client).toBeLessThan(1500);
  expect(all).toBeGreaterThan(10_000);
});
