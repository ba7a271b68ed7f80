import type { CheckResult } from '../contract.ts';
import type { Points } from '../ruleset/Ruleset.ts';
import type { AnalysisContext } from './AnalysisContext.ts';
import type { Check, Finding, NotApplicableReason, Outcome, Requirement } from './Check.ts';
import { roundTo2 } from './rate.ts';

const reasons: Record<NotApplicableReason, string> = {
  not_in_profile: 'it is not part of this kind of page',
  object_unknown: 'it needs a stored object to compare with others',
  language_data_missing: 'the language is not supported well enough',
  no_keyphrase: 'no keyphrase is set',
  no_content: 'there is no text',
  no_title: 'there is no title',
  no_meta_description: 'there is no meta description',
  no_slug: 'there is no slug',
  no_images: 'there are no images',
  no_links: 'there are no links',
  targets_unknown: 'no link leads to a known page of the site',
  no_translations: 'there are no translations',
  no_headings: 'there are too few headings',
  no_subheadings: 'there are no H2 or H3 headings',
  text_too_short: 'the text is too short',
  canonical_unknown: 'the canonical URL was not sent',
  social_unknown: 'the social preview was not sent',
  schema_unknown: 'no structured data was sent',
  product_unknown: 'the product data was not sent',
  check_failed: 'the check itself failed',
};

const missing: Record<
  Requirement,
  { reason: NotApplicableReason; isMissing: (context: AnalysisContext) => boolean }
> = {
  surroundings: { reason: 'object_unknown', isMissing: ({ input }) => !input.surroundings },
  keyphrase: { reason: 'no_keyphrase', isMissing: ({ topic }) => topic === null },
  content: { reason: 'no_content', isMissing: ({ content }) => content.words.length === 0 },
  title: { reason: 'no_title', isMissing: ({ title }) => title === null },
  metaDescription: {
    reason: 'no_meta_description',
    isMissing: ({ metaDescription }) => metaDescription === null,
  },
  slug: { reason: 'no_slug', isMissing: ({ slug }) => slug === null },
  images: { reason: 'no_images', isMissing: ({ images }) => images.length === 0 },
  links: { reason: 'no_links', isMissing: ({ links }) => links.length === 0 },
  headings: { reason: 'no_headings', isMissing: ({ document }) => document.headings.length === 0 },
  subheadings: {
    reason: 'no_subheadings',
    isMissing: ({ document }) => !document.headings.some(({ level }) => level === 2 || level === 3),
  },
  product: { reason: 'product_unknown', isMissing: ({ input }) => !input.product },
};

function evaluate(check: Check, context: AnalysisContext): Outcome {
  for (const requirement of check.requires) {
    const { reason, isMissing } = missing[requirement];
    if (isMissing(context)) return { notApplicable: reason };
  }
  if (check.needs !== null && context.language[check.needs] === null) {
    return { notApplicable: 'language_data_missing' };
  }
  return check.evaluate(context);
}

function pointsFor(finding: Finding, maxPoints: number): number {
  const share = finding.share ?? { good: 1, ok: 0.5, bad: 0, info: 0 }[finding.rating];
  return roundTo2(share * maxPoints);
}

/** Runs one check on one context. Points are zero and do not count if the check does not apply. */
export function runCheck(check: Check, context: AnalysisContext, points: Points): CheckResult {
  const maxPoints = points[check.id][context.profile];
  const outcome: Outcome =
    maxPoints === undefined ? { notApplicable: 'not_in_profile' } : evaluate(check, context);
  const common = {
    id: check.id,
    group: check.group,
    keyphrase: check.group === 'keyphrase' ? (context.topic?.keyphrase ?? null) : null,
    maxPoints: maxPoints ?? 0,
  };
  if ('notApplicable' in outcome) {
    const reason = outcome.notApplicable;
    const text = `Not checked: ${reasons[reason]}.`;
    return {
      ...common,
      applicable: false,
      notApplicableReason: reason,
      rating: 'na',
      points: 0,
      value: null,
      message: { code: `${check.id}.not_applicable`, params: { reason }, text },
      positions: [],
    };
  }
  return {
    ...common,
    applicable: true,
    notApplicableReason: null,
    rating: outcome.rating,
    points: pointsFor(outcome, common.maxPoints),
    value: outcome.value,
    message: { code: `${check.id}.${outcome.code}`, params: outcome.params ?? {}, text: outcome.text },
    positions: outcome.positions ?? [],
  };
}
