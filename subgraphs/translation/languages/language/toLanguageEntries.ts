import { toCanonicalTag, toTagOfLocale } from '../../../platform/language/toCanonicalTag.ts';
import { directionOf, type TextDirection } from '../resolution/directionOf.ts';
import type { LanguageEntry } from './model.ts';

/** Stated members of a language; the others are derived from its code. */
export interface LanguagePlan {
  /** Immutable code in lower case, as in `pt-br`. */
  code: string;
  /** Locale in the host's style; derived from the tag or code by default. */
  locale?: string;
  bcp47?: string;
  aliases?: readonly string[];
  nativeName?: string;
  englishName?: string;
  /** Direction; from the likely script by default. */
  direction?: TextDirection;
  /** True by default. */
  active?: boolean;
  fallbacks?: readonly string[];
  /** Host, with port if any, for the strategy `domain`. */
  domain?: string;
  homeUrl?: string;
}

/** Members of a language that can be changed. An absent member is not changed, null removes an override. */
export interface LanguageEdit {
  locale?: string | null | undefined;
  bcp47?: string | null | undefined;
  aliases?: readonly string[] | null | undefined;
  nativeName?: string | null | undefined;
  englishName?: string | null | undefined;
  direction?: TextDirection | null | undefined;
  fallbacks?: readonly string[] | null | undefined;
  domain?: string | null | undefined;
  homeUrl?: string | null | undefined;
}

/**
 * Returns an entry after a change. A new locale changes the tag, and a new tag the direction, unless those are stated
 * too.
 */
export function toEditedEntry(before: LanguageEntry, edit: LanguageEdit): LanguageEntry {
  const isRenamed = edit.locale !== undefined || edit.bcp47 !== undefined;
  const keepsDirection = edit.direction === undefined && before.direction !== directionOf(before.bcp47);
  const [entry] = toLanguageEntries([
    {
      code: before.code,
      ...(isRenamed ? namesOfEdit(edit) : { locale: before.locale, bcp47: before.bcp47 }),
      aliases: edit.aliases === undefined ? before.aliases : (edit.aliases ?? []),
      active: before.active,
      fallbacks: edit.fallbacks === undefined ? before.fallbacks : (edit.fallbacks ?? []),
      ...(keepsDirection ? { direction: before.direction } : {}),
      ...(edit.direction == null ? {} : { direction: edit.direction }),
    },
  ]) as [LanguageEntry];
  return {
    ...entry,
    nativeName: edit.nativeName === undefined ? before.nativeName : edit.nativeName,
    englishName: edit.englishName === undefined ? before.englishName : edit.englishName,
    domain: edit.domain === undefined ? before.domain : edit.domain,
    homeUrl: edit.homeUrl === undefined ? before.homeUrl : edit.homeUrl,
  };
}

function namesOfEdit({ locale, bcp47 }: LanguageEdit): Pick<LanguagePlan, 'locale' | 'bcp47'> {
  return { ...(locale == null ? {} : { locale }), ...(bcp47 == null ? {} : { bcp47 }) };
}

/** Completes plans with default values. A malformed tag is unchanged, so that the validation reports it. */
export function toLanguageEntries(plans: readonly LanguagePlan[]): LanguageEntry[] {
  return plans.map((plan) => {
    const stated = plan.bcp47 ?? (plan.locale === undefined ? plan.code : undefined);
    const bcp47 =
      (stated === undefined ? toTagOfLocale(plan.locale ?? '') : toCanonicalTag(stated)) ??
      stated ??
      plan.locale ??
      '';
    return {
      code: plan.code,
      locale: plan.locale ?? bcp47.replaceAll('-', '_'),
      bcp47,
      aliases: [...(plan.aliases ?? [])],
      active: plan.active ?? true,
      fallbacks: [...(plan.fallbacks ?? [])],
      nativeName: plan.nativeName ?? null,
      englishName: plan.englishName ?? null,
      direction: plan.direction ?? directionOf(bcp47),
      domain: plan.domain ?? null,
      homeUrl: plan.homeUrl ?? null,
    };
  });
}
