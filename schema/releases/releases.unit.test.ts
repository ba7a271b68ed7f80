import path from 'node:path';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { changesBetween } from './changesBetween.ts';
import { historyOf } from './historyOf.ts';
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

const deprecations = 'Nothing is deprecated.';

test('the changelog lists releases in descending order, with additions by name and other changes as sentences', () => {
  const text = toChangelog([first, second], present, { deprecations });
  const [, general = '', newest = '', older = ''] = text.split(/^## /m);
  expect(general).toMatch(/^Deprecations\n[^]*Nothing is deprecated\.$/m);
  expect(newest).toMatch(/^next, since second\n\nNo change breaks clients\./);
  expect(newest).toContain('### New\n\n**REST**\n\n- Routes (1): `GET /things`\n\n**GraphQL**\n\n');
  expect(newest).toContain('- Fields (1):\n  - `Thing`: `name`');
  expect(newest).not.toContain('### Removed');
  expect(older).toMatch(/^second, since first\n\n1 change breaks clients\./);
  expect(older).toContain('### Removed\n\n**GraphQL**\n\n- **Breaking.** `Query.b` was removed.');
  expect(older).toContain('- Operations (1):\n  - `Query`: `c`');
});

test('the changelog states that a release without changes has none', () => {
  expect(toChangelog([present], { ...present, name: 'later' }, { deprecations })).toContain(
    'Nothing that a client could see.',
  );
});

test('a breaking change has the reason for which it was accepted, and a stored release keeps it', () => {
  const accepted = [{ id: 'field-removed:Query.b', reason: 'The last client stopped using it in March.' }];
  expect(toChangelog([first], second, { deprecations, accepted })).toContain(
    '`Query.b` was removed. Reason: The last client stopped using it in March.',
  );
  const stored = { ...second, changes: changesBetween(first, second, accepted) };
  const [, , , kept = ''] = toChangelog([first, stored], present, { deprecations }).split(/^## /m);
  expect(kept).toContain('Reason: The last client');
});

test('changes of REST are sentences that say where the member is', () => {
  const item = (minimum: number, extra: object = {}) => ({
    '/items': {
      post: {
        operationId: 'add',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum } }],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { size: { type: 'integer' }, ...extra } },
            },
          },
        },
        responses: { 200: { description: 'Done.' } },
      },
    },
  });
  const before = release(
    'first',
    '2026-01-01T00:00:00.000Z',
    first.api,
    item(1, { note: { type: 'string' } }),
  );
  const after = release('second', null, first.api, item(2));
  const text = toChangelog([before], after, { deprecations });
  expect(text).toContain(
    '- **Breaking.** Query parameter `limit` of `POST /items` has minimum 2 (before: 1).',
  );
  expect(text).toContain('- **Breaking.** `note` in the body of `POST /items` ');
});

describe('a deprecated part', () => {
  const reason = 'Use b instead. Deprecated on 2026-02-01, removed after 2026-08-31.';
  const old = { get: { ...get.get, deprecated: true, 'x-sunset': '2026-08-31' } };
  const deprecated = release(
    'second',
    '2026-02-01T00:00:00.000Z',
    `type Query { a: String @deprecated(reason: "${reason}")  b: [ID!] }`,
    { '/things': old },
  );
  const started = { ...first, openApi: openApi({ '/things': get }) };

  test('is listed under Going away with its day and replacement', () => {
    const text = toChangelog([started], deprecated, { deprecations });
    expect(text).toContain('### Going away\n\n- `Query.a`: Use b instead. Removed after 2026-08-31.\n');
    expect(text).toContain('- `GET /things`: Removed after 2026-08-31.');
  });

  test('has a history with the releases in which it was added, deprecated and removed', () => {
    const removed = release('third', '2026-09-01T00:00:00.000Z', 'type Query { b(first: Int): [ID!] }');
    const back = release('fourth', null, 'type Query { a: String  b(first: Int): [ID!] }');
    const history = historyOf([started, deprecated, removed, back]);
    const of = (name: string) => history.filter((entry) => entry.name === name);
    const gone = { addedIn: null, deprecatedIn: 'second', removedIn: 'third' };
    expect(of('Query.a')).toEqual([
      {
        ...gone,
        name: 'Query.a',
        kind: 'field',
        deprecation: { reason: 'Use b instead.', since: '2026-02-01', until: '2026-08-31' },
      },
      expect.objectContaining({ addedIn: 'fourth', deprecatedIn: null, removedIn: null }),
    ]);
    expect(of('GET /things')).toEqual([
      { ...gone, name: 'GET /things', kind: 'route', deprecation: { until: '2026-08-31' } },
    ]);
    expect(of('Query.b(first:)')).toEqual([
      expect.objectContaining({ kind: 'argument', addedIn: 'third', removedIn: null }),
    ]);
  });
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
