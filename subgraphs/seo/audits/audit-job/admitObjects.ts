import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { requireTextVersion } from '../../pages/object/findText.ts';
import { loadObject, localeOf } from '../../pages/object/loadObject.ts';
import type { ObjectRef } from '../../pages/object/ObjectRef.ts';

/** An object as the caller may read it now. */
export interface AdmittedObject {
  readonly object: ObjectRef;
  readonly locale: string;
  readonly contentVersion: number | null;
}

/** An object that cannot be audited, and the code of the reason. */
export interface SeoAuditRejectionParent extends ObjectRef {
  readonly code: string;
}

/** Objects that become items, in order, and the reasons for excluding others. */
export interface Admission {
  admitted: AdmittedObject[];
  rejected: SeoAuditRejectionParent[];
}

/**
 * Queries the owner of objects once for all of them, on behalf of the caller.
 *
 * @throws AppError `unavailable` if the owner cannot be reached
 */
export async function admitObjects(
  context: RequestContext,
  objects: readonly ObjectRef[],
  locale: string | null,
): Promise<Admission> {
  const verdicts = await Promise.all(objects.map((object) => admitObject(context, object, locale)));
  const admitted = verdicts.filter((verdict) => 'object' in verdict);
  return { admitted, rejected: verdicts.filter((verdict) => 'code' in verdict) };
}

async function admitObject(
  context: RequestContext,
  object: ObjectRef,
  stated: string | null,
): Promise<AdmittedObject | SeoAuditRejectionParent> {
  try {
    const owned = await loadObject(context, object);
    const locale = localeOf(context, owned, stated);
    const { contentVersion } = await requireTextVersion(context, { object, owned }, locale);
    return { object, locale, contentVersion };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { type: object.type, id: object.id, code: error.code };
  }
}
