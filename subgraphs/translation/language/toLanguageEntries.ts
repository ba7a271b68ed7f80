import { directionOf, type TextDirection } from '../resolution/directionOf.ts';
import { toCanonicalTag, toTagOfLocale } from '../resolution/toCanonicalTag.ts';
import type { LanguageEntry } from './model.ts';

/** What an administrator (or a seed) says of a language; the rest follows from its code. */
export interface LanguagePlan {
  /** `pt-br`: lower case, immutable. */
  code: string;
  /** Host style; derived from the tag or code unless given. */
  locale?: string;
  bcp47?: string;
  aliases?: readonly string[];
  nativeName?: string;
  englishName?: string;
  /** From the likely script unless given. */
  direction?: TextDirection;
  /** True unless given. */
  active?: boolean;
  fallbacks?: readonly string[];
  /** Host, with port if any, for the strategy `domain`. */
  domain?: string;
  homeUrl?: string;
}

/**
 * Fills in what a plan leaves open. A tag that is not well-formed stays as it was said, for the check to find.
 */
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
