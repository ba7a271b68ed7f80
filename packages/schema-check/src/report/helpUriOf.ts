import type { ChangeKind } from '../Change.ts';
import { pageFileOf } from '../kinds/ruleAreas.ts';

/** The files of the package are at the same place for its sources and for its compiled files. */
const packageFolder = new URL('../../', import.meta.url);

/**
 * Returns the address of the page of a rule: below the URL at which a project serves the pages, otherwise the file in the
 * installed package.
 */
export function helpUriOf(kind: ChangeKind, rulesUrl: string | undefined): string {
  const file = pageFileOf(kind);
  if (rulesUrl === undefined) return new URL(file, packageFolder).href;
  return new URL(file.replace('docs/rules/', ''), rulesUrl.replace(/\/?$/, '/')).href;
}
