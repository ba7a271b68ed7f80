import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runProgram } from '../test/support/runProgram.ts';

let out: string;
beforeAll(() => {
  out = mkdtempSync(path.join(tmpdir(), 'trigate-docs-'));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
}

test('the static site stands anywhere: every link is relative and leads to a file and a place in it', async () => {
  const folder = path.join(out, 'alone');
  const { code } = await runProgram('site/build.ts', ['--out', folder], {});
  expect(code).toBe(0);
  const pages = pagesIn(folder);
  expect(pages.length).toBeGreaterThan(150);
  const lost: string[] = [];
  for (const page of pages) {
    const html = readFileSync(path.join(folder, page), 'utf8');
    for (const [, link = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?:|data:)/.test(link)) continue;
      const [, file = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(link) ?? [];
      const target = file === '' ? path.join(folder, page) : path.join(folder, path.dirname(page), file);
      const isThere = !file.startsWith('/') && existsSync(target);
      const hasPlace =
        fragment === '' ||
        fragment.startsWith('/') ||
        (isThere && readFileSync(target, 'utf8').includes(` id="${fragment}"`));
      if (!isThere || !hasPlace) lost.push(`${page}: ${link}`);
    }
  }
  expect(lost).toEqual([]);
}, 60_000);

test('with a product, what needs one leads there', async () => {
  const folder = path.join(out, 'beside');
  const product = 'https://api.example';
  const { code } = await runProgram('site/build.ts', ['--out', folder, '--product', `${product}/`], {});
  expect(code).toBe(0);
  expect(readFileSync(path.join(folder, 'index.html'), 'utf8')).toContain(`href="${product}/graphiql"`);
  const { servers } = JSON.parse(readFileSync(path.join(folder, 'api/v1/openapi.json'), 'utf8'));
  expect(servers).toEqual([{ url: product }]);
}, 60_000);

test.each([[[]], [['--out']], [['--out', 'x', '--product', 'javascript:1']], [['--other']]])(
  'options %j are refused with the right ones',
  async (args) => {
    const { code, stderr } = await runProgram('site/build.ts', args, {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out DIR')]);
  },
);
