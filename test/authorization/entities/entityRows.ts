import type { EntityRow } from './EntityRow.ts';
import { identityRows } from './identityRows.ts';
import { seoRows } from './seoRows.ts';
import { translationRows } from './translationRows.ts';

/** Every entity type of every subgraph, with the guard of each of its fields. */
export const entityRows: readonly EntityRow[] = [...identityRows, ...seoRows, ...translationRows];
