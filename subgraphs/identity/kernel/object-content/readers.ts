import type { Viewer } from '../../../platform/principal/Viewer.ts';

/** Scopes that let an API client read or write the texts of its dealer's objects. */
export const textScopes = ['content:seo', 'content:translate'] as const;

/** Returns whether the viewer may read the texts of every object of the installation. */
export function readsEverything(viewer: Viewer): boolean {
  return viewer.breadthOf('seo:edit') === 'any' || viewer.breadthOf('translations:read') === 'any';
}
