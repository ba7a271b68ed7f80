import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { readsEverything } from '../../kernel/object-content/readers.ts';
import type { PageRecord } from './model.ts';

/** Returns whether a caller may edit the installation's pages. */
export function managesPages(viewer: Viewer | null): boolean {
  return viewer?.breadthOf('pages:manage') === 'any';
}

/** Returns whether the viewer may read a page. Drafts are visible to page editors and to staff who work on texts. */
export function canReadPage(viewer: Viewer | null, { status }: PageRecord): boolean {
  if (status === 'published') return true;
  return viewer !== null && (managesPages(viewer) || readsEverything(viewer));
}

/** Returns the page if the caller, who may be anonymous, may see it. */
export async function onlyShown(
  context: RequestContext,
  page: PageRecord | null,
): Promise<PageRecord | null> {
  // Permissions guard drafts, so the current permissions are read.
  if (page && page.status !== 'published') await context.identify(true);
  return page && canReadPage(context.viewerOrNull, page) ? page : null;
}
