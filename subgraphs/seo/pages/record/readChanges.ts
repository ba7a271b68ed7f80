import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { UpdateSeoRecordInput } from '../../seo.generated.ts';
import type { SeoFields } from './model.ts';

const textMembers = ['keyphrase', 'seoTitle', 'metaDescription', 'slug', 'canonicalUrl'] as const;
const switches = ['noindex', 'isCornerstone'] as const;
const segmentPattern = /^[^\s/?#\\]+$/;

/** Returns the errors of changes besides the limits in the SDL. */
export function recordProblems(input: UpdateSeoRecordInput): FieldProblem[] {
  return [
    ...slugProblems(input.slug),
    ...switches.flatMap((member) => (input[member] === null ? [notEmpty(member)] : [])),
  ];
}

/** Returns the changes of an input: absent members are unchanged; null and blank texts clear. */
export function readChanges(input: UpdateSeoRecordInput): Partial<SeoFields> {
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
      detail: 'A slug must not contain spaces, slashes, question marks or hashes.',
    },
  ];
}

function notEmpty(member: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'required', detail: `"${member}" must be true or false.` };
}
