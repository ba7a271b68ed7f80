import { AnalysisLimitError } from './AnalysisLimitError.ts';
import type { AnalysisInput } from './contract.ts';

/** What one analysis accepts. The caller may be stricter, never more generous: the time promises rest on these. */
export const analysisLimits = {
  contentBytes: 512 * 1024,
  words: 60_000,
  fieldBytes: 16 * 1024,
  keyphraseCharacters: 191,
  synonyms: 10,
  relatedKeyphrases: 5,
  images: 2_000,
  checks: 200,
  jsonDepth: 64,
} as const;

function assertAtMost(
  code: AnalysisLimitError['code'],
  subject: string,
  limit: number,
  actual: number,
): void {
  if (actual > limit) throw new AnalysisLimitError(code, subject, limit, actual);
}

function assertPhrases(
  subject: string,
  keyphrase: string | null | undefined,
  synonyms: readonly string[],
): void {
  const longest = analysisLimits.keyphraseCharacters;
  assertAtMost('validation_failed', `${subject}.characters`, longest, keyphrase?.length ?? 0);
  assertAtMost('validation_failed', 'synonyms.count', analysisLimits.synonyms, synonyms.length);
  for (const synonym of synonyms)
    assertAtMost('validation_failed', 'synonyms.characters', longest, synonym.length);
}

const textFields = [
  'title',
  'seoTitle',
  'metaDescription',
  'slug',
  'permalink',
  'locale',
  'canonicalUrl',
] as const;

/** Everything that can be counted before the text is read. Throws `AnalysisLimitError`. */
export function assertInputLimits(input: AnalysisInput): void {
  assertAtMost(
    'payload_too_large',
    'content.bytes',
    analysisLimits.contentBytes,
    Buffer.byteLength(input.content ?? '', 'utf8'),
  );
  for (const field of textFields) {
    const bytes = Buffer.byteLength(input[field] ?? '', 'utf8');
    assertAtMost('payload_too_large', `${field}.bytes`, analysisLimits.fieldBytes, bytes);
  }
  assertPhrases('keyphrase', input.keyphrase, input.synonyms ?? []);
  const related = input.relatedKeyphrases ?? [];
  assertAtMost(
    'validation_failed',
    'relatedKeyphrases.count',
    analysisLimits.relatedKeyphrases,
    related.length,
  );
  for (const { keyphrase, synonyms } of related)
    assertPhrases('relatedKeyphrases', keyphrase, synonyms ?? []);
  const images = input.images ?? [];
  assertAtMost('validation_failed', 'images.count', analysisLimits.images, images.length);
  for (const { src, alt } of images) {
    const bytes = Buffer.byteLength(src, 'utf8') + Buffer.byteLength(alt ?? '', 'utf8');
    assertAtMost('payload_too_large', 'images.bytes', analysisLimits.fieldBytes, bytes);
  }
  assertAtMost('validation_failed', 'checks.count', analysisLimits.checks, input.checks?.length ?? 0);
}

export function assertWordLimit(words: number): void {
  assertAtMost('payload_too_large', 'content.words', analysisLimits.words, words);
}
