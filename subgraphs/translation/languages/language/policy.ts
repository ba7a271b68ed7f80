import { assertGuard } from '../../../platform/auth/checkGuard.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Viewer } from '../../../platform/principal/Viewer.ts';

/** Returns whether a viewer may see inactive languages. */
export function mayReadAllLanguages(viewer: Viewer): boolean {
  return viewer.breadthOf('translations:read') === 'any' || viewer.breadthOf('languages:manage') === 'any';
}

/**
 * Checks the guard of `scope: ALL`, which the public field cannot state, with the same order and errors as a stated
 * guard.
 *
 * @throws AppError `token_missing`, a refusal of the caller's state, or `permission_required`
 */
export async function assertMayReadAllLanguages(context: RequestContext): Promise<void> {
  const identity = await context.identify(true);
  const manages = identity.kind === 'accepted' && identity.viewer.breadthOf('languages:manage') === 'any';
  const permission = { name: 'translations:read', breadth: 'ANY' } as const;
  assertGuard({ authenticated: true, ...(manages ? {} : { permission }) }, identity, context);
}
