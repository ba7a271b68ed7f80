import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { loadOwned, type OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { LanguageSettings } from '../languages/language/languageSettings.ts';
import { nameContentLanguage } from '../languages/resolution/nameLanguage.ts';
import { marketplaceTypes, type ObjectRef, type ObjectType } from './ObjectRef.ts';
import { loadKnownHead, loadPublicHead } from './objectHeads.ts';

/**
 * Source of the facts that determine access to an object.
 * - `ownerTexts`: its owner, queried as this caller, with its texts
 * - `ownerAccess`: the same without texts
 * - `publicHead`: the locally stored head, which states what readers see, for every caller
 * - `publicHeadOrOwner`: that head, or the owner if there is none; for callers who may read everything
 * - `knownHead`: its head, also of a non-public object, for another subgraph that queries the owner itself
 */
export type AccessSource = 'ownerTexts' | 'ownerAccess' | 'publicHead' | 'publicHeadOrOwner' | 'knownHead';

/**
 * Returns the owner's response for a marketplace object and this caller, or its stored head; without texts unless
 * requested.
 */
export async function loadMarketplaceObject(
  context: RequestContext,
  { type, id }: ObjectRef,
  accessSource: AccessSource = 'ownerAccess',
): Promise<OwnedRecord> {
  if (accessSource === 'knownHead') return loadKnownHead(context, { type, id });
  if (!asksOwner(accessSource)) {
    const head = await loadPublicHead(context, { type, id });
    if (head.exists || accessSource === 'publicHead') return head;
  }
  return loadOwned(context, marketplaceTypes[type], id, accessSource === 'ownerTexts' ? 'texts' : 'access');
}

/** Returns whether the owner itself is queried. */
export function asksOwner(accessSource: AccessSource): boolean {
  return accessSource === 'ownerTexts' || accessSource === 'ownerAccess';
}

/** Returns the code of the configured language for the owner's tag. */
export function ownLanguageOf(settings: LanguageSettings, { content }: OwnedRecord): string | null {
  const tag = content?.languageTag ?? null;
  return tag === null ? null : (nameContentLanguage(settings, tag)?.code ?? null);
}

/**
 * Returns the assumed language of objects whose owner does not state it. Files have texts, but no member for their
 * language.
 */
export function assumedLanguageOf(settings: LanguageSettings, type: ObjectType): string | null {
  return type === 'media' ? settings.default.code : null;
}

/** Returns whether the marketplace object is public. */
export function isPublic({ exists, content }: OwnedRecord): boolean {
  return exists && content?.visibility === 'PUBLIC';
}
