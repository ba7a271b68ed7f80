import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { domains } from './rules.ts';

const root = path.join(import.meta.dirname, '../..');

type SubgraphName = keyof typeof domains;

const pages = (Object.keys(domains) as SubgraphName[]).flatMap((name) =>
  domains[name].map((domain) => [name, domain] as const),
);

const folderOf = (name: SubgraphName, domain = ''): string => path.join(root, 'subgraphs', name, domain);

function rootFieldsOf(name: SubgraphName): string[] {
  const sdl = readFileSync(path.join(root, `schema/${name}.graphql`), 'utf8');
  const schema = buildSchema(sdl, { assumeValid: true });
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
}

function sourcesOf(name: SubgraphName, domain: string): string[] {
  return globSync(`${folderOf(name, domain)}/**/*.ts`).filter((file) => !file.endsWith('.test.ts'));
}

/** Collections that a domain defines. */
const collectionsOf = (name: SubgraphName, domain: string): string[] =>
  sourcesOf(name, domain).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:defineModel<[^>]*>|defineHeads)\(\s*'(\w+)'/g)].map(
      ([, collection = '']) => collection,
    ),
  );

/** Names on the pages of a subgraph that are not files: fields, collections and domains. */
const namesOf = (name: SubgraphName): ReadonlySet<string> =>
  new Set([
    ...rootFieldsOf(name),
    ...domains[name],
    ...domains[name].flatMap((domain) => collectionsOf(name, domain)),
  ]);
const known = {
  identity: namesOf('identity'),
  seo: namesOf('seo'),
  translation: namesOf('translation'),
};

const pageOf = (name: SubgraphName, domain: string): string =>
  readFileSync(path.join(folderOf(name, domain), 'README.md'), 'utf8');
const namesOn = (page: string): string[] => [...page.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test.each(pages)('the page of %s/%s has at most 40 lines', (name, domain) => {
  expect(pageOf(name, domain).split('\n').length).toBeLessThanOrEqual(41);
});

test.each(pages)('the page of %s/%s names every collection that the domain defines', (name, domain) => {
  expect(namesOn(pageOf(name, domain))).toEqual(expect.arrayContaining(collectionsOf(name, domain)));
});

test.each(pages)('every name on the page of %s/%s exists', (name, domain) => {
  const files = new Set(sourcesOf(name, domain).map((file) => path.basename(file, '.ts')));
  const isKnown = (mention: string): boolean =>
    known[name].has(mention) ||
    files.has(mention) ||
    existsSync(path.join(folderOf(name, domain), mention)) ||
    existsSync(path.join(root, 'subgraphs', mention)) ||
    existsSync(path.join(root, mention)) ||
    mention.startsWith('npm run ') ||
    mention === 'personalData.ts' ||
    mention === '_entities';
  expect(namesOn(pageOf(name, domain)).filter((mention) => !isKnown(mention))).toEqual([]);
});

test('the page of the platform names exactly the folders of the platform', () => {
  const platform = path.join(root, 'subgraphs/platform');
  const folders = readdirSync(platform, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  );
  const rows = readFileSync(path.join(platform, 'README.md'), 'utf8').matchAll(/^\| (`.*?) \|/gm);
  const named = new Set(
    [...rows].flatMap(([, cell = '']) => namesOn(cell).map((name) => name.split('/')[0])),
  );
  expect(named).toEqual(new Set(folders));
});
