import type { AnalysisInput, AnalysisWarning, LanguageInfo } from './contract.ts';
import { detectLanguage } from './detectLanguage.ts';
import { describeSupport, findLanguage } from './language/findLanguage.ts';
import type { LanguageData } from './language/LanguageData.ts';
import { readWords } from './text/readWords.ts';

export interface ResolvedLanguage {
  data: LanguageData;
  /** A tag that Intl accepts. */
  tag: string;
  info: LanguageInfo;
  warnings: AnalysisWarning[];
}

/** Below this a guess is shown but not used. */
const confidentEnough = 0.5;
/** Confidence from which a text in another than its declared language is reported. */
const certain = 0.9;
const undetermined = 'und';
/** Enough text for detection; cut so that a long text in an undeclared language is not read twice. */
const sampleLength = 4_000;

function toCanonicalTag(locale: string): string | null {
  try {
    return Intl.getCanonicalLocales(locale.trim().replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

function languageOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? tag;
}

function findMismatch(declared: LanguageData | null, detected: string | null, confidence: number): boolean {
  return (
    declared !== null &&
    detected !== null &&
    confidence > certain &&
    findLanguage(detected).code !== declared.code
  );
}

/**
 * Returns the language of the analysis: the declared one, otherwise a confident guess, otherwise none (`und`). A
 * declared language is never overruled; a confident mismatch is a warning.
 */
export function resolveLanguage(input: AnalysisInput, text: string): ResolvedLanguage {
  const warnings: AnalysisWarning[] = [];
  const given = input.locale?.trim() ? input.locale : null;
  const declared = given === null ? null : toCanonicalTag(given);
  if (given !== null && declared === null) {
    const message = 'The locale is not a valid language tag and was ignored.';
    warnings.push({ code: 'locale.invalid', pointer: '/locale', message });
  }
  const sample = text.slice(0, sampleLength);
  const detected = detectLanguage(sample, () => readWords(sample, undetermined).map(({ form }) => form));
  const confident =
    detected !== null && detected.confidence >= confidentEnough ? detected.language : undetermined;
  const used = declared === null ? confident : languageOf(declared);
  const data = findLanguage(used);
  if (findMismatch(declared === null ? null : data, detected?.language ?? null, detected?.confidence ?? 0)) {
    const message = `The text looks like “${detected?.language}”, but is analysed as “${used}”, as declared.`;
    warnings.push({ code: 'language.mismatch', pointer: '/locale', message });
  }
  const info: LanguageInfo = {
    declared,
    used,
    detected: detected?.language ?? null,
    confidence: detected?.confidence ?? null,
    ...describeSupport(data),
  };
  return { data, tag: data.code, info, warnings };
}
