import type { EntityRow } from './entities/EntityRow.ts';
import { identityRows } from './entities/identityRows.ts';
import { seoRows } from './entities/seoRows.ts';
import { translationRows } from './entities/translationRows.ts';

/** Every entity type of every subgraph, with the guard of each of its fields. */
export const entityRows: readonly EntityRow[] = [...identityRows, ...seoRows, ...translationRows];
