import { dropAccountTokens } from '../../subgraphs/identity/migrations/0001-drop-account-tokens.ts';
import { labelCategoryAttributes } from '../../subgraphs/identity/migrations/0002-label-category-attributes.ts';
import type { Migration } from '../../subgraphs/platform/migration/Migration.ts';

/** Migrations of all subgraphs, in the order in which they run. A released one is never changed or removed. */
export const migrations: readonly Migration[] = [dropAccountTokens, labelCategoryAttributes];
