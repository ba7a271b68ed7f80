import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { loadOwned, type OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { LanguageSettings } from '../languages/language/languageSettings.ts';
import { nameContentLanguage } from '../languages/resolution/nameLanguage.ts';
import { marketplaceTypes, type ObjectRef, type ObjectType } from './ObjectRef.ts';
import { loadKnownHead, loadPublicHead } from './objectHeads.ts';

/**
 * Where the facts that decide about an object come from:
 * - `ownerTexts`: its owner, asked as this caller, with its texts;
 * - `ownerAccess`: the same without texts;
 * - `publicHead`: the head that is kept of it here, which states what readers see, to every caller;
 * - `publicHeadOrOwner`: that head, and the owner where there is none; for callers who may read everything;
 * - `knownHead`: its head, also of what is not public, where another subgraph asks and the owner cannot be asked on.
 */
export type AccessSource = 'ownerTexts' | 'ownerAccess' | 'publicHead' | 'publicHeadOrOwner' | 'knownHead';

/** The answer of the owner of a marketplace object to this caller, or the head that is kept of it; without texts unless asked. */
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

/** Whether the owner itself is asked. */
export function asksOwner(accessSource: AccessSource): boolean {
  return accessSource === 'ownerTexts' || accessSource === 'ownerAccess';
}

/** Code of the configured language that the owner's tag names. */
export function ownLanguageOf(settings: LanguageSettings, { content }: OwnedRecord): string | null {
  const tag = content?.languageTag ?? null;
  return tag === null ? null : (nameContentLanguage(settings, tag)?.code ?? null);
}

/** Code of the language of objects whose owner does not say it: files have words, and no member that names theirs. */
export function assumedLanguageOf(settings: LanguageSettings, type: ObjectType): string | null {
  return type === 'media' ? settings.default.code : null;
}

/** Whether readers can reach the marketplace object. */
export function isPublic({ exists, content }: OwnedRecord): boolean {
  return exists && content?.visibility === 'PUBLIC';
}
