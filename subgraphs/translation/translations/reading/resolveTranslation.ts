import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import type { ObjectRef } from '../../objects/ObjectRef.ts';
import { findTranslation } from '../../records/findTranslation.ts';
import { assertReaches } from '../../records/policy.ts';
import { findObject } from '../../records/TranslatableObject.ts';
import { type TranslationParent, toTranslationParent } from '../../records/TranslationParent.ts';
import type { QueryresolveTranslationArgs } from '../../translation.generated.ts';
import {
  planResolution,
  type ResolutionPlan,
  resolveObject,
  type TranslationResolutionParent,
} from './resolve.ts';
import { resolveReachable } from './resolveTranslations.ts';

/** Maximum number of objects in a REST request. */
const mostObjects = 100;

/** An object, its text, and the reason for the choice. */
export interface Resolved {
  readonly objectId: string;
  readonly translation: TranslationParent | null;
  readonly resolution: TranslationResolutionParent;
}

/**
 * Returns a translation by its id, or the texts of objects that suit a reader; these are the selectors of one REST
 * route.
 */
export async function resolveTranslation(
  context: RequestContext,
  args: QueryresolveTranslationArgs,
): Promise<Resolved | { data: Resolved[] }> {
  const { id, objectType, objectId, language, acceptLanguage, include } = args;
  if (id != null) {
    if (objectType != null || objectId != null || language != null) throw ambiguous();
    return readTranslation(context, id);
  }
  if (objectType == null || !objectId?.length || language == null) throw ambiguous();
  if (objectId.length > mostObjects)
    throw new AppError('malformed_request', `At most ${mostObjects} objects can be resolved in one request.`);
  const omitFields = objectId.length > 1 && !include?.includes('fields');
  const plan = await planResolution(context, {
    language,
    acceptLanguage: acceptLanguage ?? null,
    fallback: args.fallback ?? 'chain',
    view: args.view ?? 'public',
    omitFields,
  });
  const refs = objectId.map((one) => ({ type: objectType, id: one }));
  const [only] = refs;
  if (only && refs.length === 1) return resolveOne(context, only, plan);
  return { data: await Promise.all(refs.map((ref) => resolveEntry(context, ref, plan, omitFields))) };
}

/** Returns a translation by its id, without a choice. */
async function readTranslation(context: RequestContext, id: string): Promise<Resolved> {
  const object = await findTranslation(context, id);
  assertReaches(context, 'translations:read', object, 'translation_not_found');
  const translation = toTranslationParent(await loadLanguageSettings(context), object, 'editorial');
  const resolution: TranslationResolutionParent = {
    requested: null,
    matchedCode: translation.code,
    strategy: 'exact',
    chain: translation.code === null ? [] : [translation.code],
    fallbackUsed: false,
    reason: null,
    translation,
  };
  return { objectId: object.ref.id, translation, resolution };
}

async function resolveOne(context: RequestContext, ref: ObjectRef, plan: ResolutionPlan): Promise<Resolved> {
  const object = await findObject(context, ref);
  assertReaches(context, 'translations:read', object, 'object_not_found');
  const resolution = await resolveObject(context, object, plan);
  if (resolution.translation === null) {
    const { requested, chain } = resolution;
    throw new AppError('translation_not_found', 'The object has no text in a language of this reader.', {
      resolution: { requested, strategy: 'none', chain },
    });
  }
  return { objectId: ref.id, translation: resolution.translation, resolution };
}

async function resolveEntry(
  context: RequestContext,
  ref: ObjectRef,
  plan: ResolutionPlan,
  omitFields: boolean,
): Promise<Resolved> {
  const resolution = await resolveReachable(context, ref, plan);
  const { translation } = resolution;
  return {
    objectId: ref.id,
    translation: translation && { ...translation, omitFields },
    resolution,
  };
}

function ambiguous(): AppError {
  return new AppError(
    'malformed_request',
    'Identify a translation by "id" alone, or by "objectType", "objectId" and "language".',
  );
}
