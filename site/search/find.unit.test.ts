import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { buildSchema } from 'graphql';
import { bindRoutes } from '../../schema/route/bindRoutes.ts';
import { readRoutes } from '../../schema/route/readRoutes.ts';
import { Site } from '../Site.ts';
import { readAsset } from '../siteAssets.ts';
import type { Section } from './sectionsOf.ts';

const schema = (name: string) =>
  buildSchema(readFileSync(path.join(import.meta.dirname, `../../schema/${name}.graphql`), 'utf8'));
const contract = { api: schema('api'), supergraph: schema('supergraph') };
const site = new Site(bindRoutes(readRoutes(), contract), '/api/rest');
const find = startFind();

/** Runs the scripts of the search as a page loads them. */
function startFind(): (typed: string) => Section[] {
  const page = createContext({});
  for (const name of ['minisearch.js', 'find.js', 'search.js'])
    runInContext(String(readAsset(site, name)?.body), page);
  return runInContext('createFind(MiniSearch, siteSearch)', page);
}

test.each([
  ['cors', 'docs/cors'],
  ['login', 'docs/signing-in'],
  ['upload image', 'docs/media'],
  ['CORS origin', 'docs/cors'],
  ['idempotency key reused', 'problems/idempotency_key_reused'],
  ['two factor 2fa', 'docs/signing-in'],
  ['paging', 'docs/pagination'],
  ['photos', 'docs/media'],
  ['websocket', 'docs/following-events'],
  ['rate limits', 'docs/rate-limits'],
  ['translasions', 'docs/languages-and-translations'],
  ['env', 'docs/configuration'],
  ['publish listing', 'docs/listings'],
])('a search for "%s" has %s among its first five pages', (typed, expected) => {
  const paths = find(typed).map((section) => section.path.split('#')[0]);
  expect([...new Set(paths)].slice(0, 5)).toContain(expected);
});

test.each([
  ['cors', 'docs/cors'],
  ['login', 'docs/signing-in'],
  ['upload image', 'docs/media'],
])('the first result of a search for "%s" is the guide %s', (typed, expected) => {
  expect(find(typed)[0]?.path.split('#')[0]).toBe(expected);
});

test('a search without a word finds nothing, and one with an unknown word finds the other word', () => {
  expect(find(' - ')).toEqual([]);
  expect(find('qqqqqqqq')).toEqual([]);
  expect(find('cors qqqqqqqq').map((section) => section.path)).toContain('docs/cors');
});
