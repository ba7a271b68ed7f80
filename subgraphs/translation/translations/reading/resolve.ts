import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { buildChain, type Chain, type FallbackMode } from '../../languages/resolution/buildChain.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { parseAcceptLanguage } from '../../languages/resolution/parseAcceptLanguage.ts';
import { pickMember, type ResolutionStrategy } from '../../languages/resolution/pickMember.ts';
import type { ObjectRef } from '../../objects/ObjectRef.ts';
import type { CandidateFilter } from '../../records/candidates.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { isSource, statusOf, type TranslationParent, type View } from '../../records/TranslationParent.ts';
import { candidatesOf, type Member, visibleTo } from '../../relations/group/membersOf.ts';

/** Requested language of a reader. */
export interface ResolutionRequest {
  /** Code, alias, locale or tag; `auto` to use `acceptLanguage`; null for the default language. */
  readonly language: string | null;
  readonly acceptLanguage: string | null;
  readonly fallback: FallbackMode;
  readonly view: View;
  /** Whether the texts themselves are left out of the answer. */
  readonly omitFields?: boolean;
  /** Whether members for editors are not requested, so that no more is read than for readers. */
  readonly omitWork?: boolean;
}

/** The chosen text, and the reason for the choice. */
export interface TranslationResolutionParent {
  readonly requested: string | null;
  /** Code of the language of the text. */
  readonly matchedCode: string | null;
  readonly strategy: ResolutionStrategy | 'none';
  readonly chain: readonly string[];
  readonly fallbackUsed: boolean;
  readonly reason: 'object_not_found' | 'ownership_required' | 'translation_not_found' | null;
  readonly translation: TranslationParent | null;
  /** The requested object; absent if a translation was named by its id. */
  readonly asked?: ObjectRef;
}

/** A request with its chain, created once for each request and configuration, for any number of objects. */
export interface ResolutionPlan {
  readonly request: ResolutionRequest;
  readonly requested: string | null;
  /** Requested languages; empty if a header requests none. */
  readonly wanted: readonly string[];
  readonly chain: Chain;
  /** The members of a group that the chain can lead to. */
  readonly filter: CandidateFilter;
  readonly settings: LanguageSettings;
}

/**
 * Returns the plan of a request.
 *
 * @throws AppError `invalid_language` for a language that is neither configured nor well-formed
 */
export async function planResolution(
  context: RequestContext,
  request: ResolutionRequest,
): Promise<ResolutionPlan> {
  const settings = await loadLanguageSettings(context);
  const wanted = wantedLanguages(settings, request);
  const requested = request.language === 'auto' ? (wanted[0] ?? null) : request.language;
  const chain = chainOf(settings, wanted, request.fallback);
  const filter = {
    codes: chain.links.map(({ code }) => code),
    withSource: chain.endsWithSource,
    view: request.view,
    omitTexts: request.omitFields ?? false,
    omitWork: request.omitWork ?? request.view === 'public',
  };
  return { request, requested, wanted, chain, filter, settings };
}

function wantedLanguages(
  settings: LanguageSettings,
  { language, acceptLanguage }: ResolutionRequest,
): string[] {
  if (language === null) return [settings.default.code];
  if (language === 'auto') return parseAcceptLanguage(acceptLanguage ?? '');
  if (nameLanguage(settings, language) || toCanonicalTag(language) !== null) return [language];
  throw new AppError(
    'invalid_language',
    'A language must be a code, a locale or a BCP 47 tag, such as "pt-br".',
  );
}

/** Cache of chains. It is bounded, because readers choose the requested languages. */
const chains = new WeakMap<LanguageSettings, LRUCache<string, Chain>>();

function chainOf(settings: LanguageSettings, wanted: readonly string[], mode: FallbackMode): Chain {
  let known = chains.get(settings);
  if (!known) {
    known = new LRUCache({ max: 1000 });
    chains.set(settings, known);
  }
  const key = `${mode}|${wanted.join(',').toLowerCase()}`;
  let chain = known.get(key);
  if (!chain) {
    chain = buildChain(settings, wanted, mode);
    known.set(key, chain);
  }
  return chain;
}

/** Returns the text of an object that suits a reader. Batched: any number of objects costs the same commands. */
export async function resolveObject(
  context: RequestContext,
  object: TranslatableObject,
  plan: ResolutionPlan,
): Promise<TranslationResolutionParent> {
  const members = await candidatesOf(context, object, plan.filter);
  const candidates = readable(context, members, plan).map(({ translation }) => ({
    translation,
    code: translation.code,
    isSource: isSource(translation),
  }));
  const picked = pickMember(plan.chain, candidates);
  if (!picked) return unresolved(plan, 'translation_not_found');
  const { member, strategy } = picked;
  return {
    ...unresolved(plan, null),
    matchedCode: member.code,
    strategy,
    fallbackUsed: strategy !== 'exact' && plan.wanted.length > 0,
    translation: member.translation,
    asked: object.marketplaceObject,
  };
}

/** Returns a result without a text. */
export function unresolved(
  { requested, chain }: ResolutionPlan,
  reason: TranslationResolutionParent['reason'],
): TranslationResolutionParent {
  return {
    requested,
    matchedCode: null,
    strategy: 'none',
    chain: chain.links.map(({ code }) => code),
    fallbackUsed: false,
    reason,
    translation: null,
  };
}

/**
 * Returns the members of a view: for readers those that are live in an active language, for editors all that are not
 * archived.
 */
function readable(
  context: RequestContext,
  members: readonly Member[],
  { request, settings }: ResolutionPlan,
): Member[] {
  if (request.view === 'public')
    return members.filter(
      ({ live, translation }) => live && settings.byCode.get(translation.code ?? '')?.active,
    );
  return visibleTo(context, members).filter(
    ({ translation, object }) => statusOf(translation, object.owned) !== 'archived',
  );
}
