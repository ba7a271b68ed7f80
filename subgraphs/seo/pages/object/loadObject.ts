import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import {
  assertMayWrite,
  assertReach,
  loadOwned,
  type OwnedRecord,
} from '../../../platform/federation/askOwner.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { type ObjectRef, ownedTypeOf } from './ObjectRef.ts';

/** Options of the query to the owner, besides the texts. */
interface Asked {
  /** Pictures and offer, for analyses. */
  details?: boolean;
}

/**
 * Returns the owner's data of an object that the caller may optimize: any of the installation, or an own one. Batched,
 * once for each request.
 *
 * @throws AppError `not_found` (also for another installation's), `ownership_required`
 */
export async function loadObject(
  context: RequestContext,
  { type, id }: ObjectRef,
  asked: Asked = {},
): Promise<OwnedRecord> {
  if (!isId(type, id)) throw notFound('The object');
  const object = await loadOwned(context, ownedTypeOf[type], id, asked.details ? 'details' : 'texts');
  assertReach(object, context.viewer.breadthOf('seo:edit') ?? 'own');
  return object;
}

/**
 * Returns the owner's data of an object whose stored data the caller may change.
 *
 * @throws AppError as `loadObject`, and `dealer_not_active`
 */
export async function loadWritable(
  context: RequestContext,
  object: ObjectRef,
  asked: Asked = {},
): Promise<OwnedRecord> {
  const owned = await loadObject(context, object, asked);
  assertMayWrite(owned, context.viewer.breadthOf('seo:edit'));
  return owned;
}

/**
 * Returns the reference to an object; null if it does not exist. The subgraph that owns the object decides who can read its
 * members.
 */
export async function findReference(context: RequestContext, { type, id }: ObjectRef) {
  const { exists } = await loadOwned(context, ownedTypeOf[type], id, 'access');
  return exists ? { __typename: ownedTypeOf[type], id } : null;
}

/** Returns the stated language, otherwise the object's, otherwise the installation's first one. */
export function localeOf(
  context: RequestContext,
  object: OwnedRecord,
  stated: string | null | undefined,
): string {
  return stated ?? object.content?.languageTag ?? context.installation.locales[0] ?? 'en';
}
