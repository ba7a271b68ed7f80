import type { LanguageData, Transitions } from './LanguageData.ts';

/** First word -> the phrases that begin with it. */
const phrasesByFirstWord = new WeakMap<Transitions, Map<string, (readonly string[])[]>>();

function indexPhrases(transitions: Transitions): Map<string, (readonly string[])[]> {
  const known = phrasesByFirstWord.get(transitions);
  if (known) return known;
  const index = new Map<string, (readonly string[])[]>();
  for (const phrase of transitions.phrases) {
    const first = phrase[0] ?? '';
    index.set(first, [...(index.get(first) ?? []), phrase]);
  }
  phrasesByFirstWord.set(transitions, index);
  return index;
}

/** Returns the elided head, as in `lorsqu'` for `lorsqu'un`. */
function elidedHead(form: string): string | null {
  const apostrophe = form.indexOf("'");
  return apostrophe > 0 ? form.slice(0, apostrophe + 1) : null;
}

/** Length of the longest text by its first character. */
const longestByFirst = new WeakMap<ReadonlySet<string>, Map<string, number>>();

function indexJoined(texts: ReadonlySet<string>): Map<string, number> {
  const known = longestByFirst.get(texts);
  if (known) return known;
  const index = new Map<string, number>();
  for (const text of texts) index.set(text[0] ?? '', Math.max(text.length, index.get(text[0] ?? '') ?? 0));
  longestByFirst.set(texts, index);
  return index;
}

/**
 * Returns the end of the longest run of whole words from `at` that is a transition when joined; -1 if there is none.
 */
function endOfJoined(forms: readonly string[], at: number, texts: ReadonlySet<string>): number {
  const longest = indexJoined(texts).get(forms[at]?.[0] ?? '');
  if (longest === undefined) return -1;
  let joined = '';
  let end = -1;
  for (let index = at; index < forms.length; index += 1) {
    joined += forms[index] ?? '';
    if (joined.length > longest) break;
    if (texts.has(joined)) end = index;
  }
  return end;
}

/**
 * Returns the first transition of a sentence as an inclusive range of word indices, or null. `forms` are the sentence's
 * word forms in order.
 */
export function findTransition(
  forms: readonly string[],
  language: LanguageData,
): { first: number; last: number } | null {
  const transitions = language.transitions;
  if (!transitions) return null;
  const phrases = indexPhrases(transitions);
  for (const [at, form] of forms.entries()) {
    const phrase = phrases
      .get(form)
      ?.find((words) => words.every((word, offset) => forms[at + offset] === word));
    if (phrase) return { first: at, last: at + phrase.length - 1 };
    if (transitions.words.has(form)) return { first: at, last: at };
    const head = elidedHead(form);
    if (head !== null && transitions.words.has(head)) return { first: at, last: at };
    const last = transitions.joined ? endOfJoined(forms, at, transitions.joined) : -1;
    if (last >= 0) return { first: at, last };
  }
  for (const [opening, closing] of transitions.pairs) {
    const first = forms.indexOf(opening);
    const last = first < 0 ? -1 : forms.indexOf(closing, first + 1);
    if (last > 0) return { first, last };
  }
  return null;
}
