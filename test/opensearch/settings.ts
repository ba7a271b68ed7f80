import { randomBytes } from 'node:crypto';
import { engineOf } from '../../subgraphs/identity/listings/catalog/opensearch/engine/engineOf.ts';
import type { CatalogSettings } from '../../subgraphs/platform/context/CatalogSettings.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';

/** Settings of a catalogue with indexes of its own. */
export function openSearchSettings(url: string): CatalogSettings {
  return {
    engine: 'opensearch',
    openSearch: { nodes: [url], alias: `trigate-test-${randomBytes(4).toString('hex')}` },
  };
}

/** Makes everything that was written to the index visible, without waiting for its regular refresh. */
export async function refresh(platform: Platform): Promise<void> {
  const engine = engineOf(platform);
  await engine.administer((client) => client.indices.refresh({ index: [`${engine.alias}*`] }));
}
