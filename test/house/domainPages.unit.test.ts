import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { domains } from './rules.ts';

const root = path.join(import.meta.dirname, '../..');
const identity = path.join(root, 'subgraphs/identity');

const schema = buildSchema(readFileSync(path.join(root, 'schema/identity.graphql'), 'utf8'), {
  assumeValid: true,
});
const rootFields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
  (type) => Object.keys(type?.getFields() ?? {}),
);

/** Collections that a domain defines. */
const collectionsOf = (domain: string): string[] =>
  sourcesOf(domain).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/defineModel<[^>]*>\(\s*'(\w+)'/g)].map(([, name = '']) => name),
  );

function sourcesOf(domain: string): string[] {
  return globSync(`${identity}/${domain}/**/*.ts`).filter((file) => !file.endsWith('.test.ts'));
}

const pageOf = (domain: string): string => readFileSync(path.join(identity, domain, 'README.md'), 'utf8');
const namesOn = (page: string): string[] => [...page.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test.each(domains)('the page of %s has at most 40 lines', (domain) => {
  expect(pageOf(domain).split('\n').length).toBeLessThanOrEqual(41);
});

test.each(domains)('the page of %s names every collection that the domain defines', (domain) => {
  expect(namesOn(pageOf(domain))).toEqual(expect.arrayContaining(collectionsOf(domain)));
});

test.each(domains)('every name on the page of %s exists', (domain) => {
  const files = sourcesOf(domain).map((file) => path.basename(file, '.ts'));
  const known = new Set([...rootFields, ...domains.flatMap(collectionsOf), ...domains, ...files]);
  const isKnown = (name: string): boolean =>
    known.has(name) ||
    existsSync(path.join(identity, domain, name)) ||
    existsSync(path.join(root, 'subgraphs', name)) ||
    name.startsWith('npm run ') ||
    name === 'personalData.ts' ||
    name === '_entities';
  const unknown = namesOn(pageOf(domain)).filter((name) => !isKnown(name));
  expect(unknown).toEqual([]);
});
