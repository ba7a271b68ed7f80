import type { FieldProblem } from '../../../schema/Problem.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { phraseProblems, textProblems } from '../analysis/checkTexts.ts';
import type { UpdateSeoRecordInput } from '../seo.generated.ts';
import type { SeoFields } from './model.ts';

const textLimits = { seoTitle: 300, metaDescription: 1000, slug: 200, canonicalUrl: 2048 } as const;
const textMembers = ['keyphrase', 'seoTitle', 'metaDescription', 'slug', 'canonicalUrl'] as const;
const switches = ['noindex', 'isCornerstone'] as const;
const segmentPattern = /^[^\s/?#\\]+$/;

/**
 * What an input changes: absent members not at all, null and blank texts to nothing.
 *
 * @throws AppError `validation_failed` with every invalid member
 */
export function readChanges(input: UpdateSeoRecordInput): Partial<SeoFields> {
  const problems = [
    ...phraseProblems(input),
    ...Object.entries(textLimits).flatMap(([member, limit]) =>
      textProblems(`#/${member}`, input[member as keyof typeof textLimits], limit),
    ),
    ...slugProblems(input.slug),
    ...switches.flatMap((member) => (input[member] === null ? [notEmpty(member)] : [])),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  const changes: Partial<SeoFields> = {};
  for (const member of textMembers) {
    const text = input[member];
    if (text !== undefined) changes[member] = text?.trim() || null;
  }
  for (const member of switches) {
    const value = input[member];
    if (typeof value === 'boolean') changes[member] = value;
  }
  if (input.synonyms !== undefined) changes.synonyms = distinctTexts(input.synonyms ?? []);
  return changes;
}

function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))];
}

function slugProblems(slug: string | null | undefined): FieldProblem[] {
  const text = slug?.trim();
  if (!text || segmentPattern.test(text)) return [];
  return [
    {
      pointer: '#/slug',
      code: 'invalid',
      detail: 'A slug holds no spaces, slashes, question marks or hashes.',
    },
  ];
}

function notEmpty(member: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'required', detail: `"${member}" is true or false.` };
}
