import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { findLanguage } from '../../languages/language/LanguageParent.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameContentLanguage } from '../../languages/resolution/nameLanguage.ts';
import { toAlternates } from '../../languages/resolution/toAlternates.ts';
import { reachOf } from '../../records/policy.ts';
import { findObject, type TranslatableObject } from '../../records/TranslatableObject.ts';
import { type Member, membersOf } from '../../relations/group/membersOf.ts';
import type { HreflangIssue, SeoObjectType } from '../../translation.generated.ts';
import { type AlternateParent, alternatesOf } from './entityResolvers.ts';

/** The members of another subgraph's SEO fields that it provides. */
export interface SeoRecordParent {
  readonly id: string;
  readonly objectType?: SeoObjectType;
  readonly objectId?: string;
  readonly locale?: string;
  readonly canonicalUrl?: string | null;
}

/** Links between the pages of one content, and their errors. */
export interface HreflangReportParent {
  readonly alternates: AlternateParent[];
  readonly issues: HreflangIssue[];
}

/**
 * Returns the SEO fields of a reference; access depends on their object.
 *
 * @throws AppError `ownership_required`
 */
export async function findSeoRecord(
  context: RequestContext,
  reference: SeoRecordParent,
): Promise<SeoRecordParent | null> {
  return (await locate(context, reference)) ? reference : null;
}

/** Returns the configured language of the fields. */
export async function contentLanguageOf(context: RequestContext, { locale }: SeoRecordParent) {
  const entry = nameContentLanguage(await loadLanguageSettings(context), locale ?? '');
  return findLanguage(context, entry?.code ?? null);
}

/** Returns the links of SEO fields. Batched: any number of records costs the same commands. */
export async function hreflangOf(
  context: RequestContext,
  record: SeoRecordParent,
): Promise<HreflangReportParent | null> {
  const object = await locate(context, record);
  if (!object) return null;
  const settings = await loadLanguageSettings(context);
  const [members, alternates] = await Promise.all([
    membersOf(context, object, 'editorial'),
    alternatesOf(context, object),
  ]);
  const own = nameContentLanguage(settings, record.locale ?? '')?.code ?? null;
  return {
    alternates,
    issues: [
      ...members.flatMap((member) => issuesOfMember(settings, member, alternates)),
      ...issuesOfPage(own, record.canonicalUrl ?? null, alternates),
    ],
  };
}

async function locate(
  context: RequestContext,
  { objectType, objectId }: SeoRecordParent,
): Promise<TranslatableObject | null> {
  if (objectType === undefined || objectId === undefined) return null;
  const object = await findObject(context, { type: objectType, id: objectId }, 'ownerAccess');
  const reach = object ? reachOf(object, context.viewer.breadthOf('seo:edit')) : 'missing';
  if (reach === 'foreign') throw ownershipRequired();
  return reach === 'yes' ? object : null;
}

function issuesOfMember(
  settings: LanguageSettings,
  { translation: { code }, live }: Member,
  alternates: readonly AlternateParent[],
): HreflangIssue[] {
  const entry = settings.byCode.get(code ?? '');
  if (!entry) return [];
  if (!live || !entry.active)
    return [issue('not_live', `The text in "${entry.code}" is not public.`, entry.code)];
  const isLinked = alternates.some(({ language }) => language?.entry.code === entry.code);
  if (isLinked || alternates.length === 0) return [];
  // Next to a page that is always valid, only a language without an hreflang value is omitted.
  const isKnown = toAlternates([pageIn(entry.bcp47), pageIn('zxx')]).length > 0;
  return isKnown
    ? [issue('duplicate_code', `Another page uses the value of "${entry.code}".`, entry.code)]
    : [issue('invalid_code', `Search engines do not support "${entry.bcp47}".`, entry.code)];
}

function pageIn(bcp47: string) {
  return { bcp47, href: 'https://example.com/', isDefaultLanguage: false, isSource: false };
}

function issuesOfPage(
  own: string | null,
  canonicalUrl: string | null,
  alternates: readonly AlternateParent[],
): HreflangIssue[] {
  if (alternates.length === 0) return [];
  const self = alternates.find(({ language }) => language !== null && language.entry.code === own);
  const issues: HreflangIssue[] = [];
  if (!self) issues.push(issue('missing_self', 'The alternate links do not include the page itself.', own));
  if (!alternates.some(({ hreflang }) => hreflang === 'x-default'))
    issues.push(
      issue('missing_x_default', 'There is no x-default page for readers of other languages.', null),
    );
  if (self && canonicalUrl !== null && canonicalUrl !== self.href)
    issues.push(issue('different_canonical', 'The canonical URL of the page is another page.', own));
  return issues;
}

function issue(code: string, message: string, language: string | null): HreflangIssue {
  return { code, message, language };
}
