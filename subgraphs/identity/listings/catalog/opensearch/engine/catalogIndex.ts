import { createHash } from 'node:crypto';
import type { API } from '@opensearch-project/opensearch';
import { isMissing, type SearchEngine } from './SearchEngine.ts';

const keyword = { type: 'keyword' } as const;
const long = { type: 'long' } as const;
/** Stems are searched, but neither sorted nor counted. */
const stem = { type: 'keyword', doc_values: false } as const;
/** Members come from templates only. */
const byTemplate = { type: 'object', dynamic: 'strict_allow_templates' } as const;

/** Fields of the index. A document with any other field is refused. */
const mappings = {
  dynamic: 'strict',
  _source: { enabled: false },
  _routing: { required: true },
  dynamic_templates: [
    { texts: { path_match: 'attributes.s_*', mapping: keyword } },
    { numbers: { path_match: 'attributes.n_*', mapping: { type: 'double' } } },
    { titles: { path_match: 'translated.title_*', mapping: stem } },
    { descriptions: { path_match: 'translated.description_*', mapping: stem } },
  ],
  properties: {
    id: keyword,
    installationId: keyword,
    withdrawn: { type: 'boolean' },
    expiresAt: long,
    publishedAt: long,
    categoryId: keyword,
    condition: keyword,
    priceType: keyword,
    priceRank: long,
    price: long,
    currency: keyword,
    sellerType: keyword,
    sellerId: keyword,
    hasImages: { type: 'boolean' },
    place: { type: 'geo_point' },
    lat: { type: 'double' },
    lng: { type: 'double' },
    attributes: byTemplate,
    words: { properties: { title: stem, attributes: stem, description: stem } },
    translationTags: keyword,
    translated: byTemplate,
  },
} as const;

const settings = {
  index: {
    number_of_shards: 3,
    auto_expand_replicas: '0-1',
    refresh_interval: '1s',
    // A deleted document keeps its version for this time, so that an older write does not restore it.
    gc_deletes: '1h',
    mapping: { total_fields: { limit: 5000 } },
  },
} as const;

/** Version of the documents' contents. Increase it if `toSearchDocument` or `toStems` returns other values. */
const contentVersion = 1;

/** Identifies the fields, settings and contents of a release. An index of another release is replaced. */
export const schemaDigest = createHash('sha256')
  .update(JSON.stringify([mappings, settings, contentVersion]))
  .digest('hex')
  .slice(0, 12);

/** An index of this deployment. */
export interface CatalogIndex {
  name: string;
  schemaDigest: string;
  /** Whether searches use it. */
  isSearched: boolean;
}

/** Returns the alias through which an index is written. Writes to a deleted index fail instead of creating it again. */
export function writeAlias(index: string): string {
  return `${index}-write`;
}

/** Returns all indexes of this deployment, in descending order of creation. */
export async function listIndexes(engine: SearchEngine): Promise<CatalogIndex[]> {
  const found = await engine.administer((client) => client.indices.get({ index: `${engine.alias}-v*` }));
  // Another deployment may have a name that begins with the same letters.
  const isOwn = (name: string) => /^\d+$/.test(name.slice(`${engine.alias}-v`.length));
  return Object.entries(found)
    .filter(([name]) => isOwn(name))
    .map(([name, { aliases, mappings: stored }]) => ({
      name,
      schemaDigest: String(stored?._meta?.schemaDigest ?? ''),
      isSearched: Object.hasOwn(aliases ?? {}, engine.alias),
    }))
    .sort((a, b) => (a.name < b.name ? 1 : -1));
}

/** Creates an empty index that is not searched yet, and returns its name. */
export async function createIndex(engine: SearchEngine, now: number): Promise<string> {
  const name = `${engine.alias}-v${now}`;
  const body = {
    settings,
    mappings: { ...mappings, _meta: { schemaDigest } },
    aliases: { [writeAlias(name)]: {} },
  };
  await engine.administer((client) =>
    client.indices.create({ index: name, body: body as unknown as API.Indices_Create_RequestBody }),
  );
  return name;
}

/** Makes searches use this index and no other one, in one step. */
export async function searchIndex(engine: SearchEngine, name: string): Promise<void> {
  const { alias } = engine;
  const before = (await listIndexes(engine)).filter((one) => one.isSearched && one.name !== name);
  const actions = [
    { add: { index: name, alias } },
    ...before.map((one) => ({ remove: { index: one.name, alias } })),
  ];
  await engine.administer((client) => client.indices.updateAliases({ body: { actions } }));
}

export async function deleteIndex(engine: SearchEngine, name: string): Promise<void> {
  try {
    await engine.administer((client) => client.indices.delete({ index: name }));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
