import type { FieldProblem } from '../../../schema/Problem.ts';
import type { ObjectType } from './ObjectRef.ts';

/** Names of texts that can be translated. */
export const fieldNames = ['title', 'description', 'html', 'slug', 'altText'] as const;

/** Name of a text that can be translated. */
export type FieldName = (typeof fieldNames)[number];

/** Texts by name; a missing one is not translated. */
export type Texts = Readonly<Partial<Record<FieldName, string>>>;

interface FieldRule {
  /** Maximum length in Unicode code points. */
  readonly longest: number;
  /** Must hold a text before readers get it. */
  readonly required: boolean;
  readonly pattern?: RegExp;
}

const slug: FieldRule = {
  longest: 120,
  required: false,
  pattern: /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u,
};

/**
 * The translatable texts of every type. Prices, stock and similar data are excluded, so they never outdate a
 * translation.
 */
const translatableFields: Readonly<Record<ObjectType, Readonly<Partial<Record<FieldName, FieldRule>>>>> = {
  listing: {
    title: { longest: 120, required: true },
    description: { longest: 20_000, required: true },
    slug,
  },
  dealer: { description: { longest: 5000, required: true }, slug },
  media: { altText: { longest: 500, required: true } },
  page: { title: { longest: 200, required: true }, html: { longest: 100_000, required: true }, slug },
};

/** Returns whether objects of the type have this text. */
export function isFieldOf(type: ObjectType, name: string): name is FieldName {
  return Object.hasOwn(translatableFields[type], name);
}

/** Returns the errors in texts: unknown names, excess length, an invalid slug. */
export function checkTexts(type: ObjectType, texts: Readonly<Record<string, string | null>>): FieldProblem[] {
  return Object.entries(texts).flatMap(([name, text]): FieldProblem[] => {
    const pointer = `#/fields/${name}`;
    const rule = isFieldOf(type, name) ? translatableFields[type][name] : undefined;
    if (!rule)
      return [{ pointer, code: 'unknown_field', detail: `A ${type} has no translatable field "${name}".` }];
    if (text === null) return [];
    if (isLongerThan(text, rule.longest))
      return [
        { pointer, code: 'too_long', detail: `"${name}" must have at most ${rule.longest} characters.` },
      ];
    if (rule.pattern && !rule.pattern.test(text))
      return [{ pointer, code: 'invalid', detail: `"${name}" must be lower-case words joined by hyphens.` }];
    return [];
  });
}

/** Returns the names of required texts that are missing or blank. */
export function missingTexts(type: ObjectType, texts: Texts): FieldName[] {
  return fieldNames.filter((name) => translatableFields[type][name]?.required && !texts[name]?.trim());
}

function isLongerThan(text: string, longest: number): boolean {
  return text.length > longest && (text.length > 2 * longest || [...text].length > longest);
}
