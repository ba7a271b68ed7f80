/** Reason why the two may differ in a check without an error; other differences are findings. */
export interface Pair {
  /** Name of the anchor's assessment. */
  anchor: string;
  /** Decided by structure alone: both must agree everywhere. */
  structural?: true;
  /** Returns the class of a disagreement from both verdicts and the engine's value. */
  classify: (ours: Verdict, anchor: Verdict, value: Record<string, unknown>) => string;
}

export type Verdict = 'good' | 'ok' | 'bad' | 'na';

const order: Record<Verdict, number> = { na: 0, bad: 1, ok: 2, good: 3 };

/** The engine finds inflected forms; the published anchor finds only exact ones. */
const byForms: Pair['classify'] = (ours, anchor) =>
  order[ours] > order[anchor]
    ? 'word forms: we find inflected ones'
    : 'words: other function words or boundaries';
const byOwnLists =
  (what: string): Pair['classify'] =>
  () =>
    what;

/** We knew more passives than the anchor, or fewer. */
const byPassives: Pair['classify'] = (ours, anchor) =>
  order[ours] < order[anchor]
    ? 'grammar: passives that the anchor does not know'
    : 'grammar: our rules prefer silence to a guess';
const byWords = 'words: other boundaries at hyphens, slashes and addresses, close to the limit';

/** Checks of the engine and of the anchor. */
export const pairs: Readonly<Record<string, Pair>> = {
  'keyphrase.length': { anchor: 'keyphraseLength', classify: byOwnLists('words: other function words') },
  'keyphrase.in_introduction': { anchor: 'introductionKeyword', classify: byForms },
  'keyphrase.density': { anchor: 'keyphraseDensity', classify: byForms },
  'keyphrase.in_meta_description': { anchor: 'metaDescriptionKeyword', classify: byForms },
  'keyphrase.in_subheadings': { anchor: 'subheadingsKeyword', classify: byForms },
  'keyphrase.in_seo_title': { anchor: 'keyphraseInSEOTitle', classify: byForms },
  'keyphrase.in_slug': {
    anchor: 'slugKeyword',
    classify: byOwnLists('script: we compare transliterated words'),
  },
  'keyphrase.in_image_alt': { anchor: 'imageKeyphrase', classify: byForms },
  'keyphrase.competing_links': { anchor: 'textCompetingLinks', classify: byForms },
  'meta.length': { anchor: 'metaDescriptionLength', structural: true, classify: byOwnLists('structure') },
  'content.length': { anchor: 'textLength', classify: byOwnLists(byWords) },
  'images.present': { anchor: 'images', structural: true, classify: byOwnLists('structure') },
  'links.outbound': { anchor: 'externalLinks', structural: true, classify: byOwnLists('structure') },
  'links.internal': { anchor: 'internalLinks', structural: true, classify: byOwnLists('structure') },
  'headings.h1': { anchor: 'singleH1', structural: true, classify: byOwnLists('structure') },
  'subheadings.distribution': {
    anchor: 'subheadingsTooLong',
    classify: byOwnLists(byWords),
  },
  'paragraphs.length': {
    anchor: 'textParagraphTooLong',
    classify: byOwnLists(byWords),
  },
  'sentences.length': {
    anchor: 'textSentenceLength',
    classify: byOwnLists('sentences: the anchor counts headings and labels, we count prose'),
  },
  'transitions.share': {
    anchor: 'textTransitionWords',
    classify: byOwnLists('words: our list of transitions and theirs'),
  },
  'passive.share': {
    anchor: 'passiveVoice',
    classify: byPassives,
  },
  'sentences.beginnings': {
    anchor: 'sentenceBeginnings',
    classify: byOwnLists('sentences: we stop a run at headings and lists'),
  },
};

/** Converts a score to the bands of the anchor. */
export function toVerdict(score: number | undefined): Verdict {
  if (score === undefined) return 'na';
  if (score >= 8) return 'good';
  return score >= 5 ? 'ok' : 'bad';
}
