import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';
import { readsEverything } from '../../kernel/object-content/readers.ts';
import type { PageRecord } from './model.ts';

/** Whether a caller edits the installation's pages. */
export function managesPages(viewer: Viewer | null): boolean {
  return viewer?.breadthOf('pages:manage') === 'any';
}

/** Whether the viewer may read a page: drafts are for editors of pages, and for the staff for texts. */
export function canReadPage(viewer: Viewer | null, { status }: PageRecord): boolean {
  if (status === 'published') return true;
  return viewer !== null && (managesPages(viewer) || readsEverything(viewer));
}

/** The page, if it exists for the caller, who may be a stranger. */
export async function onlyShown(
  context: RequestContext,
  page: PageRecord | null,
): Promise<PageRecord | null> {
  // Drafts are guarded by permissions, so it is those of this very moment.
  if (page && page.status !== 'published') await context.identify(true);
  return page && canReadPage(context.viewerOrNull, page) ? page : null;
}
