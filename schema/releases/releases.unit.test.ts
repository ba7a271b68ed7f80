import path from 'node:path';
import { tempFolder } from '../../test/support/tempFolder.ts';
import type { Release } from './Release.ts';
import { readReleases, writeRelease } from './storedReleases.ts';
import { toChangelog } from './toChangelog.ts';

const openApi = (paths: object) =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths });
const get = { get: { operationId: 'things', responses: { 200: { description: 'Done.' } } } };

function release(name: string, at: string | null, api: string, paths: object = {}): Release {
  // All releases have the same guards.
  const supergraph = 'directive @guard__public on FIELD_DEFINITION\ntype Query { a: String @guard__public }';
  return { name, at, api, supergraph, openApi: openApi(paths) };
}

const first = release('first', '2026-01-01T00:00:00.000Z', 'type Query { a: String  b: [ID!] }');
const second = release(
  'second',
  '2026-02-01T00:00:00.000Z',
  'type Query { a: String  c: Thing }  type Thing { id: ID }',
);
const present = release(
  'next',
  null,
  'type Query { a: String  c: Thing }  type Thing { id: ID  name: String }',
  { '/things': get },
);

test('the changelog lists releases in descending order, with breaking changes in full and additions by name', () => {
  const text = toChangelog([first, second], present, 'Nothing is deprecated.');
  const [, deprecations = '', newest = '', older = ''] = text.split(/^## /m);
  expect(deprecations).toMatch(/^Deprecations\n[^]*Nothing is deprecated\.$/m);
  expect(newest).toMatch(/^next, since second/);
  expect(newest).toContain('### New routes: 1\n\n`GET /things`');
  expect(newest).toContain('- `Thing`: `name`');
  expect(newest).not.toContain('### Breaks');
  expect(older).toMatch(/^second, since first/);
  expect(older).toMatch(/### Breaks\n\n- .*Query\.b/);
  expect(older).toContain('### New GraphQL operations: 1\n\n`Query.c`');
});

test('the changelog states that a release without changes has none', () => {
  expect(toChangelog([present], { ...present, name: 'later' }, 'Nothing is deprecated.')).toContain(
    'Nothing that a client could see.',
  );
});

describe('stored releases', () => {
  const folder = tempFolder();

  test('are read as they were written, in chronological order', () => {
    writeRelease(folder, second);
    writeRelease(folder, first);
    expect(readReleases(folder)).toEqual([first, second]);
  });

  test('are read with prefixed guard directives if theirs have no prefix', () => {
    const link = '@link(url: "https://specs.trigate.dev/guard/v1.1", import: ["@public"])';
    const old = `extend schema ${link} directive @public on FIELD_DEFINITION type Query { a: String @public }`;
    writeRelease(path.join(folder, 'old'), { ...first, supergraph: old });
    const [read] = readReleases(path.join(folder, 'old'));
    expect(read?.supergraph).toContain('type Query { a: String @guard__public }');
  });

  test('cannot be overwritten, and cannot have a path as their name', () => {
    expect(() => writeRelease(folder, first)).toThrow(/the release first already exists/);
    expect(() => writeRelease(folder, { ...first, name: '../first' })).toThrow(/not a release name/);
  });
});
