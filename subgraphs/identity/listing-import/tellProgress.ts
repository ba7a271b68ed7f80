import type { EventSubject } from '../../platform/events/relay.ts';
import type { ImportRecord } from './model.ts';

/** What others are told of an import: how far it is. */
export function progressOf({
  dealerId,
  state,
  totalRows,
  counts,
}: Pick<ImportRecord, 'dealerId' | 'state' | 'totalRows' | 'counts'>): object {
  return { dealerId, state, totalRows, counts };
}

/** Imports as the relay tells of them. */
export async function describeImports(imports: readonly ImportRecord[]): Promise<EventSubject[]> {
  return imports.map(({ _id, version }) => ({
    object: { type: 'listing_import' as const, id: _id },
    contentVersion: version,
    content: null,
  }));
}
