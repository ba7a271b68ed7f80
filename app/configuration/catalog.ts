import type { CatalogSettings } from '../../subgraphs/platform/context/CatalogSettings.ts';
import { choice, type Environment, readAll, required, setting, text } from './Setting.ts';

/** Settings of the catalogue search. */
export const catalogSettings = {
  engine: choice('CATALOG_SEARCH', {
    words: ['embedded', 'opensearch'],
    fallback: 'embedded',
    meaning:
      '`embedded` searches in the memory of each process, for up to about 200,000 listings; `opensearch` uses a cluster. See [OpenSearch](../how-to/opensearch.md).',
  }),
  nodes: setting('OPENSEARCH_URL', {
    meaning: 'Addresses of the OpenSearch nodes with `CATALOG_SEARCH=opensearch`.',
    allowed: 'one or more URLs, separated by commas, such as `https://user:password@search.example:9200`',
    // The address may contain a password.
    isSecret: true,
    parse(value, refuse): readonly string[] {
      const urls = value.split(',').filter((url) => url !== '');
      return urls.length > 0 && urls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))
        ? urls
        : refuse(value);
    },
  }),
  alias: text('OPENSEARCH_INDEX', {
    fallback: 'trigate-catalog',
    meaning: 'Name of the search index. Deployments that share a cluster have different names.',
    allowed: 'lower-case letters, digits and hyphens, beginning with a letter',
    accepts: (name) => /^[a-z][a-z0-9-]{0,99}$/.test(name),
  }),
};

export function readCatalog(environment: Environment): { catalog: CatalogSettings } {
  const { engine, nodes, alias } = readAll(catalogSettings, environment);
  const openSearch =
    engine === 'opensearch'
      ? { nodes: required(catalogSettings.nodes, nodes, 'CATALOG_SEARCH=opensearch'), alias }
      : undefined;
  return { catalog: { engine, openSearch } };
}
